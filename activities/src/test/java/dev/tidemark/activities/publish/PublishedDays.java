package dev.tidemark.activities.publish;

import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.activities.ledger.claim.Claims;
import dev.tidemark.activities.ledger.definition.ExpectedSet;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.OutputLedger;
import dev.tidemark.activities.store.LocalStore;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.planning.ExpectedSlice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** The 30 first days of a pipeline, published on a local store. */
final class PublishedDays {
  private static final Clock CLOCK = Clock.fixed(TestLedger.NOW, ZoneOffset.UTC);
  static final int DAYS = 30;

  /** What the verification lists; a test may put a store of its own around it. */
  OutputStore store;

  TestLedger ledger;
  DataSource source;
  private final Path folder;

  PublishedDays(Path folder) {
    this.folder = folder;
    this.ledger = new TestLedger(folder);
    this.source = ledger.database.dataSource();
    this.store = new LocalStore(folder.resolve("out"), CLOCK);
  }

  /** A new ledger, which knows nothing of what is in the store. */
  void startOver() {
    ledger.close();
    ledger = new TestLedger(folder);
    source = ledger.database.dataSource();
  }

  /** A pipeline with all of its days committed. */
  RegisteredPipeline published(OutputSpec output) throws Exception {
    RegisteredPipeline pipeline = ledger.register(TestPipeline.daily("sales").output(output));
    expect(pipeline);
    for (List<Claim> due = claim(pipeline); !due.isEmpty(); due = claim(pipeline)) {
      for (Claim claim : due) {
        publish((Begun) ledger.attempts.begin(claim, 1, "test"), output);
      }
    }
    return pipeline;
  }

  /** All of its days, as if nobody had looked at an input of theirs. */
  void expect(RegisteredPipeline pipeline) {
    ledger.database.execute(
        "update tidemark.partition_ledger"
            + " set input_version = null, input_seen_at = null, input_observed_at = null");
    var partitions = pipeline.definition().extent().partitions();
    Window last = partitions.plus(partitions.first(), DAYS - 1);
    new ExpectedSet(source)
        .bringUpTo(pipeline, List.of(new ExpectedSlice(Slice.EMPTY, partitions.first())), last);
  }

  /** Up to twenty of those that are due. */
  List<Claim> claim(RegisteredPipeline pipeline) {
    return new Claims(source)
        .claim(
            new ClaimRequest(
                UUID.randomUUID().toString(),
                pipeline.name(),
                Scope.ALL,
                TestLedger.NOW.plus(Duration.ofDays(DAYS - 1)),
                20,
                null))
        .claims();
  }

  void publish(Begun begun, OutputSpec output) throws Exception {
    try (Publication publication = ledger.publisher.open(begun, output)) {
      Files.writeString(publication.folder().resolve("x.csv"), begun.window().label());
      ledger.attempts.commit(begun.token(), publication.publish(null, Contents.of(null)), null);
    }
  }

  void check(RegisteredPipeline pipeline) {
    new Verification(OutputLedger.of(source), location -> store).check(pipeline);
  }

  Path day(int day) {
    return folder.resolve("out/sales/dt=2026-01-%02d".formatted(day));
  }

  static Path marker(Path day) {
    return day.resolve("_manifest.json");
  }

  static void delete(Path folder) throws IOException {
    for (Path file : list(folder)) {
      Files.delete(file);
    }
    Files.delete(folder);
  }

  static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  String lost() throws Exception {
    return ledger.query(
        "select coalesce(string_agg(partition, ',' order by window_start), '')"
            + " from tidemark.partition_ledger where output_lost_at is not null");
  }

  String all() throws Exception {
    return ledger.query(
        "select string_agg(l::text, ' ' order by id) || (select string_agg(p::text, '')"
            + " from tidemark.pipeline p) from tidemark.partition_ledger l");
  }
}
