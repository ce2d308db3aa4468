package dev.tidemark.activities.export.load;

import dev.tidemark.activities.export.Exporter;
import dev.tidemark.activities.export.Exporter.Exported;
import dev.tidemark.activities.export.Readers;
import dev.tidemark.activities.publish.PublishedOutput;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/** Exported partitions with their load scripts, as a store has them, and who loads them. */
final class Partitions {
  private static final Slice SLICE = Slice.of(Map.of("unit", "it's \\ \"odd\""));
  private static final Pattern COPY =
      Pattern.compile("\\\\copy (\\S+) from (program )?'((?:[^']|'')+)' (with \\(.*\\))");

  private Partitions() {}

  /** Exports into the partition's folder; returns it. */
  static Path publish(DataSource shop, TaskSpec.Export export, Path location, long token)
      throws Exception {
    Path folder = location.resolve(token + "/sales/" + SLICE.canonical() + "/dt=2026-09-05");
    Files.createDirectories(folder);
    Exported exported = new Exporter(shop, export).run(Map.of(), folder, ending -> {});
    List<PublishedOutput.File> files = new ArrayList<>();
    for (Map.Entry<String, Long> part : exported.parts().entrySet()) {
      String name = part.getKey().replace(".", "-" + token + ".");
      Path file = Files.move(folder.resolve(part.getKey()), folder.resolve(name));
      files.add(new PublishedOutput.File(file.toString(), part.getValue(), Files.size(file), null));
    }
    PublishedOutput output =
        new PublishedOutput(
            "sales", "2026-09-05", SLICE.values(), token, exported.rows(), 0, null, files);
    Map<String, String> scripts =
        LoadScripts.of(
            export.dataset(), Objects.requireNonNull(export.load()), folder.toString(), output);
    for (Map.Entry<String, String> script : scripts.entrySet()) {
      Files.writeString(folder.resolve(script.getKey()), script.getValue());
    }
    return folder;
  }

  /** As {@code duckdb -bail < _load_duckdb.sql} in the folder: the driver stops at an error too. */
  static void runDuckDb(Connection duck, Path folder) throws SQLException, IOException {
    try (Statement statement = duck.createStatement()) {
      statement.execute("set file_search_path = '" + folder.toString().replace("'", "''") + "'");
    }
    try (Statement statement = duck.createStatement()) {
      statement.execute(Files.readString(folder.resolve("_load_duckdb.sql")));
    }
  }

  /** As {@code psql -f _load_postgres.sql} in the folder. */
  static void runPostgres(Connection warehouse, Path folder) throws Exception {
    StringBuilder sql = new StringBuilder();
    for (String line : Files.readAllLines(folder.resolve("_load_postgres.sql"))) {
      Matcher copy = COPY.matcher(line);
      if (copy.matches()) {
        execute(warehouse, sql);
        String statement = "copy " + copy.group(1) + " from stdin " + copy.group(4);
        String from = copy.group(3).replace("''", "'");
        try (InputStream file =
            copy.group(2) == null
                ? Files.newInputStream(folder.resolve(from))
                : new ByteArrayInputStream(Readers.shell(from, folder))) {
          warehouse.unwrap(PGConnection.class).getCopyAPI().copyIn(statement, file);
        }
      } else if (!line.startsWith("\\set")) {
        sql.append(line).append('\n');
      }
    }
    execute(warehouse, sql);
  }

  private static void execute(Connection warehouse, StringBuilder sql) throws SQLException {
    try (Statement statement = warehouse.createStatement()) {
      statement.execute(sql.toString());
    }
    sql.setLength(0);
  }
}
