package dev.tidemark.worker.configuration;

import dev.tidemark.worker.definition.Nearest;
import dev.tidemark.worker.yaml.Section;
import dev.tidemark.worker.yaml.Type;
import dev.tidemark.worker.yaml.Value;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.Dataset;
import dev.tidemark.workflows.export.Dataset.Format;
import dev.tidemark.workflows.export.Dataset.Meaning;
import dev.tidemark.workflows.export.Load;
import dev.tidemark.workflows.export.PartSize;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code task.export} (contracts, section 5). */
final class ExportSection {
  private static final List<String> KEYS =
      List.of(
          "connection",
          "query",
          "left-out",
          "format",
          "columns",
          "part-rows",
          "part-bytes",
          "meaning",
          "load",
          "table");

  static final Type<String> COLUMN =
      new Type<>(Column.NAME_RULE, text -> Column.isName(text) ? text : null);

  private static final Type<String> TABLE =
      new Type<>(Load.TABLE_RULE, text -> Load.isTable(text) ? text : null);

  static final Type<ColumnType> COLUMN_TYPE =
      new Type<>(
          "one of " + String.join(", ", ColumnType.names()),
          text -> {
            try {
              return ColumnType.parse(text);
            } catch (IllegalArgumentException refused) {
              throw new IllegalArgumentException(
                  refused.getMessage() + Nearest.hint(text, ColumnType.names()), refused);
            }
          });

  private static final Type<Long> PART_BYTES =
      new Type<>(
          Types.SIZE.expected(),
          text -> {
            Long bytes = Types.SIZE.parser().apply(text);
            if (bytes != null && (bytes < PartSize.MIN_BYTES || bytes > PartSize.MAX_BYTES)) {
              throw new IllegalArgumentException("must be from 1KB to 5GB");
            }
            return bytes;
          });

  private final Section section;

  private ExportSection(Section section) {
    this.section = section;
  }

  /** The task, or null where it cannot be read, which is then reported. */
  static @Nullable TaskSpec read(
      Section section, ConnectionsSection connections, Duration timeout) {
    section.only(KEYS, Later.KEYS);
    ExportSection export = new ExportSection(section);
    String connection = connections.anyDatabase(section);
    String query = section.require("query", Type.TEXT);
    Format format = section.require("format", Types.choice(Format.class));
    List<Column> columns = export.columns();
    PartSize parts = export.parts();
    Meaning meaning = section.get("meaning", Types.choice(Meaning.class));
    Load load = export.load();
    return connection == null || query == null || format == null || columns.isEmpty()
        ? null
        : new TaskSpec.Export(
            connection,
            query,
            new Dataset(format, columns, meaning),
            parts,
            load,
            section.get("left-out", Type.TEXT),
            timeout);
  }

  /** The columns that could be read, of which no two have one name. */
  private List<Column> columns() {
    if (!section.has("columns")) {
      section.problem(
          "columns", "is missing; it must be the pinned schema: [{name: id, type: bigint}]");
      return List.of();
    }
    List<Column> columns = new ArrayList<>();
    Map<String, Integer> seen = new HashMap<>();
    List<Value> elements = section.list("columns");
    for (int i = 0; i < elements.size(); i++) {
      Section element = elements.get(i).section();
      element.only(List.of("name", "type"), Later.KEYS);
      String name = element.require("name", COLUMN);
      ColumnType type = element.require("type", COLUMN_TYPE);
      Integer first = name == null ? null : seen.putIfAbsent(name.toLowerCase(Locale.ROOT), i);
      if (first != null) {
        element.problem(
            "name",
            "'"
                + name
                + "' is the name of columns["
                + first
                + "] too; warehouses do not tell names by their case");
      } else if (name != null && type != null) {
        columns.add(new Column(name, type));
      }
    }
    if (elements.isEmpty()) {
      section.problem("columns", "must name at least one column: [{name: id, type: bigint}]");
    }
    return columns;
  }

  private PartSize parts() {
    Integer rows = section.get("part-rows", Types.number(1, PartSize.MAX_ROWS));
    Long bytes = section.get("part-bytes", PART_BYTES);
    if (section.has("part-rows") && section.has("part-bytes")) {
      section.problem("part-bytes", "and part-rows exclude each other; keep one");
    }
    if (bytes != null) {
      return new PartSize.Bytes(bytes);
    }
    return rows == null ? PartSize.DEFAULT : new PartSize.Rows(rows);
  }

  private @Nullable Load load() {
    Value value = section.value("load");
    List<Load.Engine> engines =
        value == null ? List.of() : value.list(Types.choice(Load.Engine.class));
    String table = section.get("table", TABLE);
    if (section.has("load") && !section.has("table")) {
      section.problem("load", "needs the table to load into; add table: analytics.events");
    }
    if (section.has("table") && !section.has("load")) {
      section.problem(
          "table", "belongs to load, which is missing; add load: [duckdb], or remove it");
    }
    return engines.isEmpty() || table == null ? null : new Load(engines, table);
  }
}
