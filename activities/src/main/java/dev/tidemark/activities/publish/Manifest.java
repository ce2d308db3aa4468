package dev.tidemark.activities.publish;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.store.Digests;
import dev.tidemark.workflows.partition.Slice;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a commit marker says (contracts, section 4; B16). Times are ISO-8601 in UTC.
 *
 * @param processedAt when it was published
 * @param closedThrough start of the newest closed window at the claim, null if there was none
 * @param content hash of the files' contents in order
 * @param rows null where not known
 * @param schema null where not known
 * @param source null where not known
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record Manifest(
    @JsonProperty("format_version") int formatVersion,
    @JsonProperty("pipeline") String pipeline,
    @JsonProperty("partition") String partition,
    @JsonProperty("slice") Map<String, String> slice,
    @JsonProperty("window_start") String windowStart,
    @JsonProperty("window_end") String windowEnd,
    @JsonProperty("zone") String zone,
    @JsonProperty("token") long token,
    @JsonProperty("revision") int revision,
    @JsonProperty("definition") String definition,
    @JsonProperty("input_version") @Nullable String inputVersion,
    @JsonProperty("processed_at") String processedAt,
    @JsonProperty("attempt_began_at") String attemptBeganAt,
    @JsonProperty("closed_through") @Nullable String closedThrough,
    @JsonProperty("predecessor") @Nullable Long predecessor,
    @JsonProperty("rows") @Nullable Long rows,
    @JsonProperty("bytes") long bytes,
    @JsonProperty("content") String content,
    @JsonProperty("schema") @Nullable JsonNode schema,
    @JsonProperty("source") @Nullable JsonNode source,
    @JsonProperty("files") List<Part> files,
    @JsonProperty("created_by") String createdBy) {
  static final int FORMAT_VERSION = 1;

  /** A million attempts a second for thirty years; JSON readers know it exactly (below 2^53). */
  static final long MAX_TOKEN = 1L << 50;

  Manifest {
    files = List.copyOf(files);
  }

  /**
   * The manifest of what an attempt publishes.
   *
   * @param slice as the output has it
   */
  static Manifest of(
      Begun begun,
      Slice slice,
      List<Part> parts,
      @Nullable String inputVersion,
      Contents contents,
      Instant now,
      String createdBy) {
    RegisteredPipeline pipeline = begun.pipeline();
    Instant closedThrough = begun.context().closedThrough();
    StringBuilder hashes = new StringBuilder();
    parts.forEach(part -> hashes.append(part.sha256()).append('\n'));
    return new Manifest(
        FORMAT_VERSION,
        pipeline.name(),
        begun.window().label(),
        slice.values(),
        begun.window().start().toString(),
        begun.window().end().toString(),
        pipeline.definition().extent().partitions().zone().getId(),
        begun.token(),
        pipeline.revision(),
        pipeline.fingerprint(),
        inputVersion,
        now.toString(),
        begun.context().beganAt().toString(),
        closedThrough == null ? null : closedThrough.toString(),
        begun.context().predecessor(),
        contents.rows(),
        parts.stream().mapToLong(Part::bytes).sum(),
        Digests.sha256(hashes.toString()),
        contents.schema(),
        contents.source(),
        parts,
        createdBy);
  }

  /**
   * Whether it says that it is of this partition, in a format that is known here, with a token that
   * a ledger can have issued: one larger than that would use up every later one.
   */
  boolean isOf(String ofPipeline, String ofPartition, Map<String, String> ofSlice) {
    return formatVersion == FORMAT_VERSION
        && token > 0
        && token <= MAX_TOKEN
        && ofPipeline.equals(pipeline)
        && ofPartition.equals(partition)
        && ofSlice.equals(slice);
  }

  /**
   * One file.
   *
   * @param rows null where not known
   * @param sha256 of its content, in hex
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Part(
      @JsonProperty("name") String name,
      @JsonProperty("rows") @Nullable Long rows,
      @JsonProperty("bytes") long bytes,
      @JsonProperty("sha256") String sha256) {}
}
