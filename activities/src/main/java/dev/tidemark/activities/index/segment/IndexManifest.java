package dev.tidemark.activities.index.segment;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.StoredText;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;

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

  private static final ObjectMapper JSON = new ObjectMapper();

  public IndexManifest {
    sources = List.copyOf(sources);
    files = List.copyOf(files);
  }

  /** What the store has under a name, or empty. */
  public static Optional<IndexManifest> read(OutputStore store, String name) throws IOException {
    Optional<StoredText> text = store.read(name);
    return text.isEmpty()
        ? Optional.empty()
        : Optional.of(JSON.readValue(text.get().text(), IndexManifest.class));
  }

  /**
   * The manifest of a generation of an index.
   *
   * @param address of it, as the ledger has it
   * @throws NoSuchFileException if it is gone
   */
  public static IndexManifest at(OutputStore store, String objectType, long index, String address)
      throws IOException {
    String root = SegmentFiles.root(objectType, index);
    return read(store, address.substring(Math.max(0, address.lastIndexOf(root))))
        .orElseThrow(
            () ->
                new NoSuchFileException(
                    address, null, "the index is gone; ask for a full reindex"));
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
