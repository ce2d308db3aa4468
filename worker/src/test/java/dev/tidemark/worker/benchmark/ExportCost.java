package dev.tidemark.worker.benchmark;

import dev.tidemark.activities.export.Exporter;
import dev.tidemark.activities.export.Exporter.Exported;
import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.activities.publish.Contents;
import dev.tidemark.activities.publish.Publication;
import dev.tidemark.worker.benchmark.BenchmarkOptions.Exports;
import dev.tidemark.workflows.export.Dataset.Format;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import javax.sql.DataSource;

/**
 * Exports of a table into a local store, published and settled, in turn with the tool that people
 * would take else: {@code \copy} of psql, or PyArrow with ADBC.
 */
final class ExportCost {
  /** The compilers of the JVM are done after so many. */
  private static final int WARM_UP = 3;

  private final DataSource database;
  private final BegunAttempts attempts;
  private final Path folder;

  private ExportCost(DataSource database, Path folder) throws SQLException {
    this.database = database;
    this.attempts = new BegunAttempts(database, folder, "exported");
    this.folder = folder;
  }

  /**
   * What one took.
   *
   * @param seconds until the data was in its place
   * @param written until the file was whole
   * @param cpu seconds of the tool, without the database's
   */
  record Took(double seconds, double written, double cpu) {}

  /** What is done instead. */
  interface Baseline extends AutoCloseable {
    String name();

    Took export(Path file) throws Exception;

    @Override
    void close() throws IOException;
  }

  static void run(DataSource database, Path folder, Exports exports, int rounds) throws Exception {
    ExportRows.make(database, exports.rows());
    ExportCost cost = new ExportCost(database, folder);
    for (Format format : exports.formats()) {
      try (Baseline baseline = baseline(database, format)) {
        cost.compare(format, baseline, rounds);
      }
    }
  }

  private static Baseline baseline(DataSource database, Format format) throws Exception {
    return switch (format) {
      case CSV -> copy(database, ExportRows.QUERY, "csv, header");
      case NDJSON ->
          copy(database, "select row_to_json(t) from (" + ExportRows.QUERY + ") t", "text");
      case PARQUET -> new PyArrowExport(database, ExportRows.QUERY);
    };
  }

  private static Baseline copy(DataSource database, String query, String format)
      throws SQLException {
    return PsqlCopy.isInstalled()
        ? new PsqlCopy(database, query, format)
        : new DriverCopy(database, query, format);
  }

  private void compare(Format format, Baseline baseline, int rounds) throws Exception {
    List<Took> product = new ArrayList<>();
    List<Took> other = new ArrayList<>();
    Path file = folder.resolve("baseline");
    for (int round = -WARM_UP; round < rounds; round++) {
      Took ofProduct = export(format);
      Took ofOther = baseline.export(file);
      long bytes = Files.size(file);
      Files.delete(file);
      Figures.note(
          "%s: %s, %s: %s (%d bytes)"
              .formatted(format, ofProduct, baseline.name(), ofOther, bytes));
      if (round >= 0) {
        product.add(ofProduct);
        other.add(ofOther);
      }
    }
    print(format, baseline.name(), product, other);
  }

  private Took export(Format format) throws Exception {
    Begun begun = attempts.begin(1).get(0);
    CpuTime before = CpuTime.now(database);
    long began = System.nanoTime();
    try (Publication publication = attempts.open(begun)) {
      Exported exported =
          new Exporter(database, ExportRows.export(format))
              .run(Map.of(), publication.folder(), ending -> {});
      double written = seconds(began);
      attempts.commit(begun, publication.publish(null, Contents.of(exported.rows())));
      double published = seconds(began);
      return new Took(published, written, CpuTime.now(database).minus(before).worker() / 1000.0);
    }
  }

  private static double seconds(long began) {
    return (System.nanoTime() - began) / 1e9;
  }

  private static void print(Format format, String baseline, List<Took> product, List<Took> other) {
    String name = "export " + format.name().toLowerCase(Locale.ROOT) + " : " + baseline;
    Figures.figure(
        name + ", time",
        "%.2f (%.2f and %.2f s); until written %.2f (%.2f s); at most %s",
        ratio(product, other, Took::seconds, Took::seconds),
        median(product, Took::seconds),
        median(other, Took::seconds),
        ratio(product, other, Took::written, Took::seconds),
        median(product, Took::written),
        switch (format) {
          case CSV -> "1.2";
          case NDJSON -> "1.0";
          case PARQUET -> "1.5";
        });
    Figures.figure(
        name + ", CPU",
        "%.2f (%.2f and %.2f s)%s",
        ratio(product, other, Took::cpu, Took::cpu),
        median(product, Took::cpu),
        median(other, Took::cpu),
        format == Format.PARQUET ? "; at most 1.3" : "");
  }

  private static double median(List<Took> runs, ToDoubleFunction<Took> what) {
    return Figures.median(runs.stream().map(what::applyAsDouble).toList());
  }

  /** The median of the ratios of runs that were beside each other. */
  private static double ratio(
      List<Took> product,
      List<Took> other,
      ToDoubleFunction<Took> ofProduct,
      ToDoubleFunction<Took> ofOther) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < product.size(); i++) {
      ratios.add(ofProduct.applyAsDouble(product.get(i)) / ofOther.applyAsDouble(other.get(i)));
    }
    return Figures.median(ratios);
  }
}
