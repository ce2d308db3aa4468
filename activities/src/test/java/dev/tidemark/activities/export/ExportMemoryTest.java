package dev.tidemark.activities.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.task.TaskTrial;
import dev.tidemark.activities.task.Tasks;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.Dataset;
import dev.tidemark.workflows.export.Dataset.Format;
import dev.tidemark.workflows.export.PartSize;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
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

  /** The main class of the JVM: exports in the formats given, all at once. */
  static final class Exports {
    private Exports() {}

    public static void main(String[] args) throws Exception {
      PGSimpleDataSource server = new PGSimpleDataSource();
      server.setUrl(args[0]);
      server.setUser("postgres");
      DataSource database = args[3].equals("copy") ? server : WithoutCopy.of(server);
      ExecutorService threads = Executors.newCachedThreadPool();
      List<Future<?>> files = new ArrayList<>();
      for (String format : args[4].split(" ", -1)) {
        Path to = Path.of(args[2], files.size() + format);
        files.add(threads.submit(() -> run(database, args[1], Format.valueOf(format), to)));
      }
      threads.shutdown();
      for (Future<?> file : files) {
        file.get();
      }
    }

    private static boolean run(DataSource database, String query, Format format, Path to)
        throws Exception {
      TaskSpec.Export export =
          new TaskSpec.Export(
              "shop",
              query,
              new Dataset(format, COLUMNS, null),
              PartSize.DEFAULT,
              null,
              Duration.ofMinutes(1));
      Instant start = Instant.parse("2026-09-05T00:00:00Z");
      TaskTrial.Result result =
          new TaskTrial(new Tasks(to, new Connections(Map.of("shop", database)), Map.of()))
              .run(
                  TestPipeline.daily("sales").task(export).build(),
                  new Window("2026-09-05", start, start.plus(Duration.ofDays(1))),
                  Slice.EMPTY,
                  Map.of(),
                  Files.createDirectory(to));
      if (result.failure() != null) {
        throw new IllegalStateException(result.error() + "\n" + result.log());
      }
      System.out.println(format + " " + result.rows());
      return true;
    }
  }

  /** The many are 40 MB, the large ones 80 MB; two Parquet files at once would not fit either. */
  @ParameterizedTest
  @CsvSource({
    "200000, 200, copy, CSV NDJSON PARQUET PARQUET, 48",
    "10, 8000000, copy, CSV PARQUET, 100",
    "10, 8000000, cursor, CSV, 76"
  })
  void rowsDoNotFitIntoTheHeapAndNeedNot(
      int rows, int bytes, String way, String formats, int heapMegabytes) throws Exception {
    String query =
        "select g::bigint as id, repeat(md5(g::text), %d) as word from generate_series(1, %d) g"
            .formatted(bytes / 32, rows);
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
                  way,
                  formats)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();

      assertThat(process.waitFor()).withFailMessage(() -> read(log)).isZero();
      for (String format : formats.split(" ", -1)) {
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
