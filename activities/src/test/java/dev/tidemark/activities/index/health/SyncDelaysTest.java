package dev.tidemark.activities.index.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.index.ledger.ObjectDefinitions;
import dev.tidemark.activities.index.ledger.ObjectIndex;
import dev.tidemark.activities.index.ledger.ObjectIndexes;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.EditRules;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import dev.tidemark.workflows.index.Rhythm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From the commit of a source to the moment at which queries see it (D30). */
class SyncDelaysTest {
  @TempDir Path folder;
  private TestLedger ledger;
  private ObjectIndex index;

  @BeforeEach
  void register() throws Exception {
    ledger = new TestLedger(folder);
    String pipeline = ledger.register(TestPipeline.daily("sales")).name();
    new ObjectDefinitions(ledger.database.dataSource())
        .register(
            new ObjectType(
                "customer",
                List.of("id"),
                List.of(new Property("id", ColumnType.parse("bigint"), false)),
                List.of(
                    new Datasource(
                        "crm",
                        new Datasource.FromPipeline(pipeline, Map.of()),
                        new Datasource.Snapshot(),
                        List.of("id"))),
                EditRules.DEFAULT,
                Rhythm.DEFAULT,
                "objects"));
    index = new ObjectIndexes(ledger.database.dataSource()).all("customer").get(0);
  }

  @AfterEach
  void close() {
    ledger.close();
  }

  private void commit(String content, String ago) {
    ledger.database.execute(
        """
        update tidemark.partition_ledger
           set committed_token = 1, content = '%s', committed_at = clock_timestamp() - interval '%s'
        """
            .formatted(content, ago));
  }

  private void takeIn(String content, String generation) {
    ledger.database.execute(
        """
        insert into tidemark.object_transaction
               (object_index_id, datasource, number, identity, version, committed_at, generation)
        select %d, 'crm', 1, partition, '%s', committed_at, %s from tidemark.partition_ledger
        """
            .formatted(index.id(), content, generation));
  }

  private void serving(String process, int generation, String until) {
    ledger.database.execute(
        """
        insert into tidemark.object_serving
               (object_type_id, process, object_index_id, generation, edit_offset, seen_until)
        values (%d, '%s', %d, %d, 0, clock_timestamp() + interval '%s')
        """
            .formatted(index.typeId(), process, index.id(), generation, until));
  }

  private long minutes() {
    return new SyncDelays(ledger.database.dataSource()).of(index).toMinutes();
  }

  @Test
  void nothingWaitsWhereNothingIsCommitted() {
    assertThat(new SyncDelays(ledger.database.dataSource()).of(index)).isEqualTo(Duration.ZERO);
  }

  // c-M1: also while no build runs at all
  @Test
  void whatNoBuildHasNoticedWaits() {
    commit("c1", "30 minutes");

    assertThat(minutes()).isEqualTo(30);
  }

  @Test
  void aCommitWaitsUntilEveryProcessThatIsSeenHasIt() {
    commit("c1", "20 minutes");
    takeIn("c1", "3");
    assertThat(minutes()).isZero();
    serving("behind", 2, "1 minute");
    assertThat(minutes()).isEqualTo(20);
    serving("gone", 1, "-1 minute");
    ledger.database.execute(
        "update tidemark.object_serving set generation = 3 where process = 'behind'");
    assertThat(minutes()).isZero();
  }

  // The same content again is nothing new
  @Test
  void whatIsCommittedAgainUnchangedDoesNotWait() {
    commit("c1", "20 minutes");
    takeIn("c1", "3");
    commit("c1", "10 minutes");
    assertThat(minutes()).isZero();

    commit("c2", "10 minutes");
    assertThat(minutes()).isEqualTo(10);
  }
}
