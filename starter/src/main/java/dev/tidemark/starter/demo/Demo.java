package dev.tidemark.starter.demo;

import dev.tidemark.activities.backfill.Backfills;
import dev.tidemark.starter.backfill.BackfillWait;
import dev.tidemark.starter.output.Console;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.sweep.SweepWait;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.sweep.SweepReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The demo's three acts: catch up, integrate late data, backfill by signal. */
final class Demo {
  static final String CORRECTED = "2014-07-04";

  private static final String PIPELINE = "daily-weather";
  private static final Duration MAX_WAIT = Duration.ofMinutes(10);
  private static final Duration LOOK = Duration.ofMillis(100);
  private static final BackfillRequest JUNE =
      new BackfillRequest(
          "demo-june-2013",
          "2013-06-01",
          "2013-06-30",
          null,
          BackfillRequest.Mode.ALL,
          BackfillRequest.Order.OLDEST,
          null,
          "the demo asks for June 2013 again",
          null,
          "demo",
          null);

  private final DemoFolder folder;
  private final Session session;
  private final Console console;
  private final Clock clock;

  Demo(DemoFolder folder, Session session, Console console, Clock clock) {
    this.folder = folder;
    this.session = session;
    this.console = console;
    this.clock = clock;
  }

  DemoReport run() throws Exception {
    int days = folder.arrive();
    console.notice("\n1. Catch-up: %,d days have arrived, none is processed".formatted(days));
    SweepReport caughtUp = sweep();
    console.notice("   %,d days processed".formatted(caughtUp.completed()));

    console.notice("\n2. Late data: a correction of " + CORRECTED + " arrives");
    Map<String, String> before = manifests();
    folder.correct(CORRECTED, "12.7");
    SweepReport redone = sweep();
    Map<String, String> after = manifests();
    List<String> late =
        after.entrySet().stream()
            .filter(day -> !day.getValue().equals(before.get(day.getKey())))
            .map(Map.Entry::getKey)
            .toList();
    console.notice("   processed again: " + String.join(", ", late));

    console.notice("\n3. Backfill: June 2013 once more, asked for by a Temporal signal");
    session.client().signalBackfill(PIPELINE, JUNE);
    BackfillView june = awaitJune();
    console.notice("   %d of %d days processed".formatted(june.completed(), june.partitions()));
    return new DemoReport(
        folder.path(),
        caughtUp.completed(),
        late,
        redone.completed(),
        after.size() - late.size(),
        june.completed());
  }

  private SweepReport sweep() throws Exception {
    SweepReport report = new SweepWait(session.client(), console).run(PIPELINE, null, MAX_WAIT);
    if (report.failed() > 0 || report.remaining() > 0) {
      throw CommandFailure.failed("the demo's sweep left work behind: " + report);
    }
    return report;
  }

  /** A signal has no answer: the backfill appears in the ledger. */
  private BackfillView awaitJune() throws InterruptedException {
    Backfills backfills = new Backfills(session.ledger());
    Instant giveUp = clock.instant().plus(MAX_WAIT);
    List<BackfillView> asked = backfills.list();
    while (asked.isEmpty() && clock.instant().isBefore(giveUp)) {
      Thread.sleep(LOOK.toMillis());
      asked = backfills.list();
    }
    if (asked.isEmpty()) {
      throw CommandFailure.failed("the signal was not answered within " + MAX_WAIT);
    }
    return new BackfillWait(backfills, console).untilSettled(asked.get(0), MAX_WAIT);
  }

  /** The text of each day's manifest, by its day. */
  private Map<String, String> manifests() throws IOException {
    Map<String, String> manifests = new TreeMap<>();
    try (Stream<Path> days = Files.list(folder.path().resolve("out").resolve(PIPELINE))) {
      for (Path day : days.toList()) {
        Path manifest = day.resolve("_manifest.json");
        if (Files.exists(manifest)) {
          manifests.put(
              day.getFileName().toString().replace("dt=", ""), Files.readString(manifest));
        }
      }
    }
    return manifests;
  }
}
