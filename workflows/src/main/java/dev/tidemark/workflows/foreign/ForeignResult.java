package dev.tidemark.workflows.foreign;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the other side returns; nothing at all is a result too.
 *
 * @param files the names of all files that it wrote; null for whatever is in its folder
 * @param rows how many it wrote, null where it does not know
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ForeignResult(
    @JsonProperty("files") @Nullable List<String> files,
    @JsonProperty("rows") @Nullable Long rows) {
  /** A lane's history keeps each result twice, for up to 500 partitions. */
  private static final int MAX_NAMES = 16 * 1024;

  static final ForeignResult NONE = new ForeignResult(null, null);

  public ForeignResult {
    files = files == null ? null : List.copyOf(files);
  }

  boolean isTooLarge() {
    return files != null && files.stream().mapToInt(String::length).sum() > MAX_NAMES;
  }
}
