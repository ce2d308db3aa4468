package dev.tidemark.worker.benchmark;

import dev.tidemark.activities.index.ledger.Builds;
import dev.tidemark.activities.index.ledger.Look;
import dev.tidemark.activities.index.ledger.Looks;
import dev.tidemark.activities.index.ledger.ObjectDefinitions;
import dev.tidemark.activities.index.ledger.ObjectIndex;
import dev.tidemark.activities.index.ledger.ObjectIndexes;
import dev.tidemark.activities.index.ledger.Replacements;
import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.index.segment.SegmentFiles;
import dev.tidemark.activities.index.source.Found;
import dev.tidemark.activities.index.source.Transaction;
import dev.tidemark.activities.index.stage.Build;
import dev.tidemark.activities.index.stage.IndexStage;
import dev.tidemark.activities.index.stage.Watch;
import dev.tidemark.activities.index.stage.Workplace;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.workflows.index.BuildRequest;
import dev.tidemark.workflows.index.ObjectType;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** Builds of customers by the ledger and the stages of the product, without Temporal. */
final class CustomerBuilds {
  private static final ObjectType TYPE = Customers.TYPE;
  private static final Found ROWS = new Found("all", "1", Instant.EPOCH);

  private final DataSource ledger;
  private final OutputStore store;
  private final SegmentFiles segments;
  private final int objects;

  /**
   * @param scratch for the files of indexes that this process has to do with
   */
  CustomerBuilds(DataSource ledger, OutputStore store, Path scratch, int objects) {
    this.ledger = ledger;
    this.store = store;
    this.segments = new SegmentFiles(scratch);
    this.objects = objects;
  }

  /** Registers the type, and makes its first index. */
  void first() throws IOException {
    new ObjectDefinitions(ledger).register(TYPE);
    build(ObjectIndex.Role.LIVE);
  }

  /** Replaces the live index, until questions are answered from the other one. */
  void replace() throws IOException, InterruptedException {
    Replacements replacements = new Replacements(ledger);
    int revision = replacements.again(TYPE.name());
    build(ObjectIndex.Role.REPLACEMENT);
    while (!replacements.tryToSwitch(TYPE.name(), revision).switched()) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private void build(ObjectIndex.Role role) throws IOException {
    ObjectIndexes indexes = new ObjectIndexes(ledger);
    ObjectIndex index = indexes.in(TYPE.name(), role).orElseThrow();
    BuildRequest request =
        new BuildRequest(TYPE.name(), role == ObjectIndex.Role.REPLACEMENT, false);
    Look look = new Look(new Looks(ledger).next(), index.id(), Map.of("rows", List.of(ROWS)));
    Builds builds = new Builds(ledger);
    var begun = Objects.requireNonNull(builds.begin(request, look).build());
    Build build = new Build(TYPE, index.id(), begun.generation(), begun.token(), 0, null);
    Workplace place = new Workplace(store, segments, Watch.NONE);
    IndexManifest made =
        Customers.index(
            build,
            place,
            new Transaction(1, ROWS.identity(), ROWS.version(), List.of()),
            Customers.reader(objects, 1, 0));
    String address = IndexStage.address(build, place);
    if (!builds.settle(begun, new Builds.Made(address, made.changed(), made.objects()))) {
      throw new IllegalStateException("another build has taken its place");
    }
  }
}
