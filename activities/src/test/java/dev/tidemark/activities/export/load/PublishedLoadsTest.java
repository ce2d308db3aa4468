package dev.tidemark.activities.export.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.connection.Bucket;
import dev.tidemark.activities.export.Nasty;
import dev.tidemark.testing.S3Server;
import dev.tidemark.workflows.export.Dataset.Format;
import dev.tidemark.workflows.export.Load;
import dev.tidemark.workflows.export.Load.Engine;
import dev.tidemark.workflows.export.PartSize;
import dev.tidemark.workflows.ledger.PartitionOutcome.Kind;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Days that attempts published into a folder and into a bucket, loaded by the scripts beside them.
 * What is in the bucket is downloaded first: DuckDB's reader of S3 is an extension that it fetches,
 * and tests fetch nothing.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PublishedLoadsTest {
  private static final Load LOAD =
      new Load(List.of(Engine.DUCKDB, Engine.POSTGRES), "analytics.events");

  /** Three times six rows are five files of at most four; two times are three. */
  private static final String TABLES =
      Nasty.TABLE + "create table copies as select generate_series(1, 3) as copy;";

  @TempDir Path folder;

  private enum Place {
    FOLDER,
    BUCKET;

    @Nullable Bucket open() {
      return this == FOLDER ? null : S3Server.start().bucket("loads-" + UUID.randomUUID());
    }
  }

  private static Stream<Arguments> everywhere() {
    return Stream.of(Place.values())
        .flatMap(place -> Stream.of(Format.values()).map(format -> Arguments.of(place, format)));
  }

  private static TaskSpec.Export export(String query, Format format) {
    return Nasty.export(query, Nasty.COLUMNS, format, LOAD);
  }

  /** Loads the day twice with each engine; the rows that the manifest says must be there. */
  private static void load(Connection duck, Connection postgres, Path day) throws Exception {
    long rows = PublishedDay.rows(day);
    for (int time = 1; time <= 2; time++) {
      Partitions.runDuckDb(duck, day);
      Partitions.runPostgres(postgres, day);
      assertThat(count(duck)).as("DuckDB, load %s", time).isEqualTo(rows);
      assertThat(count(postgres)).as("PostgreSQL, load %s", time).isEqualTo(rows);
    }
  }

  private static long count(Connection warehouse) throws SQLException {
    try (PreparedStatement count =
        warehouse.prepareStatement(
            "select count(*) from analytics.events"
                + " where unit = ? and dt = date '2026-01-01' and id is not null")) {
      count.setString(1, PublishedDay.UNIT);
      return number(count);
    }
  }

  private static long number(PreparedStatement query) throws SQLException {
    try (ResultSet rows = query.executeQuery()) {
      rows.next();
      return rows.getLong(1);
    }
  }

  // B6, B18, B19, B38, c-J7: five files, then three, then none, in a folder and in a bucket
  @ParameterizedTest
  @MethodSource("everywhere")
  void eachLoadReplacesTheDayHoweverManyFilesItHas(Place place, Format format) throws Exception {
    String query =
        "select n.* from nasty n, copies where :start < :end and :slice_unit <> '' order by n.id";
    try (PublishedDay day = new PublishedDay(folder, place.open(), TABLES, export(query, format));
        Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Connection postgres = day.ledger.database.dataSource().getConnection()) {
      for (int copies : List.of(3, 2, 0)) {
        day.ledger.database.execute("delete from copies where copy > " + copies);
        assertThat(day.export().kind()).isEqualTo(Kind.COMMITTED);

        Path exports = day.exports();
        assertThat(PublishedDay.parts(PublishedDay.day(exports))).hasSize((6 * copies + 3) / 4);
        load(duck, postgres, PublishedDay.day(exports));
        assertThat(count(duck)).isEqualTo(6L * copies);
        assertThat(wildcard(duck, exports, format, copies)).isEqualTo(6L * copies);
      }
    }
  }

  /** B20, B21, B22: what a reader sees that knows of nothing but names. */
  private static long wildcard(Connection duck, Path exports, Format format, int copies)
      throws SQLException {
    if (copies == 0) {
      return 0;
    }
    String reader =
        switch (format) {
          case PARQUET -> "read_parquet(?, hive_partitioning = true)";
          case CSV -> "read_csv(?, hive_partitioning = true, all_varchar = true)";
          case NDJSON -> "read_json(?, hive_partitioning = true, format = 'newline_delimited')";
        };
    try (PreparedStatement count =
        duck.prepareStatement(
            "select count(*) from "
                + reader
                + " where unit = ? and dt = date '2026-01-01' and id is not null")) {
      count.setString(1, exports + "/sales/unit=*/dt=*/part-*");
      count.setString(2, PublishedDay.UNIT);
      return number(count);
    }
  }

  // B18, c-J6
  @Test
  void aDayOfFifteenHundredFilesIsOneLoad() throws Exception {
    TaskSpec.Export one =
        export(
            "select n.* from nasty n, generate_series(1, 250) where :start < :end"
                + " and :slice_unit <> ''",
            Format.NDJSON);
    TaskSpec.Export many =
        new TaskSpec.Export(
            "ledger", one.query(), one.dataset(), new PartSize.Rows(1), LOAD, one.timeout());
    try (PublishedDay day = new PublishedDay(folder, null, TABLES, many);
        Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Connection postgres = day.ledger.database.dataSource().getConnection()) {
      assertThat(day.export().kind()).isEqualTo(Kind.COMMITTED);

      Path published = PublishedDay.day(day.exports());
      assertThat(PublishedDay.parts(published)).hasSize(1_500);
      load(duck, postgres, published);
    }
  }
}
