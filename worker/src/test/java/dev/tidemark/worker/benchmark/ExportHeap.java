package dev.tidemark.worker.benchmark;

import dev.tidemark.activities.export.Exporter;
import dev.tidemark.worker.benchmark.BenchmarkOptions.Exports;
import dev.tidemark.workflows.export.Dataset.Format;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;

/** How much of the heap an export of many rows uses, and whether that grows with the rows. */
final class ExportHeap {
  private static final long LOOK_EVERY_MILLIS = 100;
  private static final int QUARTERS = 4;

  private ExportHeap() {}

  static void run(DataSource database, Path folder, Exports exports) throws Exception {
    for (Format format : exports.formats()) {
      Path files = Files.createDirectory(folder.resolve("heap-" + format));
      List<Long> kept = new ArrayList<>();
      try (PeakHeap peak = PeakHeap.watch()) {
        long began = System.nanoTime();
        CompletableFuture<Void> export = start(database, format, exports.heapRows(), files);
        while (!isDone(export)) {
          kept.add(keptByCollection());
        }
        Figures.figure(
            "export %,d rows to %s".formatted(exports.heapRows(), name(format)),
            "%.0f s; heap at most %d MB; kept by a collection at most, by quarters of it: %s MB",
            (System.nanoTime() - began) / 1e9,
            peak.megabytes(),
            quarters(kept));
      }
      Folders.remove(files);
    }
  }

  private static String name(Format format) {
    return format.name().toLowerCase(Locale.ROOT);
  }

  private static CompletableFuture<Void> start(
      DataSource database, Format format, int rows, Path files) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            new Exporter(database, ExportRows.generated(format, rows))
                .run(Map.of(), files, ending -> {});
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static boolean isDone(CompletableFuture<Void> export) throws Exception {
    try {
      export.get(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  private static long keptByCollection() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .map(MemoryPoolMXBean::getCollectionUsage)
            .mapToLong(usage -> usage == null ? 0 : usage.getUsed())
            .sum()
        >> 20;
  }

  private static List<Long> quarters(List<Long> kept) {
    List<Long> most = new ArrayList<>();
    for (int i = 0; i < QUARTERS; i++) {
      most.add(
          kept.subList(i * kept.size() / QUARTERS, (i + 1) * kept.size() / QUARTERS).stream()
              .mapToLong(Long::longValue)
              .max()
              .orElse(0));
    }
    return most;
  }
}
