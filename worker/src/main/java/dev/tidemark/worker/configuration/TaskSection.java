package dev.tidemark.worker.configuration;

import dev.tidemark.worker.definition.Defaults;
import dev.tidemark.worker.yaml.Section;
import dev.tidemark.worker.yaml.Type;
import dev.tidemark.worker.yaml.Value;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code task}. */
final class TaskSection {
  private static final List<String> KEYS =
      List.of(
          "command",
          "sql",
          "java",
          "export",
          "activity",
          "workflow",
          "timeout",
          "connection",
          "replace");
  private static final List<String> KINDS =
      List.of("command", "sql", "java", "export", "activity", "workflow");

  private static final Type<String> CLASS =
      new Type<>(
          "the name of a class, such as com.acme.MyTask",
          text ->
              text.matches(
                      "(\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*\\.)*"
                          + "\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*")
                  ? text
                  : null);

  private final Section section;
  private final Duration timeout;

  private TaskSection(Section section) {
    this.section = section;
    this.timeout = section.get("timeout", Types.DURATION, Defaults.TASK_TIMEOUT);
  }

  /** The task, or null where it cannot be read, which is then reported. */
  static @Nullable TaskSpec read(Section pipeline, ConnectionsSection connections) {
    if (!pipeline.has("task")) {
      pipeline.problem("task", "is missing; it must be such as {command: [python3, task.py]}");
      return null;
    }
    Section section = pipeline.section("task");
    section.only(KEYS, Later.KEYS);
    List<String> kinds = KINDS.stream().filter(section::has).toList();
    if (kinds.size() != 1) {
      section.problem(
          "",
          "must have one of "
              + String.join(", ", KINDS)
              + ", and has "
              + (kinds.isEmpty() ? "none" : String.join(" and ", kinds)));
      return null;
    }
    String kind = kinds.get(0);
    for (String key : List.of("connection", "replace")) {
      if (section.has(key) && !kind.equals("sql")) {
        section.problem(key, "belongs to a sql task, and this one is of " + kind + "; remove it");
      }
    }
    return new TaskSection(section).task(kind, connections);
  }

  private @Nullable TaskSpec task(String kind, ConnectionsSection connections) {
    switch (kind) {
      case "command" -> {
        return command();
      }
      case "sql" -> {
        return sql(connections);
      }
      case "java" -> {
        String type = section.get("java", CLASS);
        return type == null ? null : new TaskSpec.Java(type, timeout);
      }
      case "activity" -> {
        return activity();
      }
      case "workflow" -> {
        return workflow();
      }
      default -> {
        return ExportSection.read(section.section("export"), connections, timeout);
      }
    }
  }

  private @Nullable TaskSpec activity() {
    Section own = section.section("activity");
    own.only(List.of("type", "task-queue", "start-within", "heartbeat-within"), Later.KEYS);
    String type = own.require("type", Type.TEXT);
    String queue = own.require("task-queue", Type.TEXT);
    Duration start = own.get("start-within", Types.DURATION, Defaults.START_WITHIN);
    Duration heartbeat = own.get("heartbeat-within", Types.DURATION, Defaults.HEARTBEAT_WITHIN);
    return type == null || queue == null
        ? null
        : new TaskSpec.Activity(type, queue, start, heartbeat, timeout);
  }

  private @Nullable TaskSpec workflow() {
    Section own = section.section("workflow");
    own.only(List.of("type", "task-queue", "start-within"), Later.KEYS);
    String type = own.require("type", Type.TEXT);
    String queue = own.require("task-queue", Type.TEXT);
    Duration start = own.get("start-within", Types.DURATION, Defaults.START_WITHIN);
    return type == null || queue == null
        ? null
        : new TaskSpec.Workflow(type, queue, start, timeout);
  }

  private @Nullable TaskSpec command() {
    Value value = section.value("command");
    if (value == null) {
      return null;
    }
    if (value.isText()) {
      value.problem(
          "must be a list, the program and each argument: [python3, task.py]; there is no shell,"
              + " for one write [sh, -c, \"...\"]");
      return null;
    }
    List<Value> elements = value.list();
    List<String> words = value.list(WORD);
    if (value.isList() && elements.isEmpty()) {
      value.problem("must name a program");
    }
    return words.isEmpty() || words.size() < elements.size()
        ? null
        : new TaskSpec.Command(words, timeout);
  }

  /** An argument may be empty. */
  private static final Type<String> WORD = new Type<>("a text", text -> text);

  private @Nullable TaskSpec sql(ConnectionsSection connections) {
    String sql = section.get("sql", Type.TEXT);
    String connection = connections.database(section);
    TaskSpec.Replace replace = null;
    if (section.has("replace")) {
      Section rows = section.section("replace");
      rows.only(List.of("table", "where"), Later.KEYS);
      String table = rows.require("table", Type.TEXT);
      String where = rows.require("where", Type.TEXT);
      replace = table == null || where == null ? null : new TaskSpec.Replace(table, where);
    }
    return sql == null || connection == null
        ? null
        : new TaskSpec.Sql(sql, connection, replace, timeout);
  }
}
