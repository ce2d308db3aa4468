package dev.tidemark.workflows.index;

import dev.tidemark.workflows.ledger.Refusal;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a build. Each is idempotent: what it published under the build's token is found
 * again, and not made again. One whose build is not the newest any more fails with {@link
 * #SUPERSEDED}, one that cannot take its data with {@link #BAD_DATA}; neither is worth a retry.
 */
@ActivityInterface
public interface IndexActivities {
  /** Type of the failure of a build that another one has taken the place of. */
  String SUPERSEDED = "TidemarkSuperseded";

  /** Type of the failure that only other data, a definition or a person can mend. */
  String BAD_DATA = "TidemarkBadData";

  /** Looks at the datasources, and begins a build where there is something new (D5, D6). */
  @ActivityMethod(name = "TidemarkObjectsBegin")
  BuildDecision begin(BuildRequest request);

  /**
   * What a datasource's new transactions change, as a changelog (D13).
   *
   * @return why all must be indexed anew, which an incremental build then is not enough for (D26,
   *     D27); null where nothing says so
   */
  @ActivityMethod(name = "TidemarkObjectsChangelog")
  @Nullable String changelog(Build build, String datasource);

  /**
   * Begins the build anew, as a full one.
   *
   * @param cause as {@link #changelog} gave it
   */
  @ActivityMethod(name = "TidemarkObjectsWiden")
  Build widen(Build build, String cause);

  /** All changelogs and edits, by key (D14). */
  @ActivityMethod(name = "TidemarkObjectsMerge")
  void merge(Build build);

  /** The index files and their manifest; then the generation is there (D12). */
  @ActivityMethod(name = "TidemarkObjectsIndex")
  void index(Build build);

  /** Waits, for a bounded time, until the processes that answer queries have it open (D2). */
  @ActivityMethod(name = "TidemarkObjectsHydrate")
  Hydration hydrate(Build build);

  /** Records that the build has failed, unless another one has taken its place. */
  @ActivityMethod(name = "TidemarkObjectsFail")
  void fail(Build build, String error, boolean badData);

  /**
   * Makes the replacement the live index where it is complete, caught up and open everywhere (D10).
   * Fails with {@link Refusal#REFUSED} where there is no such replacement.
   *
   * @param revision of the replacement
   */
  @ActivityMethod(name = "TidemarkObjectsSwitch")
  SwitchOutcome switchOver(String objectType, int revision);
}
