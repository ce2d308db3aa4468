package dev.tidemark.activities.ledger.output;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A commit that the ledger learns from the store.
 *
 * @param token null where the output names none: it gets a new one
 * @param versions what it was made from
 * @param made how it was made
 * @param size how much it is
 * @param output full address
 */
public record TakenIn(
    OutputRow row, @Nullable Long token, Versions versions, Made made, Size size, String output) {

  /**
   * What it was made from.
   *
   * @param input null where not known: it is never late then
   * @param seen when that version was read
   */
  public record Versions(@Nullable String input, @Nullable Instant seen) {
    /** Nothing is known of it. */
    public static final Versions UNKNOWN = new Versions(null, null);
  }

  /**
   * How it was made; null where not known.
   *
   * @param closedThrough start of the newest closed window at its claim
   */
  public record Made(
      @Nullable Instant at,
      @Nullable Instant closedThrough,
      @Nullable Long predecessor,
      @Nullable Integer revision,
      @Nullable String definition) {
    /** Nothing is known of it. */
    public static final Made UNKNOWN = new Made(null, null, null, null, null);
  }

  /**
   * How much it is.
   *
   * @param files how many parts have its token in their names, null where they have not
   * @param content hash of the contents, null where not known
   * @param rows null where not known
   */
  public record Size(
      @Nullable Integer files, long bytes, @Nullable Long rows, @Nullable String content) {}
}
