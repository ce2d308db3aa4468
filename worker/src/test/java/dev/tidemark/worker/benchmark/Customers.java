package dev.tidemark.worker.benchmark;

import dev.tidemark.activities.index.object.SourceRow;
import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.index.source.RowReader;
import dev.tidemark.activities.index.source.Transaction;
import dev.tidemark.activities.index.stage.Build;
import dev.tidemark.activities.index.stage.ChangelogStage;
import dev.tidemark.activities.index.stage.IndexStage;
import dev.tidemark.activities.index.stage.MergeStage;
import dev.tidemark.activities.index.stage.StageManifest;
import dev.tidemark.activities.index.stage.Workplace;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.EditRules;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import dev.tidemark.workflows.index.Rhythm;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

/** Objects of eight properties, whose rows are made up as they are read. */
final class Customers {
  static final int STREETS = 5_000;
  static final int CITIES = 1_000;
  static final int AGES = 90;

  private static final Instant BEGIN = Instant.parse("2026-09-05T00:00:00Z");

  static final ObjectType TYPE = type();

  private Customers() {}

  private static ObjectType type() {
    List<Property> properties =
        List.of(
            property("id", ColumnType.of(ColumnType.Kind.BIGINT)),
            new Property("name", ColumnType.of(ColumnType.Kind.STRING), true),
            property("city", ColumnType.of(ColumnType.Kind.STRING)),
            property("age", ColumnType.of(ColumnType.Kind.INT)),
            property("amount", ColumnType.decimal(12, 2)),
            property("score", ColumnType.of(ColumnType.Kind.DOUBLE)),
            property("active", ColumnType.of(ColumnType.Kind.BOOLEAN)),
            property("updated_at", ColumnType.of(ColumnType.Kind.TIMESTAMP)));
    return new ObjectType(
        "customer",
        List.of("id"),
        properties,
        List.of(
            new Datasource(
                "rows",
                new Datasource.FromFiles("rows"),
                new Datasource.Append(),
                properties.stream().map(Property::name).toList())),
        EditRules.DEFAULT,
        Rhythm.DEFAULT,
        "objects");
  }

  private static Property property(String name, ColumnType type) {
    return new Property(name, type, false);
  }

  /** A customer, whose name says the version. */
  static SourceRow row(long id, long transaction, int version) {
    long mixed = mixed(id);
    return new SourceRow(
        transaction,
        null,
        List.of(
            id,
            "Customer number " + id + " of street " + mixed % STREETS + " " + version,
            "city-" + mixed % CITIES,
            mixed % AGES,
            BigDecimal.valueOf(mixed % 1_000_000, 2),
            mixed % 10_000 / 7.0,
            mixed % 3 == 0,
            BEGIN.plusSeconds(mixed % 100_000)));
  }

  /** A number that looks like chance, and is the same each time; never negative. */
  static long mixed(long number) {
    return (number * 0x9E3779B97F4A7C15L) >>> 8;
  }

  /** Reads so many rows of customers that are a step apart. */
  static RowReader reader(int rows, long step, int version) {
    return (transaction, sink) -> {
      for (long i = 0; i < rows; i++) {
        sink.row(Long.toString(i * step), row(i * step, transaction.number(), version));
      }
      return transaction.version();
    };
  }

  /** Changelog, merge and index of one transaction, with no edits. */
  static IndexManifest index(
      Build build, Workplace place, Transaction transaction, RowReader reader) throws IOException {
    List<StageManifest> changelogs =
        List.of(ChangelogStage.run(build, place, 0, List.of(transaction), reader));
    StageManifest merged = MergeStage.run(build, place, changelogs, (after, through, sink) -> {});
    return IndexStage.run(build, place, merged, changelogs);
  }
}
