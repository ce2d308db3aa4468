package dev.tidemark.activities.backfill;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillRequest.Mode;
import dev.tidemark.workflows.backfill.BackfillView;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A daily pipeline of which days are asked for. */
final class AskedDays {
  static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");

  final LedgerScene scene = new LedgerScene();
  final Backfills backfills = new Backfills(scene.dataSource);
  final RegisteredPipeline pipeline = scene.daily("sales");

  BackfillView request(String from, String to, @Nullable Mode mode) {
    return backfills.request(pipeline, asked(from, to, mode));
  }

  static BackfillRequest asked(String from, String to, @Nullable Mode mode) {
    return new BackfillRequest(
        null, from, to, null, mode, null, null, "because", null, "someone", NOW);
  }

  void run(String partition) {
    scene.claim(partition, "backfill");
    scene.begin(partition);
    scene.commit(partition);
  }

  BackfillView find(BackfillView backfill) {
    return backfills.find(id(backfill)).orElseThrow();
  }

  static String id(BackfillView backfill) {
    return Objects.requireNonNull(backfill.backfillId());
  }
}
