package dev.tidemark.worker.configuration;

import dev.tidemark.activities.connection.BucketLocation;
import dev.tidemark.worker.yaml.Section;
import dev.tidemark.worker.yaml.Type;
import dev.tidemark.worker.yaml.Value;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.Mapping;
import dev.tidemark.workflows.pipeline.Readiness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code inputs}. */
final class InputsSection {
  private static final List<String> KEYS =
      List.of("files", "sql", "push", "upstream", "connection", "allow-empty", "mapping", "ready");
  private static final List<String> KINDS = List.of("files", "sql", "upstream", "push");

  private static final Type<Integer> WINDOWS = Types.number(1, Mapping.MAX_WINDOWS);
  private static final Type<Mapping> MAPPING =
      new Type<>(
          "same, {previous: n}, {window: n} or rollup",
          text ->
              switch (text) {
                case "same" -> new Mapping.Same();
                case "rollup" -> new Mapping.Rollup();
                default -> null;
              });
  private static final Type<Readiness> READY =
      new Type<>(
          "all, {at-least: n} or {within: 6h}",
          text -> text.equals("all") ? new Readiness.All() : null);

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
      case "upstream" -> {
        return upstream(section);
      }
      default -> push(section);
    }
    return new InputSpec.Push();
  }

  private static InputSpec upstream(Section section) {
    if (section.has("allow-empty")) {
      section.problem("allow-empty", "says nothing of an upstream; ready says when it is enough");
    }
    String name = section.get("upstream", Type.TEXT);
    Mapping mapping = mapping(section.value("mapping"));
    Readiness ready = ready(section.value("ready"));
    return name == null ? new InputSpec.Push() : new InputSpec.Upstream(name, mapping, ready);
  }

  private static Mapping mapping(@Nullable Value value) {
    if (value == null || value.isText() || value.isList() || value.isNothing()) {
      Mapping mapping = value == null ? null : value.as(MAPPING);
      return mapping == null ? new Mapping.Same() : mapping;
    }
    Section section = value.section();
    section.only(List.of("previous", "window"), Later.KEYS);
    if (section.has("previous") == section.has("window")) {
      section.problem("", "must have one of previous and window, such as {previous: 1}");
      return new Mapping.Same();
    }
    Integer previous = section.get("previous", WINDOWS);
    Integer trailing = section.get("window", WINDOWS);
    if (previous != null) {
      return new Mapping.Previous(previous);
    }
    return trailing == null ? new Mapping.Same() : new Mapping.Trailing(trailing);
  }

  private static Readiness ready(@Nullable Value value) {
    if (value == null || value.isText() || value.isList() || value.isNothing()) {
      Readiness ready = value == null ? null : value.as(READY);
      return ready == null ? new Readiness.All() : ready;
    }
    Section section = value.section();
    section.only(List.of("at-least", "within"), Later.KEYS);
    if (section.has("at-least") == section.has("within")) {
      section.problem("", "must have one of at-least and within, such as {within: 6h}");
      return new Readiness.All();
    }
    Integer atLeast = section.get("at-least", Types.number(1, 1_000_000));
    Duration within = section.get("within", Types.POSITIVE_DURATION);
    if (atLeast != null) {
      return new Readiness.AtLeast(atLeast);
    }
    return within == null ? new Readiness.All() : new Readiness.Within(within);
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
