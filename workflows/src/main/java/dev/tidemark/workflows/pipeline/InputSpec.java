package dev.tidemark.workflows.pipeline;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** What a partition reads; a change of it makes the partition late. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = InputSpec.Files.class, name = "files"),
  @JsonSubTypes.Type(value = InputSpec.Sql.class, name = "sql"),
  @JsonSubTypes.Type(value = InputSpec.Push.class, name = "push"),
  @JsonSubTypes.Type(value = InputSpec.Upstream.class, name = "upstream"),
  @JsonSubTypes.Type(value = InputSpec.Custom.class, name = "custom")
})
public sealed interface InputSpec {

  /**
   * Files that match a glob with {@code {partition}} and {@code {slice.<dim>}} in it. No match:
   * no_input, unless allowEmpty.
   */
  record Files(String glob, boolean allowEmpty) implements InputSpec {}

  /**
   * A query that returns partition, version and one column per dimension; {@code :from} and {@code
   * :to} bound it.
   */
  record Sql(String sql, String connection, boolean allowEmpty) implements InputSpec {}

  /** Someone says that a partition's input changed. Never holds a partition back. */
  record Push() implements InputSpec {}

  /** The commits of another pipeline (C24). None that counts: no_input. */
  record Upstream(String pipeline, Mapping mapping, Readiness ready) implements InputSpec {}

  /** A detector bound in Java under the pipeline's name; {@code name} identifies it in messages. */
  record Custom(String name, boolean allowEmpty) implements InputSpec {}
}
