package dev.tidemark.worker.benchmark;

import dev.tidemark.activities.ledger.attempt.Attempts.Committed;
import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.activities.publish.Contents;
import dev.tidemark.activities.publish.Publication;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.sql.DataSource;

/**
 * Publishing and settling of attempts that have begun, on a local folder, beside a bare program
 * that writes the same; a hundred of one and a hundred of the other in turn.
 */
final class PublishCost {
  private static final int BATCH = 100;
  private static final int MEGABYTE = 1 << 20;

  private final BegunAttempts attempts;
  private final Path folder;
  private final BarePublish bare;

  private PublishCost(DataSource ledger, Path folder) throws Exception {
    this.attempts = new BegunAttempts(ledger, folder, "published");
    this.folder = folder;
    this.bare = new BarePublish(ledger, folder.resolve("bare"));
  }

  static void run(DataSource ledger, Path folder, int small) throws Exception {
    PublishCost cost = new PublishCost(ledger, folder);
    cost.compare("publish 4 files of 1 MB", 4, MEGABYTE, 2 * BATCH, 1.3);
    cost.compare("publish 1 file of 1 KB", 1, 1024, small, 1.4);
  }

  private void compare(String name, int files, int bytes, int times, double target)
      throws Exception {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    String marker = manifest(files, content);
    List<Double> product = new ArrayList<>();
    List<Double> ofBare = new ArrayList<>();
    for (int done = -BATCH; done < times; done += BATCH) {
      List<Begun> begun = attempts.begin(BATCH);
      long began = System.nanoTime();
      for (Begun attempt : begun) {
        publish(attempt, files, content);
      }
      long between = System.nanoTime();
      for (int i = 0; i < BATCH; i++) {
        bare.publish(files, content, marker);
      }
      long ended = System.nanoTime();
      if (done >= 0) {
        product.add((between - began) / 1e6 / BATCH);
        ofBare.add((ended - between) / 1e6 / BATCH);
      }
    }
    double medianOfProduct = Figures.median(product);
    double medianOfBare = Figures.median(ofBare);
    Figures.figure(
        name + ", " + times + " times",
        "%.2f ms, bare program %.2f ms, ratio %.2f (at most %.1f)",
        medianOfProduct,
        medianOfBare,
        medianOfProduct / medianOfBare,
        target);
  }

  private void publish(Begun begun, int files, byte[] content) throws Exception {
    try (Publication publication = attempts.open(begun)) {
      for (int i = 0; i < files; i++) {
        Files.write(publication.folder().resolve("f" + i), content);
      }
      Committed committed = publication.publish(null, Contents.of(null));
      attempts.commit(begun, committed);
    }
  }

  /** A manifest of the product, for the bare program to write one as large. */
  private String manifest(int files, byte[] content) throws Exception {
    Begun begun = attempts.begin(1).get(0);
    publish(begun, files, content);
    String label = begun.window().label();
    return Files.readString(
        folder
            .resolve("product/published")
            .resolve("dt=" + label.substring(0, 10))
            .resolve("hour=" + label.substring(11))
            .resolve("_manifest.json"));
  }
}
