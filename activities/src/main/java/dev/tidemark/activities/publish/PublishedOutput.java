package dev.tidemark.activities.publish;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A complete partition, as its marker names it.
 *
 * @param token of the attempt that published it: another output of the partition has another; null
 *     where the output has no marker
 * @param rows null where not known
 * @param content hash of the files' contents in order, null where not known
 */
public record PublishedOutput(
    @JsonProperty("pipeline") String pipeline,
    @JsonProperty("partition") String partition,
    @JsonProperty("slice") Map<String, String> slice,
    @JsonProperty("token") @Nullable Long token,
    @JsonProperty("rows") @Nullable Long rows,
    @JsonProperty("bytes") long bytes,
    @JsonProperty("content") @Nullable String content,
    @JsonProperty("files") List<File> files) {
  public PublishedOutput {
    files = List.copyOf(files);
  }

  /** The output that a manifest names, with its files at these addresses. */
  static PublishedOutput of(Manifest manifest, Function<Manifest.Part, String> address) {
    return new PublishedOutput(
        manifest.pipeline(),
        manifest.partition(),
        manifest.slice(),
        manifest.token(),
        manifest.rows(),
        manifest.bytes(),
        manifest.content(),
        manifest.files().stream()
            .map(part -> new File(address.apply(part), part.rows(), part.bytes(), part.sha256()))
            .toList());
  }

  /**
   * One file.
   *
   * @param address a path, or the address in the object store
   * @param rows null where not known
   * @param sha256 of its content in hex, null where not known
   */
  public record File(
      @JsonProperty("address") String address,
      @JsonProperty("rows") @Nullable Long rows,
      @JsonProperty("bytes") long bytes,
      @JsonProperty("sha256") @Nullable String sha256) {}
}
