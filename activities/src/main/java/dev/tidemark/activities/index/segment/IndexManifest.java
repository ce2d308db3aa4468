package dev.tidemark.activities.index.segment;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * What a generation of an index is: its files, and what is in them.
 *
 * @param editOffset edits up to here are in it
 * @param objects how many there are to be seen
 * @param documents how many objects anything is known of
 * @param changed how many of them differ from the generation before; all of them after a full build
 * @param sources what of each datasource is in it
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record IndexManifest(
    @JsonProperty("format_version") int formatVersion,
    @JsonProperty("object_type") String objectType,
    @JsonProperty("index") long index,
    @JsonProperty("generation") long generation,
    @JsonProperty("token") long token,
    @JsonProperty("edit_offset") long editOffset,
    @JsonProperty("objects") long objects,
    @JsonProperty("documents") long documents,
    @JsonProperty("changed") long changed,
    @JsonProperty("sources") List<Source> sources,
    @JsonProperty("files") List<File> files) {
  public static final int FORMAT_VERSION = 1;

  public IndexManifest {
    sources = List.copyOf(sources);
    files = List.copyOf(files);
  }

  /** How much space its files need. */
  public long bytes() {
    return files.stream().mapToLong(File::bytes).sum();
  }

  /**
   * A datasource.
   *
   * @param rows how many it has, after all of its transactions
   * @param transactions that were taken in with this generation
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Source(
      @JsonProperty("datasource") String datasource,
      @JsonProperty("rows") long rows,
      @JsonProperty("transactions") List<Taken> transactions) {
    public Source {
      transactions = List.copyOf(transactions);
    }
  }

  /**
   * A transaction that was taken in.
   *
   * @param version of what was read, which may be newer than what was asked for
   * @param changed rows that differ from what was known before
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Taken(
      @JsonProperty("number") long number,
      @JsonProperty("identity") String identity,
      @JsonProperty("version") String version,
      @JsonProperty("changed") long changed) {}

  /**
   * A file of the index.
   *
   * @param name as Lucene calls it
   * @param stored its name in the store, below the folder of the index; no two contents share one
   * @param sha256 of its content, in hex
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record File(
      @JsonProperty("name") String name,
      @JsonProperty("stored") String stored,
      @JsonProperty("bytes") long bytes,
      @JsonProperty("sha256") String sha256) {}
}
