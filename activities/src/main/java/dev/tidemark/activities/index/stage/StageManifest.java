package dev.tidemark.activities.index.stage;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.index.segment.IndexManifest.Taken;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a changelog or a merge made: entries by key.
 *
 * @param stage {@code changelog-<datasource>} or {@code merged}
 * @param full why the build must be a full one instead, {@code share} or {@code retention}; nothing
 *     was made then. Null where it need not
 * @param entries how many rows have changed, or how many objects
 * @param rows of the datasource after its transactions; 0 for a merge
 * @param taken the transactions of a changelog
 * @param files {@link IndexManifest.File#name} and stored are the same here
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record StageManifest(
    @JsonProperty("stage") String stage,
    @JsonProperty("token") long token,
    @JsonProperty("full") @Nullable String full,
    @JsonProperty("entries") long entries,
    @JsonProperty("rows") long rows,
    @JsonProperty("taken") List<Taken> taken,
    @JsonProperty("files") List<IndexManifest.File> files) {
  /** More than the share of rows that is indexed incrementally has changed (D27). */
  public static final String SHARE = "share";

  /** What an earlier transaction gave is in none of the present ones (D26). */
  public static final String RETENTION = "retention";

  public StageManifest {
    taken = List.copyOf(taken);
    files = List.copyOf(files);
  }

  /** Bytes of its files. */
  public long bytes() {
    return files.stream().mapToLong(IndexManifest.File::bytes).sum();
  }
}
