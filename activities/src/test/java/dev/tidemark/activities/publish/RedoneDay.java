package dev.tidemark.activities.publish;

import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.ledger.attempt.Attempts.Committed;
import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.pipeline.OutputSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** One day that is claimed, and published by one attempt after another. */
final class RedoneDay {
  final TestLedger ledger;
  private final Claim claim;
  private int attempts;

  RedoneDay(Path folder) throws Exception {
    ledger = new TestLedger(folder);
    claim =
        ledger.claim(
            ledger.register(TestPipeline.daily("sales").output(new OutputSpec.Hive("out"))));
  }

  /** Another attempt; that so many vanish before it would park the partition. */
  Begun begin() {
    ledger.database.execute("update tidemark.partition_ledger set lost = 0");
    return (Begun) ledger.attempts.begin(claim, ++attempts, "test");
  }

  static void write(Publication publication, String... contents) throws IOException {
    for (int i = 0; i < contents.length; i++) {
      Files.writeString(
          publication.folder().resolve("f" + i + ".csv"), String.valueOf(contents[i]));
    }
  }

  Committed publish(Begun begun, OutputSpec output, String... contents) throws Exception {
    try (Publication publication = ledger.publisher.open(begun, output)) {
      write(publication, contents);
      return publication.publish("v1", Contents.of(7L));
    }
  }
}
