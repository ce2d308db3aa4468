package dev.tidemark.worker.configuration;

import dev.tidemark.worker.alert.Notices;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A {@code tidemark.yaml} without a problem in it (contracts, section 2).
 *
 * <p>Paths in the definitions (globs of inputs, output locations, paths in commands) stay as
 * written: a definition's fingerprint must not depend on the machine. Who reads or writes resolves
 * them against {@link #folder()} at run time.
 *
 * @param file the file read, absolute
 * @param ledger null where none is configured: the ledger is then an embedded one
 * @param page null where none is configured: only {@code dev} then has one
 * @param connections by name, in the file's order
 * @param defined pipelines and object types
 * @param notices who is told of alerts and failures
 */
public record Configuration(
    Path file,
    TemporalSettings temporal,
    @Nullable LedgerSettings ledger,
    @Nullable PageSettings page,
    Map<String, ConnectionSettings> connections,
    Defined defined,
    Notices notices) {
  public Configuration {
    file = file.toAbsolutePath();
    connections = Collections.unmodifiableMap(new LinkedHashMap<>(connections));
  }

  /** What the file defines, in its order, each name once. */
  public record Defined(List<PipelineDefinition> pipelines, List<ObjectType> objectTypes) {
    public Defined {
      pipelines = List.copyOf(pipelines);
      objectTypes = List.copyOf(objectTypes);
    }
  }

  /** One without a page, that tells nobody anything. */
  public Configuration(
      Path file,
      TemporalSettings temporal,
      @Nullable LedgerSettings ledger,
      Map<String, ConnectionSettings> connections,
      List<PipelineDefinition> pipelines) {
    this(
        file, temporal, ledger, null, connections, new Defined(pipelines, List.of()), Notices.NONE);
  }

  /** The folder of the file, absolute: relative paths are relative to it, commands run in it. */
  public Path folder() {
    Path parent = file.getParent();
    return parent == null ? file : parent;
  }

  public List<PipelineDefinition> pipelines() {
    return defined.pipelines();
  }

  public List<ObjectType> objectTypes() {
    return defined.objectTypes();
  }

  /** The pipeline of that name, or empty. */
  public Optional<PipelineDefinition> pipeline(String name) {
    return pipelines().stream().filter(pipeline -> pipeline.name().equals(name)).findFirst();
  }
}
