package dev.tidemark.activities.ledger.attempt;

import dev.tidemark.activities.ledger.attempt.Attempts.Committed;
import dev.tidemark.activities.ledger.attempt.GroupedWrites.Patience;
import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settle of commits: those of the same moment in one round trip. By the newest token it ends
 * whatever claim the row has; an attempt whose lease passed without anybody beginning another is
 * still the newest.
 */
final class Committing {
  private final Database database;
  private final GroupedWrites<Request, Written> writes =
      new GroupedWrites<>(Request::token, this::write);

  Committing(Database database) {
    this.database = database;
  }

  /**
   * A function of the database (its migration says how): the steps of a group, of which stateful
   * pipelines need more than others, as one statement (C20). What a commit delivers is what the
   * attempt recorded at its begin. Numbers travel as text, so that a list of nulls has the same
   * type.
   */
  private static final Sql COMMIT =
      Sql.of(
          """
          select settled_token, is_changed
            from tidemark.settle_commits(
                   :tokens::bigint[], :committed::text[]::bigint[], :outputs::text[],
                   :contents::text[], :rows::text[]::bigint[], :bytes::text[]::bigint[],
                   :files::text[]::integer[], :logs::text[], :lock_timeout::text)
          """);

  /** What became of each; nothing is written for one that was not the newest. */
  private List<Written> write(List<Request> requests, Patience patience) {
    Map<Long, Written> settled =
        database.roundTrip(
            connection -> {
              Map<Long, Written> tokens = new HashMap<>();
              COMMIT
                  .on(connection)
                  .set("lock_timeout", patience.lockTimeout())
                  .set("tokens", requests.stream().map(Request::token).toList())
                  .set("outputs", each(requests, request -> request.committed().output()))
                  .set("contents", each(requests, request -> request.committed().content()))
                  .set("rows", each(requests, request -> text(request.committed().rows())))
                  .set("bytes", each(requests, request -> text(request.committed().bytes())))
                  .set("files", each(requests, request -> text(request.committed().files())))
                  .set("committed", each(requests, request -> text(request.committed().token())))
                  .set("logs", each(requests, Request::log))
                  .results(
                      row ->
                          tokens.put(
                              row.number("settled_token"),
                              row.flag("is_changed") ? Written.CHANGED : Written.AS_BEFORE));
              return tokens;
            });
    return requests.stream()
        .map(request -> settled.getOrDefault(request.token(), Written.NOTHING))
        .toList();
  }

  private static List<@Nullable String> each(
      List<Request> requests, Function<Request, @Nullable String> value) {
    return requests.stream().map(value).toList();
  }

  private static @Nullable String text(@Nullable Number number) {
    return number == null ? null : number.toString();
  }

  Settlement commit(long token, Committed committed, @Nullable String log) {
    Written written = writes.submit(new Request(token, committed, log));
    return written == Written.NOTHING
        ? database.roundTrip(connection -> Settling.refused(connection, token))
        : new Settlement.Ended(
            new PartitionOutcome(PartitionOutcome.Kind.COMMITTED, null),
            written == Written.CHANGED);
  }

  private enum Written {
    /** It was not the newest. */
    NOTHING,
    /** The same content as before. */
    AS_BEFORE,
    CHANGED
  }

  private record Request(long token, Committed committed, @Nullable String log) {}
}
