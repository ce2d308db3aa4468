package dev.tidemark.activities.simulation;

import dev.tidemark.activities.backfill.Backfills;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.inputs.InputVersions;
import dev.tidemark.activities.ledger.Interventions;
import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.Observations;
import dev.tidemark.activities.ledger.Upstreams;
import dev.tidemark.activities.ledger.WakeFlags;
import dev.tidemark.activities.ledger.attempt.Attempts;
import dev.tidemark.activities.ledger.claim.Claims;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.ExpectedSet;
import dev.tidemark.activities.ledger.output.OutputLedger;
import dev.tidemark.activities.planning.SliceSets;
import dev.tidemark.activities.publish.Verification;
import dev.tidemark.activities.store.ConfiguredStores;
import dev.tidemark.activities.sweep.LedgerService;
import dev.tidemark.activities.sweep.Preparation;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The real ledger, through the doors that the activities use, on a real PostgreSQL. */
final class Doors implements AutoCloseable {
  static final String DETECTOR = "world";

  private final LedgerTestDatabase database = LedgerTestDatabase.create();
  private final DataSource source = database.dataSource();
  private World world = new World(0);

  final Definitions definitions = new Definitions(source);
  final Attempts attempts = new Attempts(source);
  final Backfills backfills = new Backfills(source);
  final Interventions interventions = new Interventions(source);
  final Observations observations = new Observations(source);
  final InputVersions inputs =
      new InputVersions(
          Connections.NONE,
          Path.of("."),
          Map.of(DETECTOR, (range, found) -> world.scan(range, found)),
          observations,
          new Upstreams(source));
  final LedgerService service =
      new LedgerService(
          definitions,
          new Preparation(
              new SliceSets(Connections.NONE),
              new ExpectedSet(source),
              inputs,
              observations,
              new LedgerReader(source)),
          new Claims(source),
          attempts,
          backfills,
          new Verification(
              OutputLedger.of(source),
              new ConfiguredStores(
                  Path.of("."), Connections.NONE, Clock.fixed(Instant.EPOCH, ZoneOffset.UTC))),
          new WakeFlags(source));

  /** An empty ledger, and other inputs. */
  void reset(World next) {
    world = next;
    database.execute("truncate tidemark.pipeline cascade");
  }

  /** As if the lease of a claim had passed. */
  void expire(long row) {
    update(
        "update tidemark.partition_ledger set lease_until = clock_timestamp() - interval '1 second'"
            + " where id = ? and claim_id is not null",
        row);
  }

  /** As if a sweep had found that the store does not have what was committed. */
  void lose(String pipeline, String slice, String partition) {
    update(
        "update tidemark.partition_ledger set output_lost_at = clock_timestamp()"
            + " where pipeline_id = (select pipeline_id from tidemark.pipeline where name = ?)"
            + " and slice = ? and partition = ? and claim_id is null",
        pipeline,
        slice,
        partition);
  }

  /** Rows as text, columns separated by a space. */
  List<String> rows(String sql, Object... parameters) {
    List<String> rows = new ArrayList<>();
    try (Connection connection = source.getConnection();
        PreparedStatement statement = prepared(connection, sql, parameters);
        ResultSet result = statement.executeQuery()) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        List<@Nullable String> values = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          values.add(result.getString(i));
        }
        rows.add(String.join("|", values.stream().map(String::valueOf).toList()));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return rows;
  }

  private void update(String sql, Object... parameters) {
    try (Connection connection = source.getConnection();
        PreparedStatement statement = prepared(connection, sql, parameters)) {
      statement.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static PreparedStatement prepared(Connection connection, String sql, Object... parameters)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
    return statement;
  }

  @Override
  public void close() {
    database.close();
  }
}
