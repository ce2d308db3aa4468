package dev.tidemark.workflows.pipeline;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** Where outputs go and how they are laid out (contracts, section 4). */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "layout")
@JsonSubTypes({
  @JsonSubTypes.Type(value = OutputSpec.Hive.class, name = "hive"),
  @JsonSubTypes.Type(value = OutputSpec.File.class, name = "file")
})
public sealed interface OutputSpec {
  /** A folder, or {@code connection:name/prefix}. */
  String location();

  /** A folder per partition with parts and a manifest. */
  record Hive(String location) implements OutputSpec {}

  /** Exactly one file per partition, at {@code path} below the location. */
  record File(String location, String path, Commit commit) implements OutputSpec {}

  /** What completes an output of layout file. */
  enum Commit {
    /** The atomic move of the file. */
    ATOMIC,
    /** A {@code .commit} file beside it, written last. */
    MARKER
  }
}
