package dev.tidemark.activities;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.Observations;
import dev.tidemark.activities.ledger.Observations.Seen;
import dev.tidemark.activities.ledger.attempt.Attempts;
import dev.tidemark.activities.ledger.claim.Claims;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.ExpectedSet;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.planning.SliceSets;
import dev.tidemark.activities.publish.Publisher;
import dev.tidemark.activities.store.ConfiguredStores;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** A ledger with one closed day: 1 January 2026 in Istanbul. */
public final class TestLedger implements AutoCloseable {
  public static final Instant NOW = Instant.parse("2026-01-01T21:00:00Z");
  public static final String DAY = "2026-01-01";

  public final LedgerTestDatabase database = LedgerTestDatabase.create();
  public final Attempts attempts = new Attempts(database.dataSource());
  public final Observations observations = new Observations(database.dataSource());
  public final Publisher publisher;

  public TestLedger(Path folder) {
    this.publisher =
        new Publisher(
            attempts,
            new ConfiguredStores(folder, Connections.NONE, Clock.fixed(NOW, ZoneOffset.UTC)),
            Clock.fixed(NOW, ZoneOffset.UTC),
            "test");
  }

  public RegisteredPipeline register(TestPipeline pipeline) throws SQLException {
    DataSource source = database.dataSource();
    PipelineDefinition definition = pipeline.build();
    RegisteredPipeline registered = new Definitions(source).register(definition, "test").pipeline();
    Window closed = definition.extent().closedThrough(NOW).orElseThrow();
    new ExpectedSet(source)
        .bringUpTo(registered, new SliceSets(Connections.NONE).expand(definition), closed);
    Seen input = new Seen(Slice.EMPTY, DAY, "as the sweep saw it", true);
    observations.record(registered, observations.now(), Stream.of(input));
    return registered;
  }

  /** Claims the day, as a sweep does. */
  public Claim claim(RegisteredPipeline pipeline) {
    ClaimRequest request =
        new ClaimRequest(UUID.randomUUID().toString(), pipeline.name(), Scope.ALL, NOW, 1, null);
    return new Claims(database.dataSource()).claim(request).claims().get(0);
  }

  /** Makes the day due again: the store lost what was committed. */
  public void lose() {
    database.execute("update tidemark.partition_ledger set output_lost_at = clock_timestamp()");
  }

  /** As if the lease of the day's claim had passed. */
  public void expire() {
    database.execute(
        "update tidemark.partition_ledger set lease_until = clock_timestamp() - interval '1 second'"
            + " where claim_id is not null");
  }

  /** As if the pause before the next attempt were over. */
  public void endPause() {
    database.execute("update tidemark.partition_ledger set next_attempt_at = clock_timestamp()");
  }

  /** The first column of the first row, as text; {@code null} for null. */
  public String query(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? String.valueOf(rows.getString(1)) : "no row";
    }
  }

  public String state(String column) throws SQLException {
    return query(
        "select " + column + " from public.partition_state where partition = '" + DAY + "'");
  }

  public String attempts(String column) throws SQLException {
    return query(
        "select string_agg(" + column + "::text, ',' order by token) from tidemark.attempt");
  }

  @Override
  public void close() {
    database.close();
  }
}
