package dev.tidemark.activities.backfill;

import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.closure.Closure;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.pipeline.CatchUp;
import dev.tidemark.workflows.pipeline.Extent;
import dev.tidemark.workflows.pipeline.Integration;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.Pace;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.Retry;
import dev.tidemark.workflows.pipeline.SliceSet;
import dev.tidemark.workflows.pipeline.TaskSpec;
import dev.tidemark.workflows.pipeline.Wake;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A ledger on a real PostgreSQL whose rows a test puts into any state. */
public final class LedgerScene implements AutoCloseable {

  private final LedgerTestDatabase database = LedgerTestDatabase.create();
  public final DataSource dataSource = database.dataSource();

  @Override
  public void close() {
    database.close();
  }

  /** A daily pipeline from 2026-01-01 on, without slices. */
  public RegisteredPipeline daily(String name) {
    return register(definition(name, List.of(), Duration.ZERO));
  }

  public static PipelineDefinition definition(
      String name, List<SliceSet> slices, Duration closesAfter) {
    return new PipelineDefinition(
        name,
        new Extent(
            new Partitioning(Grain.DAY, ZoneId.of("UTC"), "2026-01-01", "2027-01-01"),
            slices,
            null,
            new Closure.AfterDelay(closesAfter),
            null),
        List.of(),
        new Integration(
            List.of(),
            Period.ofDays(60),
            Integration.Strategy.CURRENT_FIRST,
            false,
            false,
            Integration.OnDefinitionChange.ASK),
        new Pace(
            new Wake.Every(Duration.ofMinutes(15)),
            Pace.Order.NEWEST_FIRST,
            new CatchUp.All(),
            Limits.DEFAULT,
            Retry.DEFAULT,
            null),
        new TaskSpec.Command(List.of("true"), Duration.ofHours(1)),
        null);
  }

  public RegisteredPipeline register(PipelineDefinition definition) {
    int id =
        number(
            "insert into tidemark.pipeline (name, revision) values (?, 1) returning pipeline_id",
            definition.name());
    run(
        """
        insert into tidemark.revision (pipeline_id, revision, definition, fingerprint, document_hash)
        values (?, 1, '{"integration": {"frozen": false}}', 'f1', 'd1')
        """,
        id);
    return new RegisteredPipeline(id, 1, "f1", false, null, definition);
  }

  /** Rows for these windows, without a slice. */
  public void rows(RegisteredPipeline pipeline, String from, String to) {
    rows(pipeline, "", from, to);
  }

  public void rows(RegisteredPipeline pipeline, String slice, String from, String to) {
    Partitioning days = pipeline.definition().extent().partitions();
    Instant first = days.parse(from).start();
    Instant end = days.parse(to).end();
    run(
        """
        insert into tidemark.partition_ledger
            (pipeline_id, slice, partition, window_start, window_end)
        select ?, ?, to_char(d at time zone 'UTC', 'YYYY-MM-DD'), d, d + interval '24 hours'
          from generate_series(?::timestamptz, ?::timestamptz - interval '1 hour',
                   interval '24 hours') d
        """,
        pipeline.id(),
        slice,
        first.toString(),
        end.toString());
    run(
        """
        insert into tidemark.expected_slice (pipeline_id, slice, since, through, revision)
        values (?, ?, ?::timestamptz, ?::timestamptz, 1)
        on conflict (pipeline_id, slice) do update set through = excluded.through
        """,
        pipeline.id(),
        slice,
        first.toString(),
        end.toString());
  }

  /** Sets columns of one row, as an SQL assignment list. */
  public void set(String partition, String assignments) {
    run("update tidemark.partition_ledger set " + assignments + " where partition = ?", partition);
  }

  /** What a claim by this class does to a row. */
  public void claim(String partition, String claimClass) {
    set(
        partition,
        "claim_id = 'c-' || partition, claim_class = '%s', lease_until = now() + interval '1 hour'"
            .formatted(claimClass));
  }

  /** What begin does to a row; returns the token. */
  public long begin(String partition) {
    set(
        partition,
        """
        claim_attempt = 1, token = nextval('tidemark.token'), claimed_by = 'w', failures = 0,
        running_gen = greatest(requested_gen, done_gen + 1)
        """);
    return number("select token from tidemark.partition_ledger where partition = ?", partition);
  }

  /** What a successful settle does to a row. */
  public void commit(String partition) {
    set(
        partition,
        """
        done_gen = coalesce(running_gen, done_gen + 1), running_gen = null,
        claim_id = null, claim_class = null, claim_attempt = null, lease_until = null,
        committed_token = coalesce(token, nextval('tidemark.token')), committed_at = now(),
        processed_version = coalesce(input_version, ''), input_version = coalesce(input_version, ''),
        definition = 'f1', parked_at = null, failed_claims = 0
        """);
  }

  /** One column of one row, as text. */
  public @Nullable String get(String partition, String column) {
    return text(
        "select (" + column + ")::text from tidemark.partition_ledger where partition = ?",
        partition);
  }

  /** Everything in the ledger, as one text: equal iff nothing changed. */
  public String everything() {
    return Objects.requireNonNull(
        text(
            """
        select concat(
            (select string_agg(l::text, ';' order by id) from tidemark.partition_ledger l),
            (select string_agg(b::text, ';' order by backfill_id) from tidemark.backfill b),
            (select string_agg(i::text, ';' order by backfill_id, row_id)
               from tidemark.backfill_item i))
        """));
  }

  public int number(String sql, Object... parameters) {
    return Integer.parseInt(String.valueOf(text(sql, parameters)));
  }

  public @Nullable String text(String sql, Object... parameters) {
    List<@Nullable String> found = new ArrayList<>();
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = prepared(connection, sql, parameters);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        found.add(row.getString(1));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return found.isEmpty() ? null : found.get(0);
  }

  public void run(String sql, Object... parameters) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = prepared(connection, sql, parameters)) {
      statement.execute();
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
}
