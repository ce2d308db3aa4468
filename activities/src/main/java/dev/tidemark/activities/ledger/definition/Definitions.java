package dev.tidemark.activities.ledger.definition;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The registered definitions: numbered revisions, pause, removal. */
public final class Definitions {
  private final Database database;
  private final DefinitionCache cache = new DefinitionCache();

  public Definitions(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  /**
   * Hash of what changes an output's content: task, inputs, and where and how the output is laid
   * out; not limits, retries or schedules.
   */
  public static String fingerprint(PipelineDefinition definition) {
    return DefinitionDocument.fingerprint(definition);
  }

  /** The lock of a pipeline: claims, registration and pause of one name come one after another. */
  private static final Sql LOCK =
      Sql.of("select pg_advisory_xact_lock(hashtext('tidemark.claim'), hashtext(:name))");

  static void lock(Connection connection, String name) throws SQLException {
    LOCK.on(connection).set("name", name).results(row -> {});
  }

  /**
   * Registers a definition as the next revision; one that is equal to the present one changes
   * nothing. A change of grain, zone or set of dimensions of a pipeline with rows is refused, and
   * of an export's columns but for added ones.
   *
   * @param by who, for the record
   * @throws LedgerRefusal if it may not change that way
   */
  public Change register(PipelineDefinition definition, String by) {
    return database.transaction(
        connection -> {
          lock(connection, definition.name());
          Change change = compare(connection, definition);
          switch (change.kind()) {
            case CREATED -> create(connection, definition, by);
            case CHANGED -> revise(connection, change.pipeline(), by);
            case UNCHANGED -> {}
          }
          RegisteredPipeline registered =
              find(connection, definition.name()).orElse(change.pipeline());
          return new Change(change.kind(), registered, change.differences());
        });
  }

  /** What {@link #register} would do; changes nothing. */
  public Change preview(PipelineDefinition definition) {
    return database.transaction(connection -> compare(connection, definition));
  }

  private Change compare(Connection connection, PipelineDefinition definition) throws SQLException {
    String fingerprint = fingerprint(definition);
    Optional<RegisteredPipeline> found = find(connection, definition.name());
    if (found.isEmpty()) {
      return new Change(
          Change.Kind.CREATED,
          new RegisteredPipeline(0, 1, fingerprint, false, null, definition),
          List.of());
    }
    RegisteredPipeline present = found.get();
    JsonNode before = DefinitionDocument.tree(present.definition());
    JsonNode after = DefinitionDocument.tree(definition);
    if (before.equals(after)) {
      return new Change(Change.Kind.UNCHANGED, present, List.of());
    }
    FixedParts.check(connection, present, definition);
    PinnedColumns.check(connection, present, definition.task());
    return new Change(
        Change.Kind.CHANGED,
        new RegisteredPipeline(
            present.id(),
            present.revision() + 1,
            fingerprint,
            present.paused(),
            present.lookbackFloor(),
            definition),
        Differences.of(before, after));
  }

  private static final Sql CREATE =
      Sql.of(
          """
          with created as (
            insert into tidemark.pipeline (name, revision) values (:name, 1)
            returning pipeline_id)
          insert into tidemark.revision
                 (pipeline_id, revision, definition, fingerprint, document_hash, registered_by)
          select pipeline_id, 1, :definition::jsonb, :fingerprint, :hash, :by from created
          """);

  private static void create(Connection connection, PipelineDefinition definition, String by)
      throws SQLException {
    JsonNode tree = DefinitionDocument.tree(definition);
    CREATE
        .on(connection)
        .set("name", definition.name())
        .set("definition", tree.toString())
        .set("fingerprint", fingerprint(definition))
        .set("hash", DefinitionDocument.hash(tree))
        .set("by", by)
        .update();
  }

  /** A changed lookback applies to what is committed from now on: it does not redo history. */
  private static final Sql REVISE =
      Sql.of(
          """
          insert into tidemark.revision
                 (pipeline_id, revision, definition, fingerprint, document_hash, registered_by)
          values (:pipeline, :revision, :definition::jsonb, :fingerprint, :hash, :by);

          update tidemark.pipeline p
             set revision = :revision,
                 lookback_floor = case when :lookback_changed
                   then (select max(l.window_start) from tidemark.partition_ledger l
                          where l.pipeline_id = :pipeline and l.committed_token is not null)
                   else p.lookback_floor end
           where p.pipeline_id = :pipeline
          """);

  private void revise(Connection connection, RegisteredPipeline next, String by)
      throws SQLException {
    PipelineDefinition definition = next.definition();
    Optional<PipelineDefinition> before =
        find(connection, definition.name()).map(RegisteredPipeline::definition);
    List<Integer> lookback = before.map(one -> one.integration().lookback()).orElse(List.of());
    JsonNode tree = DefinitionDocument.tree(definition);
    REVISE
        .on(connection)
        .set("pipeline", next.id())
        .set("revision", next.revision())
        .set("definition", tree.toString())
        .set("fingerprint", next.fingerprint())
        .set("hash", DefinitionDocument.hash(tree))
        .set("by", by)
        .set("lookback_changed", !lookback.equals(definition.integration().lookback()))
        .update();
    String account = definition.extent().account();
    if (before.isPresent() && !Objects.equals(before.get().extent().account(), account)) {
      AccountColumn.write(connection, next.id(), account);
    }
  }

  /** The pipeline, unless it is not registered or removed. */
  public Optional<RegisteredPipeline> find(String name) {
    return database.roundTrip(connection -> find(connection, name));
  }

  private static final Sql REGISTERED =
      Sql.of(
          """
          select p.pipeline_id, p.revision, r.fingerprint, p.paused_at is not null as paused,
                 p.lookback_floor
            from tidemark.pipeline p
            join tidemark.revision r using (pipeline_id, revision)
           where (p.name = :name or :name::text is null) and p.removed_at is null
           order by p.name
          """);

  private Optional<RegisteredPipeline> find(Connection connection, String name)
      throws SQLException {
    return registered(connection, name).stream().findFirst();
  }

  private List<RegisteredPipeline> registered(Connection connection, @Nullable String name)
      throws SQLException {
    return REGISTERED
        .on(connection)
        .set("name", name)
        .list(row -> cache.complete(connection, DefinitionCache.Key.of(row)));
  }

  /**
   * The pipeline.
   *
   * @throws LedgerRefusal of kind UNKNOWN_PIPELINE, naming the known ones
   */
  public RegisteredPipeline get(String name) {
    return database.roundTrip(
        connection -> {
          Optional<RegisteredPipeline> found = find(connection, name);
          if (found.isEmpty()) {
            throw unknown(connection, name);
          }
          return found.get();
        });
  }

  private static final Sql NAMES =
      Sql.of("select name from tidemark.pipeline where removed_at is null order by name limit 20");

  public static LedgerRefusal unknown(Connection connection, String name) throws SQLException {
    List<String> known = NAMES.on(connection).list(row -> row.text("name"));
    return new LedgerRefusal(
        LedgerRefusal.Kind.UNKNOWN_PIPELINE,
        "pipeline",
        "pipeline '"
            + name
            + "' is not registered; "
            + (known.isEmpty()
                ? "none is: register definitions with apply"
                : "there are " + String.join(", ", known)));
  }

  /** Every registered pipeline, by name. */
  public List<RegisteredPipeline> all() {
    return database.roundTrip(connection -> registered(connection, null));
  }

  private static final Sql PAUSE =
      Sql.of(
          """
          update tidemark.pipeline
             set paused_at = clock_timestamp(), paused_by = :by
           where name = :name and paused_at is null
          """);

  /** Stops live work; backfills are not affected. Returns whether it was running. */
  public boolean pause(String name, String by) {
    return change(name, PAUSE, by);
  }

  private static final Sql RESUME =
      Sql.of(
          """
          update tidemark.pipeline
             set paused_at = null, paused_by = null
           where name = :name and paused_at is not null and :by::text is null
          """);

  /** Allows live work again. Returns whether it was paused. */
  public boolean resume(String name) {
    return change(name, RESUME, null);
  }

  /** Under the pipeline's lock: no claim under way misses it. */
  private boolean change(String name, Sql sql, @Nullable String by) {
    return database.transaction(
        connection -> {
          lock(connection, name);
          if (find(connection, name).isEmpty()) {
            throw unknown(connection, name);
          }
          return sql.on(connection).set("name", name).set("by", by).update() == 1;
        });
  }

  /** The archived name cannot be asked for: it is no valid one. */
  private static final Sql REMOVE =
      Sql.of(
          """
          update tidemark.backfill_item i
             set state = 'cancelled', cancelled_because = 'not_expected'
            from tidemark.backfill b
           where b.pipeline_id = :pipeline and i.backfill_id = b.backfill_id
             and i.state = 'requested';

          update tidemark.backfill
             set state = 'cancelled', ended_at = clock_timestamp()
           where pipeline_id = :pipeline and state in ('requested', 'running', 'paused', 'failed');

          update tidemark.partition_ledger
             set requested_gen = done_gen
           where pipeline_id = :pipeline and asked;

          update tidemark.pipeline
             set removed_at = clock_timestamp(), name = name || '~' || pipeline_id
           where pipeline_id = :pipeline
          """);

  /**
   * Cancels its backfills, archives its rows; outputs stay. A later registration under the name
   * starts afresh.
   */
  public void remove(String name) {
    database.transaction(
        connection -> {
          lock(connection, name);
          Optional<RegisteredPipeline> found = find(connection, name);
          if (found.isEmpty()) {
            throw unknown(connection, name);
          }
          return REMOVE.on(connection).set("pipeline", found.get().id()).update();
        });
  }

  private static final Sql REMOVED =
      Sql.of(
          """
          select true as removed
            from tidemark.pipeline
           where removed_at is not null and name = :name || '~' || pipeline_id
           limit 1
          """);

  /** Whether a pipeline of this name was removed, and none registered under it since. */
  public boolean isRemoved(String name) {
    return database.roundTrip(
        connection ->
            find(connection, name).isEmpty()
                && REMOVED
                    .on(connection)
                    .set("name", name)
                    .first(row -> row.flag("removed"))
                    .isPresent());
  }

  /** What a registration does. */
  public record Change(Kind kind, RegisteredPipeline pipeline, List<String> differences) {
    /** The kinds. */
    public enum Kind {
      CREATED,
      CHANGED,
      UNCHANGED
    }
  }
}
