package dev.tidemark.activities.task;

import dev.tidemark.activities.connection.NamedSql;
import dev.tidemark.activities.placeholder.PartitionValues;
import dev.tidemark.activities.placeholder.Template;
import dev.tidemark.workflows.partition.Slice;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What a task sees of its partition: placeholders, environment variables, SQL parameters. */
final class TaskValues {
  private TaskValues() {}

  /** The values of a command's placeholders. */
  static Template.Values placeholders(TaskRun run, Path output) {
    TaskRun.Subject subject = run.subject();
    Template.Values own =
        placeholder -> {
          if (placeholder.name().equals("output")) {
            return output.toString();
          }
          String key = placeholder.key();
          return key != null && placeholder.name().startsWith("param.")
              ? run.params().get(key)
              : null;
        };
    return own.or(new PartitionValues(subject.window(), subject.slice(), subject.zone()));
  }

  /** The values of a statement's parameters. */
  static Map<String, String> sql(TaskRun run) {
    Map<String, String> values = new TreeMap<>();
    values.put("partition", run.window().label());
    values.put("start", NamedSql.time(run.window().start(), run.subject().zone()));
    values.put("end", NamedSql.time(run.window().end(), run.subject().zone()));
    values.put("token", Long.toString(run.token()));
    run.slice().values().forEach((key, value) -> values.put("slice_" + key, value));
    run.params().forEach((key, value) -> values.put("param_" + key.replace('-', '_'), value));
    return values;
  }

  /** The variables of contracts, section 2. */
  static Map<String, String> environment(TaskRun run, Path output) {
    Map<String, String> variables = new TreeMap<>();
    variables.put("TIDEMARK_PIPELINE", run.pipeline());
    variables.put("TIDEMARK_PARTITION", run.window().label());
    variables.put("TIDEMARK_START", run.window().start().toString());
    variables.put("TIDEMARK_END", run.window().end().toString());
    variables.put("TIDEMARK_OUTPUT", output.toString());
    variables.put("TIDEMARK_ATTEMPT", Integer.toString(run.attempt()));
    String version = run.inputVersion();
    variables.put("TIDEMARK_INPUT_VERSION", version == null ? "" : version);
    Slice slice = run.slice();
    slice.values().forEach((key, value) -> variables.put("TIDEMARK_SLICE_" + name(key), value));
    run.params().forEach((key, value) -> variables.put("TIDEMARK_PARAM_" + name(key), value));
    return variables;
  }

  private static String name(String key) {
    return key.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9_]", "_");
  }
}
