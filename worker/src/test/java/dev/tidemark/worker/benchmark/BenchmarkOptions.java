package dev.tidemark.worker.benchmark;

import dev.tidemark.workflows.export.Dataset.Format;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What to measure, and how long.
 *
 * @param parts path, chain, wake, planning, publish, claim, outputs, export, heap, page, objects,
 *     queries
 * @param partitions in one run of the whole path
 * @param windows how many at once
 * @param rounds of product and baseline in turn
 * @param rows sizes of the ledger, ascending
 * @param samples claims of each kind at each size, checks of outputs, and answers of the page
 * @param publications of a small file
 * @param outputs how many are reconciled
 * @param exports what is exported
 * @param objects how many
 */
record BenchmarkOptions(
    Set<String> parts,
    int partitions,
    List<Integer> windows,
    int rounds,
    List<Integer> rows,
    int samples,
    int publications,
    int outputs,
    Exports exports,
    Objects objects) {
  private static final List<String> PARTS =
      List.of(
          "path",
          "chain",
          "wake",
          "planning",
          "publish",
          "claim",
          "outputs",
          "export",
          "heap",
          "page",
          "objects",
          "queries");
  static final String USAGE =
      """
      usage: deploy/benchmark [path] [chain] [wake] [planning] [publish] [claim] [outputs]
                              [export] [heap] [page] [objects] [queries]
                              [--partitions 2000] [--windows 100,150,200] [--rounds 5]
                              [--rows 10000,1000000,10000000] [--samples 60]
                              [--publications 10000] [--outputs 100000]
                              [--export-rows 1000000] [--heap-rows 20000000]
                              [--formats csv,ndjson,parquet] [--objects 1000000]
                              [--queried 300000]\
      """;

  /**
   * Exports.
   *
   * @param rows of those that are timed
   * @param heapRows of those of which the heap is looked at
   */
  record Exports(int rows, int heapRows, List<Format> formats) {
    Exports {
      formats = List.copyOf(formats);
    }
  }

  /**
   * Objects.
   *
   * @param indexed of those that are indexed anew
   * @param queried of those that are asked for while they are replaced
   */
  record Objects(int indexed, int queried) {}

  BenchmarkOptions {
    parts = Set.copyOf(parts);
    windows = List.copyOf(windows);
    rows = List.copyOf(rows);
  }

  static BenchmarkOptions parse(String... args) {
    Set<String> parts = new TreeSet<>();
    int partitions = 2000;
    int rounds = 5;
    int samples = 60;
    int publications = 10_000;
    int outputs = 100_000;
    int exportRows = 1_000_000;
    int heapRows = 20_000_000;
    int objects = 1_000_000;
    int queried = 300_000;
    List<Format> formats = List.of(Format.values());
    List<Integer> windows = List.of(100, 150, 200);
    List<Integer> rows = List.of(10_000, 1_000_000, 10_000_000);
    List<String> left = new ArrayList<>(List.of(args));
    while (!left.isEmpty()) {
      String word = left.remove(0);
      if (PARTS.contains(word)) {
        parts.add(word);
        continue;
      }
      if (left.isEmpty()) {
        throw new IllegalArgumentException("not understood: " + word + "\n" + USAGE);
      }
      String value = left.remove(0);
      switch (word) {
        case "--partitions" -> partitions = Integer.parseInt(value);
        case "--rounds" -> rounds = Integer.parseInt(value);
        case "--outputs" -> outputs = Integer.parseInt(value);
        case "--samples" -> samples = Integer.parseInt(value);
        case "--publications" -> publications = Integer.parseInt(value);
        case "--export-rows" -> exportRows = Integer.parseInt(value);
        case "--heap-rows" -> heapRows = Integer.parseInt(value);
        case "--objects" -> objects = Integer.parseInt(value);
        case "--queried" -> queried = Integer.parseInt(value);
        case "--formats" -> formats = formats(value);
        case "--windows" -> windows = numbers(value);
        case "--rows" -> rows = numbers(value);
        default -> throw new IllegalArgumentException("not understood: " + word + "\n" + USAGE);
      }
    }
    return new BenchmarkOptions(
        parts.isEmpty() ? Set.copyOf(PARTS) : parts,
        partitions,
        windows,
        rounds,
        rows,
        samples,
        publications,
        outputs,
        new Exports(exportRows, heapRows, formats),
        new Objects(objects, queried));
  }

  private static List<Format> formats(String list) {
    return Stream.of(list.split(",", -1))
        .map(format -> Format.valueOf(format.toUpperCase(Locale.ROOT)))
        .toList();
  }

  private static List<Integer> numbers(String list) {
    return Stream.of(list.split(",", -1)).map(Integer::valueOf).sorted().toList();
  }

  boolean has(String part) {
    return parts.contains(part);
  }
}
