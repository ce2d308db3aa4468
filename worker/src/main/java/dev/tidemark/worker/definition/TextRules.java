package dev.tidemark.worker.definition;

import dev.tidemark.activities.connection.NamedSql;
import dev.tidemark.activities.placeholder.Template;
import dev.tidemark.activities.placeholder.Template.Placeholder;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.SliceSet;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Rules of the texts with placeholders or parameters in them: globs, paths, commands, SQL. */
final class TextRules {
  private static final String SLICE = "slice.";
  private static final Set<String> WINDOW = Set.of("partition", "start", "end");
  private static final Set<String> COMMAND = Set.of("partition", "start", "end", "output");

  private final Dimensions dimensions;
  private final List<Violation> found;

  private TextRules(Dimensions dimensions, List<Violation> found) {
    this.dimensions = dimensions;
    this.found = found;
  }

  static void check(Draft draft, Dimensions dimensions, List<Violation> found) {
    TextRules rules = new TextRules(dimensions, found);
    for (int i = 0; i < draft.inputs().size(); i++) {
      rules.input("inputs[" + i + "]", draft.inputs().get(i));
    }
    for (SliceSet slices : draft.space().slices()) {
      if (slices instanceof SliceSet.Query query) {
        rules.sql("slices.sql", query.sql(), Set.of());
      }
    }
    TaskSpec task = draft.task();
    if (task instanceof TaskSpec.Command command) {
      rules.command(command, draft.output() != null);
    } else if (task instanceof TaskSpec.Sql sql) {
      rules.task(sql);
    } else if (task instanceof TaskSpec.Export export) {
      rules.sql("task.export.query", export.query(), rules.window());
      if (export.leftOut() != null) {
        rules.sql("task.export.left-out", export.leftOut(), rules.window());
      }
    }
    if (draft.output() != null) {
      rules.template("output.location", draft.output().location(), Set.of(), false);
    }
    if (draft.output() instanceof OutputSpec.File file) {
      rules.template("output.path", file.path(), WINDOW, false);
    }
  }

  private void input(String key, InputSpec input) {
    if (input instanceof InputSpec.Files files) {
      template(key + ".files", files.glob(), WINDOW, false);
      if (files.glob().equals("**") || files.glob().endsWith("/**")) {
        found.add(new Violation(key + ".files", "must name files after **, such as **/*"));
      }
    } else if (input instanceof InputSpec.Sql sql) {
      sql(key + ".sql", sql.sql(), Set.of("from", "to"));
    }
  }

  private void command(TaskSpec.Command command, boolean hasOutput) {
    for (int i = 0; i < command.command().size(); i++) {
      String key = "task.command[" + i + "]";
      String argument = command.command().get(i);
      template(key, argument, COMMAND, true);
      if (!hasOutput && placeholders(argument).stream().anyMatch(p -> p.name().equals("output"))) {
        found.add(new Violation(key, "uses {output}, and the pipeline has no output; add one"));
      }
    }
  }

  private void task(TaskSpec.Sql task) {
    Set<String> known = window();
    known.add("token");
    sql("task.sql", task.sql(), known);
    if (task.replace() != null) {
      sql("task.replace.where", task.replace().where(), known);
      ReplaceRules.check(task.replace(), dimensions, found);
    }
  }

  /** The parameters that say which partition it is. */
  private Set<String> window() {
    Set<String> known = new TreeSet<>(WINDOW);
    dimensions.names().forEach(dimension -> known.add("slice_" + dimension));
    return known;
  }

  /** Reports parameters that will have no value. */
  private void sql(String key, String sql, Set<String> known) {
    for (String name : new TreeSet<>(NamedSql.parse(sql).names())) {
      boolean open =
          !known.isEmpty()
              && (name.startsWith("param_") || (!dimensions.known() && name.startsWith("slice_")));
      if (!known.contains(name) && !open) {
        found.add(
            new Violation(
                key,
                "has the parameter :"
                    + name
                    + ", which has no value; "
                    + (known.isEmpty()
                        ? "it takes none"
                        : "there are :" + String.join(", :", new TreeSet<>(known)))
                    + Nearest.hint(name, known)));
      }
    }
  }

  /** Reports placeholders that will have no value. */
  private void template(String key, String text, Set<String> known, boolean params) {
    for (Placeholder placeholder : placeholders(text)) {
      String name = placeholder.name();
      if (params && name.startsWith("param.")) {
        continue;
      }
      if (name.startsWith(SLICE)) {
        slice(key, placeholder);
      } else if (!known.contains(name)) {
        Set<String> sorted = new TreeSet<>(known);
        String list = known.isEmpty() ? "" : "{" + String.join("}, {", sorted) + "}, ";
        found.add(
            new Violation(
                key,
                "has the placeholder "
                    + placeholder
                    + ", which is not known; there are "
                    + list
                    + "{slice.<dim>}"
                    + (params ? ", {param.<name>}; for braces of your own put a space inside" : "")
                    + Nearest.hint(name, sorted)));
      } else {
        pattern(key, placeholder);
      }
    }
  }

  private void slice(String key, Placeholder placeholder) {
    String dimension = placeholder.name().substring(SLICE.length());
    if (!dimensions.has(dimension)) {
      found.add(
          new Violation(
              key,
              placeholder
                  + " names no dimension; "
                  + dimensions.list()
                  + Nearest.hint(dimension, dimensions.names())));
    }
  }

  private void pattern(String key, Placeholder placeholder) {
    String pattern = placeholder.pattern();
    if (pattern == null) {
      return;
    }
    if (!placeholder.name().equals("start") && !placeholder.name().equals("end")) {
      found.add(
          new Violation(
              key, placeholder + " takes no pattern; {start:yyyy/MM/dd} and {end:...} do"));
      return;
    }
    try {
      String sample =
          DateTimeFormatter.ofPattern(pattern, Locale.ROOT)
              .format(Instant.EPOCH.atZone(ZoneOffset.UTC));
      if (sample.isBlank()) {
        found.add(new Violation(key, placeholder + " makes nothing; write it like yyyy/MM/dd"));
      }
    } catch (IllegalArgumentException | DateTimeException refused) {
      found.add(
          new Violation(
              key,
              placeholder
                  + " has a pattern that is not understood ("
                  + refused.getMessage()
                  + "); write it like yyyy/MM/dd"));
    }
  }

  private static List<Placeholder> placeholders(String text) {
    return Template.parse(text).parts().stream()
        .filter(Placeholder.class::isInstance)
        .map(Placeholder.class::cast)
        .toList();
  }
}
