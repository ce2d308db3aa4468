package dev.tidemark.worker.configuration;

import dev.tidemark.activities.connection.BucketLocation;
import dev.tidemark.worker.yaml.Section;
import dev.tidemark.worker.yaml.Type;
import dev.tidemark.worker.yaml.Value;
import dev.tidemark.workflows.pipeline.InputSpec;
import java.util.ArrayList;
import java.util.List;

/** Reads {@code inputs}. */
final class InputsSection {
  private static final List<String> KEYS =
      List.of("files", "sql", "push", "upstream", "connection", "allow-empty", "mapping", "ready");
  private static final List<String> KINDS = List.of("files", "sql", "upstream", "push");

  private InputsSection() {}

  /** The inputs; one that could not be read is a push, so that the others keep their places. */
  static List<InputSpec> read(Section pipeline, ConnectionsSection connections) {
    List<InputSpec> inputs = new ArrayList<>();
    for (Value item : pipeline.list("inputs")) {
      inputs.add(input(item.section(), connections));
    }
    return inputs;
  }

  private static InputSpec input(Section section, ConnectionsSection connections) {
    section.only(KEYS, Later.KEYS);
    List<String> kinds = KINDS.stream().filter(section::has).toList();
    if (kinds.size() != 1) {
      section.problem(
          "",
          "must have one of "
              + String.join(", ", KINDS)
              + ", and has "
              + (kinds.isEmpty() ? "none" : String.join(" and ", kinds)));
      return new InputSpec.Push();
    }
    String kind = kinds.get(0);
    boolean allowEmpty = section.get("allow-empty", Types.FLAG, false);
    only(section, kind, "connection", "sql");
    only(section, kind, "mapping", "upstream");
    only(section, kind, "ready", "upstream");
    switch (kind) {
      case "files" -> {
        String glob = section.get("files", Type.TEXT);
        if (glob != null) {
          BucketLocation.of(glob)
              .map(BucketLocation::connection)
              .filter(name -> !connections.isObjectStore(name))
              .ifPresent(name -> connections.refuse(section, "files", "input files", name));
        }
        return glob == null ? new InputSpec.Push() : new InputSpec.Files(glob, allowEmpty);
      }
      case "sql" -> {
        String sql = section.get("sql", Type.TEXT);
        String connection = connections.database(section);
        return sql == null || connection == null
            ? new InputSpec.Push()
            : new InputSpec.Sql(sql, connection, allowEmpty);
      }
      case "upstream" -> section.problem("upstream", Later.NOT_BUILT);
      default -> push(section);
    }
    return new InputSpec.Push();
  }

  private static void push(Section section) {
    if (!section.get("push", Types.FLAG, true)) {
      section.problem("push", "must be true; to have no push, remove the line");
    }
    if (section.has("allow-empty")) {
      section.problem("allow-empty", "says nothing of a push, which never holds back; remove it");
    }
  }

  /** Reports a key that belongs to another kind of input. */
  private static void only(Section section, String kind, String key, String owner) {
    if (section.has(key) && !kind.equals(owner)) {
      section.problem(
          key, "belongs to " + owner + " inputs, and this one is of " + kind + "; remove it");
    }
  }
}
