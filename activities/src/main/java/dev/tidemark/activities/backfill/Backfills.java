package dev.tidemark.activities.backfill;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.definition.NamedPartitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.pipeline.Pace;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Backfills: pinned lists of partitions, merged per partition, each with its own progress
 * (invariants 5, 8, 11). Requests and changes of one pipeline follow one another; claims and
 * settles go on beside them.
 */
public final class Backfills {
  /** One request of more is a mistake; more can be asked for in parts. */
  static final int MAX_ITEMS = 500_000;

  private final Database database;

  public Backfills(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  /**
   * Refuses what the definition alone can tell is wrong, unless the request was accepted before;
   * changes nothing.
   *
   * @throws LedgerRefusal if it cannot be accepted
   */
  public void check(RegisteredPipeline pipeline, BackfillRequest request) {
    database.transaction(
        connection -> {
          Optional<String> earlier = Rows.findRequest(connection, pipeline, request);
          if (earlier.isEmpty()) {
            checked(connection, pipeline, request);
          }
          return earlier;
        });
  }

  /**
   * Pins the list and asks for it, in one transaction. Idempotent by request id. The list is made
   * from the rows there are: bring the expected set up to date first.
   *
   * @throws LedgerRefusal if it cannot be accepted; nothing changed
   */
  public BackfillView request(RegisteredPipeline pipeline, BackfillRequest request) {
    return database.transaction(
        connection -> {
          Rows.lock(connection, pipeline.id());
          Optional<String> earlier = Rows.findRequest(connection, pipeline, request);
          if (earlier.isEmpty()) {
            CheckedRequest checked = checked(connection, pipeline, request);
            String id = pin(connection, pipeline, checked);
            Items.ask(connection, id);
            return settled(connection, id);
          }
          return settled(connection, earlier.get());
        });
  }

  /**
   * The same list, with its items; asks for nothing. It is made by the same statements, and rolled
   * back.
   *
   * @throws LedgerRefusal as {@link #request} would
   */
  public BackfillView preview(RegisteredPipeline pipeline, BackfillRequest request) {
    return database.transaction(
        connection -> {
          Rows.lock(connection, pipeline.id());
          CheckedRequest checked = checked(connection, pipeline, request);
          String id = pin(connection, pipeline, checked);
          BackfillView real = Rows.view(connection, id);
          List<BackfillView.Item> items =
              Items.list(connection, id, newestFirst(pipeline, checked));
          connection.rollback();
          return new BackfillView(
              null,
              real.pipeline(),
              real.state(),
              real.partitions(),
              real.alreadyRequested(),
              real.completed(),
              0,
              real.cancelled(),
              null,
              items);
        });
  }

  private static CheckedRequest checked(
      Connection connection, RegisteredPipeline pipeline, BackfillRequest request)
      throws SQLException {
    Instant now = request.now() == null ? Database.clock(connection) : request.now();
    return CheckedRequest.of(pipeline, request, now);
  }

  private static String pin(
      Connection connection, RegisteredPipeline pipeline, CheckedRequest checked)
      throws SQLException {
    NamedPartitions.checkKnown(connection, pipeline, checked.slice());
    Settling.settlePipeline(connection, pipeline.id());
    String id = Rows.insert(connection, pipeline, checked);
    int partitions = Items.pin(connection, pipeline, id, checked);
    if (partitions > MAX_ITEMS) {
      throw new LedgerRefusal(
          LedgerRefusal.Kind.INVALID,
          "to",
          "to: from '%s' to '%s' are %d partitions, and one backfill may have %d; ask for a shorter range"
              .formatted(checked.from().label(), checked.to().label(), partitions, MAX_ITEMS));
    }
    Items.refuseConflict(connection, id);
    Items.countAlreadyRequested(connection, id);
    return id;
  }

  private static boolean newestFirst(RegisteredPipeline pipeline, CheckedRequest checked) {
    BackfillRequest.Order order = checked.asked().order();
    return order == null
        ? pipeline.definition().pace().order() == Pace.Order.NEWEST_FIRST
        : order == BackfillRequest.Order.NEWEST;
  }

  /**
   * Leaves a backfill in state rejected, with the error: for a request that nobody waits for the
   * answer of. Idempotent by request id.
   */
  public BackfillView reject(RegisteredPipeline pipeline, BackfillRequest request, String error) {
    return database.transaction(
        connection -> {
          Rows.lock(connection, pipeline.id());
          Optional<String> earlier = Rows.findRequest(connection, pipeline, request);
          String id =
              earlier.isPresent()
                  ? earlier.get()
                  : Rows.insertRejected(connection, pipeline, request, error);
          return Rows.view(connection, id);
        });
  }

  /** The newest 200, newest first. */
  public List<BackfillView> list() {
    for (int pipelineId : database.transaction(Rows::pipelinesWithUnsettled)) {
      settle(pipelineId);
    }
    return database.transaction(Rows::newest);
  }

  /** The backfill, its progress derived from the rows as they are now. */
  public Optional<BackfillView> find(String backfillId) {
    return database.transaction(
        connection ->
            Rows.lockOf(connection, backfillId)
                ? Optional.of(settled(connection, backfillId))
                : Optional.empty());
  }

  /** Settles the items of a pipeline's backfills, and with them the backfills (c-B8). */
  public void settle(RegisteredPipeline pipeline) {
    settle(pipeline.id());
  }

  private void settle(int pipelineId) {
    // Mostly there are none: that is found out without a transaction or a lock.
    if (database.roundTrip(connection -> Settling.isSettled(connection, pipelineId))) {
      return;
    }
    database.transaction(
        connection -> {
          Rows.lock(connection, pipelineId);
          Settling.settlePipeline(connection, pipelineId);
          return pipelineId;
        });
  }

  /**
   * Nothing of it starts until it is resumed; what runs finishes.
   *
   * @throws LedgerRefusal if there is none, or it has ended
   */
  public BackfillView pause(String backfillId) {
    return change(
        backfillId,
        BackfillView.State.PAUSED,
        connection -> Rows.setState(connection, backfillId, "paused"));
  }

  /**
   * Asks again for what is left of it.
   *
   * @throws LedgerRefusal if there is none, or it has ended
   */
  public BackfillView resume(String backfillId) {
    return change(
        backfillId, null, connection -> Rows.setState(connection, backfillId, "requested"));
  }

  /**
   * Nothing of it starts after this returns; what runs finishes, or, with {@code stopRunning},
   * loses its claim, unless live work or another backfill wants it or it is publishing already.
   *
   * @throws LedgerRefusal if there is none, or it has ended otherwise
   */
  public BackfillView cancel(String backfillId, boolean stopRunning) {
    return change(
        backfillId,
        BackfillView.State.CANCELLED,
        connection -> {
          Rows.setState(connection, backfillId, "cancelled");
          if (stopRunning) {
            Items.stopRunning(connection, backfillId);
          }
        });
  }

  /**
   * How many of it may run at once; applies from the next claim on.
   *
   * @throws LedgerRefusal if there is none, it has ended, or the number is out of range
   */
  public BackfillView setParallel(String backfillId, int parallel) {
    CheckedRequest.checkParallel(parallel);
    return change(
        backfillId, null, connection -> Rows.setParallel(connection, backfillId, parallel));
  }

  /** A change of one backfill: in the state {@code already}, there is nothing to do. */
  private BackfillView change(
      String backfillId, BackfillView.@Nullable State already, Change change) {
    return database.transaction(
        connection -> {
          if (!Rows.lockOf(connection, backfillId)) {
            throw new LedgerRefusal(
                LedgerRefusal.Kind.INVALID,
                "id",
                "no backfill is called '%s'; backfills list shows them".formatted(backfillId));
          }
          BackfillView.State state = settled(connection, backfillId).state();
          if (state != already) {
            requireActive(backfillId, state);
            change.apply(connection);
            Items.recompute(connection, List.of(backfillId));
          }
          return settled(connection, backfillId);
        });
  }

  private static void requireActive(String backfillId, BackfillView.State state) {
    switch (state) {
      case REQUESTED, RUNNING, PAUSED, FAILED -> {}
      case COMPLETED, CANCELLED, REJECTED ->
          throw new LedgerRefusal(
              LedgerRefusal.Kind.REFUSED,
              "id",
              "backfill '%s' is %s already; ask for the range again instead"
                  .formatted(backfillId, state.name().toLowerCase(java.util.Locale.ROOT)));
    }
  }

  private static BackfillView settled(Connection connection, String backfillId)
      throws SQLException {
    Settling.settleOne(connection, backfillId);
    return Rows.view(connection, backfillId);
  }

  /** A change within the transaction of {@link #change}. */
  @FunctionalInterface
  private interface Change {
    void apply(Connection connection) throws SQLException;
  }
}
