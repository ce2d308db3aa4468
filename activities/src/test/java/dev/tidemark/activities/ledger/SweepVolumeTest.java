package dev.tidemark.activities.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.ledger.attempt.Attempts;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.pipeline.Limits.Volume;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How much one sweep may commit, in files and bytes (A31, A32). */
final class SweepVolumeTest {
  private static final String JAN_7 = "2026-01-07T00:00:00Z";
  private static LedgerTestDatabase database;
  private static Ledger ledger;

  @BeforeAll
  static void open() {
    database = LedgerTestDatabase.create();
    // Every commit has three files and 100 bytes.
    database.execute(
        """
        create function measured() returns trigger language plpgsql as $$
        begin new.files := 3; new.bytes := 100; return new; end $$;
        create trigger measured before update on tidemark.partition_ledger for each row
          when (old.committed_token is distinct from new.committed_token)
          execute function measured()
        """);
    ledger = new Ledger(database);
  }

  @AfterAll
  static void close() {
    database.close();
  }

  // It claims two at a time: the bound of 250 is reached by the third, and the fourth was running.
  @Test
  void aSweepClaimsNoMoreOnceItHasCommittedAsManyBytes() {
    var pipeline = ledger.ready(Pipelines.daily("bytes").volume(new Volume(null, 250L)), JAN_7);

    assertThat(ledger.sweep(pipeline, "first", JAN_7))
        .containsExactly("2026-01-06", "2026-01-05", "2026-01-04", "2026-01-03");
    assertThat(ledger.claims.outlook(pipeline, Scope.ALL, null).claimable())
        .as("remaining")
        .isGreaterThanOrEqualTo(2);
    assertThat(ledger.claims.outlook(pipeline, Scope.ALL, null, 1).claimable()).isEqualTo(1);
    assertThat(ledger.sweep(pipeline, "second", JAN_7)).containsExactly("2026-01-02", "2026-01-01");
  }

  @Test
  void aSweepClaimsNoMoreOnceItHasCommittedAsManyFiles() {
    var pipeline = ledger.ready(Pipelines.daily("files").volume(new Volume(6, null)), JAN_7);

    assertThat(ledger.sweep(pipeline, "first", JAN_7)).containsExactly("2026-01-06", "2026-01-05");
    assertThat(ledger.sweep(pipeline, "second", JAN_7)).containsExactly("2026-01-04", "2026-01-03");
  }

  // What another sweep committed, and what only ran, is not this one's.
  @Test
  void onlyWhatTheSweepItselfCommittedCounts() {
    var pipeline = ledger.ready(Pipelines.daily("own").volume(new Volume(3, null)), JAN_7);
    ledger.sweep(pipeline, "other", JAN_7);

    assertThat(ledger.sweep(pipeline, "mine", JAN_7)).hasSize(2);
    var failing = ledger.claim(pipeline, JAN_7, 1).get(0);
    ledger.attempts.fail(
        ledger.begin(failing).token(), Attempts.FailureKind.RELEASED, "given back", null);
    assertThat(ledger.sweep(pipeline, "again", JAN_7)).hasSize(2);
  }

  // A backfill goes on until its items settle.
  @Test
  void whatWasAskedForIsNotBounded() {
    var pipeline = ledger.ready(Pipelines.daily("asked").volume(new Volume(1, 1L)), JAN_7);
    ledger.request(pipeline, "volume", false, "2026-01-01", "2026-01-02", "2026-01-03");

    var first = ledger.claim(pipeline, Scope.REQUESTED, JAN_7, 2);
    first.forEach(ledger::commit);

    assertThat(ledger.claim(pipeline, Scope.REQUESTED, JAN_7, 2)).hasSize(1);
  }

  @Test
  void aChangedBoundIsNamedAsPeopleWriteIt() {
    ledger.register(Pipelines.daily("named"));

    assertThat(
            ledger
                .definitions
                .register(Pipelines.daily("named").volume(new Volume(6, null)).build(), "me")
                .differences())
        .allMatch(line -> line.startsWith("limits"), "names limits");
  }
}
