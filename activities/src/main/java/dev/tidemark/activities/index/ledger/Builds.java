package dev.tidemark.activities.index.ledger;

import dev.tidemark.activities.index.ledger.ObjectIndex.Role;
import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.index.Build;
import dev.tidemark.workflows.index.BuildDecision;
import dev.tidemark.workflows.index.BuildRequest;
import dev.tidemark.workflows.index.Datasource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The builds of indexes: each holds a lease while it runs, and writes only by its token. */
public final class Builds {
  /** A build whose lease is not renewed for that long is taken for dead. */
  public static final Duration LEASE = Duration.ofSeconds(90);

  private final Database database;

  public Builds(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  private static final Sql RUNNING =
      Sql.of(
          """
          select lease_until > clock_timestamp() as alive, lease_until
            from tidemark.object_build
           where object_index_id = :index and state = 'running'
             for update
          """);

  /**
   * Remembers what the datasources have, unless a later look was remembered already, and begins a
   * build where the index needs one and no other runs. A build whose lease has ended is superseded.
   *
   * @throws IllegalStateException if the look was at another index than is there now
   */
  public BuildDecision begin(BuildRequest request, Look look) {
    return database.transaction(
        connection -> {
          ObjectDefinitions.lock(connection, request.objectType());
          Optional<ObjectIndex> index =
              ObjectDefinitions.in(
                  connection,
                  request.objectType(),
                  request.replacement() ? Role.REPLACEMENT : Role.LIVE);
          return index.isEmpty()
              ? gone(connection, request)
              : begin(connection, index.get(), request, look);
        });
  }

  private static BuildDecision gone(Connection connection, BuildRequest request)
      throws SQLException {
    String because =
        request.replacement()
            ? Replacements.newestEnd(connection, request.objectType()).orElse("it has ended")
            : "there is no such index";
    return new BuildDecision(BuildDecision.Kind.GONE, null, because, null);
  }

  private BuildDecision begin(
      Connection connection, ObjectIndex index, BuildRequest request, Look look)
      throws SQLException {
    if (!Objects.equals(look.index(), index.id())) {
      throw new IllegalStateException(
          "'%s' has another index than was looked at; it is looked at again"
              .formatted(request.objectType()));
    }
    BuildNeed.Standing standing = BuildNeed.standing(connection, index);
    Optional<String> busy =
        RUNNING
            .on(connection)
            .set("index", index.id())
            .first(row -> row.flag("alive") ? row.instant("lease_until").toString() : "");
    if (busy.isPresent() && !busy.get().isEmpty()) {
      return decision(
          BuildDecision.Kind.BUSY, "a build runs, with a lease until " + busy.get(), standing);
    }
    supersede(connection, index);
    Looks.remember(connection, index, look, request.asked());
    boolean asked = standing.fullAsked() && index.role() == Role.LIVE;
    BuildNeed need = BuildNeed.of(connection, index, standing, asked);
    if (need == null) {
      return decision(BuildDecision.Kind.UP_TO_DATE, null, standing);
    }
    Optional<String> bad = BuildFailures.before(connection, index, need);
    if (bad.isPresent() && !request.asked() && !asked) {
      return decision(BuildDecision.Kind.WAITS_FOR_DATA, bad.get(), standing);
    }
    Build build = insert(connection, index, need, standing.editOffset());
    String lost = need.full() ? Transactions.lostSnapshot(connection, index) : null;
    if (lost != null) {
      BuildFailures.fail(connection, build.token(), lost, true);
      return decision(BuildDecision.Kind.WAITS_FOR_DATA, lost, standing);
    }
    return new BuildDecision(BuildDecision.Kind.BUILD, build, need.cause(), standing.replacement());
  }

  private static BuildDecision decision(
      BuildDecision.Kind kind, @Nullable String detail, BuildNeed.Standing standing) {
    return new BuildDecision(kind, null, detail, standing.replacement());
  }

  private static final Sql SUPERSEDE =
      Sql.of(
          """
          update tidemark.object_build
             set state = 'superseded', ended_at = clock_timestamp()
           where object_index_id = :index and state = 'running'
          """);

  private static void supersede(Connection connection, ObjectIndex index) throws SQLException {
    SUPERSEDE.on(connection).set("index", index.id()).update();
  }

  private static final Sql INSERT =
      Sql.of(
          """
          update tidemark.object_index
             set token = nextval('tidemark.object_token')
           where object_index_id = :index;

          insert into tidemark.object_build
                 (object_index_id, generation, token, cause, full_build, state, through_edit,
                  lease_until, input)
          select object_index_id, generation + 1, token, :cause, :full, 'running', :edits,
                 clock_timestamp() + :lease * interval '1 millisecond', :input
            from tidemark.object_index
           where object_index_id = :index
          returning generation, token
          """);

  private static Build insert(
      Connection connection, ObjectIndex index, BuildNeed need, long throughEdit)
      throws SQLException {
    supersede(connection, index);
    Build[] begun = new Build[1];
    INSERT
        .on(connection)
        .set("index", index.id())
        .set("cause", need.cause())
        .set("full", need.full())
        .set("edits", throughEdit)
        .set("lease", LEASE.toMillis())
        .set("input", need.input())
        .results(row -> begun[0] = build(index, row, need.full(), need.datasources()));
    return begun[0];
  }

  private static Build build(ObjectIndex index, Row row, boolean full, List<String> datasources)
      throws SQLException {
    return new Build(
        index.type().name(),
        index.id(),
        row.number("generation"),
        row.number("token"),
        full,
        datasources);
  }

  private static final Sql NARROW =
      Sql.of(
          """
          select through_edit, input
            from tidemark.object_build
           where token = :token and state = 'running'
          """);

  private static final Sql WIDENED =
      Sql.of(
          """
          select w.generation, w.token
            from tidemark.object_build w
            join tidemark.object_build n using (object_index_id, generation, input, through_edit)
           where n.token = :token and w.token > n.token and w.state = 'running' and w.full_build
          """);

  /**
   * Begins the build anew, as a full one with the same input. Asked again, it finds that one.
   *
   * @param cause why
   * @return empty if another build has taken its place
   * @throws LedgerRefusal if a datasource has nothing to read all anew from
   */
  public Optional<Build> widen(Build build, ObjectIndex index, String cause) {
    return database.transaction(
        connection -> {
          ObjectDefinitions.lock(connection, build.objectType());
          String lost = Transactions.lostSnapshot(connection, index);
          if (lost != null) {
            throw new LedgerRefusal(LedgerRefusal.Kind.REFUSED, "datasources", lost);
          }
          List<String> all = index.type().datasources().stream().map(Datasource::name).toList();
          Optional<Build> narrow =
              NARROW
                  .on(connection)
                  .set("token", build.token())
                  .first(
                      row ->
                          insert(
                              connection,
                              index,
                              new BuildNeed(cause, true, all, row.text("input")),
                              row.number("through_edit")));
          return narrow.isPresent()
              ? narrow
              : WIDENED
                  .on(connection)
                  .set("token", build.token())
                  .first(row -> build(index, row, true, all));
        });
  }

  private static final Sql RENEW =
      Sql.of(
          """
          update tidemark.object_build
             set lease_until =
                   greatest(lease_until, clock_timestamp() + :lease * interval '1 millisecond')
           where token = :token and state = 'running'
          """);

  /**
   * Keeps the lease.
   *
   * @return false if the build is not the newest of its index any more: it must write nothing
   */
  public boolean renew(Build build, Duration lease) {
    return database.roundTrip(
            connection ->
                RENEW
                    .on(connection)
                    .set("token", build.token())
                    .set("lease", lease.toMillis())
                    .update())
        == 1;
  }

  private static final Sql THROUGH =
      Sql.of("select through_edit from tidemark.object_build where token = :token");

  /** The newest edit that the build takes in. */
  public long throughEdit(Build build) {
    return database
        .roundTrip(
            connection ->
                THROUGH
                    .on(connection)
                    .set("token", build.token())
                    .list(row -> row.number("through_edit")))
        .get(0);
  }

  /**
   * What a build has made.
   *
   * @param manifest its address
   * @param changed keys that differ from the generation before
   * @param objects that can be seen
   */
  public record Made(String manifest, long changed, long objects) {}

  private static final Sql SETTLE =
      Sql.of(
          """
          with settled as (
            update tidemark.object_build
               set state = 'completed', ended_at = clock_timestamp(), changed = :changed,
                   objects = :objects
             where token = :token and state = 'running'
            returning object_index_id, generation, through_edit, cause, began_at),
          built as (
            update tidemark.object_index i
               set generation = s.generation, manifest = :manifest, objects = :objects,
                   edit_offset = s.through_edit
              from settled s
             where i.object_index_id = s.object_index_id
            returning i.object_type_id, i.object_index_id, i.role)
          update tidemark.object_type t
             set serving_index_id = coalesce(t.serving_index_id, b.object_index_id),
                 full_asked_at = case when s.cause = 'asked' and t.full_asked_at <= s.began_at
                   then null else t.full_asked_at end
            from built b, settled s
           where t.object_type_id = b.object_type_id and b.role = 'live'
          """);

  private static final Sql STATE =
      Sql.of("select state from tidemark.object_build where token = :token");

  /**
   * The generation is there. Again by the same build, it changes nothing.
   *
   * @return false if another build has taken its place
   */
  public boolean settle(Build build, Made made) {
    return database.transaction(
        connection -> {
          ObjectDefinitions.lock(connection, build.objectType());
          Optional<String> before = state(connection, build);
          SETTLE
              .on(connection)
              .set("token", build.token())
              .set("manifest", made.manifest())
              .set("changed", made.changed())
              .set("objects", made.objects())
              .update();
          boolean settled = state(connection, build).equals(Optional.of("completed"));
          if (settled && before.equals(Optional.of("running"))) {
            Transactions.takenIn(connection, build);
          }
          return settled;
        });
  }

  private static Optional<String> state(Connection connection, Build build) throws SQLException {
    return STATE.on(connection).set("token", build.token()).first(row -> row.text("state"));
  }

  /** Whether the generation of the build is there. */
  public boolean isCompleted(Build build) {
    return database
        .roundTrip(connection -> state(connection, build))
        .equals(Optional.of("completed"));
  }

  private static final Sql ABANDON =
      Sql.of(
          """
          update tidemark.object_build
             set state = 'superseded', ended_at = clock_timestamp(), error = :error
           where token = :token and state = 'running'
          """);

  /** What the build was to read is not there any more: the next one looks at what is. */
  public void abandon(Build build, String error) {
    database.roundTrip(
        connection ->
            ABANDON.on(connection).set("token", build.token()).set("error", error).update());
  }

  /**
   * The build has failed; a replacement then never becomes the live index. What a person asked for
   * and its data made impossible is not tried again until a person asks again.
   */
  public void fail(Build build, String error, boolean badData) {
    database.transaction(
        connection -> BuildFailures.fail(connection, build.token(), error, badData));
  }
}
