package dev.tidemark.activities.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.Dataset;
import dev.tidemark.workflows.export.Dataset.Format;
import dev.tidemark.workflows.export.PartSize;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Issue 6: memory does not grow with rows, and holds one row however large. In a JVM of its own.
 */
class ExportMemoryTest {
  private static final List<Column> COLUMNS =
      List.of(
          new Column("id", ColumnType.parse("bigint")),
          new Column("word", ColumnType.parse("string")));

  @TempDir Path folder;

  /** The main class of the JVM: exports in the formats given. */
  static final class Exports {
    private Exports() {}

    public static void main(String[] args) throws Exception {
      PGSimpleDataSource database = new PGSimpleDataSource();
      database.setUrl(args[0]);
      database.setUser("postgres");
      for (String name : args[3].split("_", -1)) {
        Format format = Format.valueOf(name);
        TaskSpec.Export export =
            new TaskSpec.Export(
                "shop",
                args[1],
                new Dataset(format, COLUMNS, null),
                PartSize.DEFAULT,
                null,
                Duration.ofMinutes(1));
        Path to = Files.createDirectory(Path.of(args[2], format.name()));
        System.out.println(
            format + " " + new Exporter(database, export).run(Map.of(), to, ending -> {}).rows());
      }
    }
  }

  /** The many are 50 MB, the large ones 96 MB. */
  @ParameterizedTest
  @CsvSource({"250000, 200, 40, CSV_NDJSON_PARQUET", "12, 8000000, 96, CSV_NDJSON_PARQUET"})
  void rowsDoNotFitIntoTheHeapAndNeedNot(int rows, int bytes, int heapMegabytes, String formats)
      throws Exception {
    String query =
        "select g::bigint as id, lpad(md5(g::text), %d, md5(g::text)) as word from generate_series(1, %d) g"
            .formatted(bytes, rows);
    try (LedgerTestDatabase shop = LedgerTestDatabase.create()) {
      Path log = folder.resolve("log");
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx" + heapMegabytes + "m",
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Exports.class.getName(),
                  shop.jdbcUrl(),
                  query,
                  folder.toString(),
                  formats)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();

      assertThat(process.waitFor()).withFailMessage(() -> read(log)).isZero();
      for (String format : formats.split("_", -1)) {
        assertThat(read(log)).contains(format + " " + rows);
      }
    }
  }

  private static String read(Path log) {
    try {
      return Files.readString(log, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
