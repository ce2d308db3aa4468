package dev.tidemark.activities.ledger.freshness;

import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.planning.ExpectedSlice;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Closed partitions that no sweep has made a row of yet (c-B22): they are expected, and nobody has
 * begun.
 */
public final class Unrowed {
  private final Partitioning partitions;
  private final List<Ahead> ahead;
  private final Instant newest;

  private Unrowed(Partitioning partitions, List<Ahead> ahead, Instant newest) {
    this.partitions = partitions;
    this.ahead = ahead;
    this.newest = newest;
  }

  // The slices that have come equally far are one line; their names are wanted only where something
  // is missing.
  private static final Sql EXPECTED_FROM =
      Sql.of(
          """
          select greatest(since, through) as next, until,
                 case when greatest(since, through) <= :newest
                       and (until is null or greatest(since, through) < until)
                      then array_agg(slice order by slice) end as names
            from tidemark.expected_slice
           where pipeline_id = :pipeline
           group by 1, 2
          """);

  /**
   * Reads what there is of them.
   *
   * @param slices what the pipeline expects; counts only where the ledger knows nothing of it
   * @param newest start of the newest window that counts
   */
  public static Unrowed read(
      Connection connection,
      RegisteredPipeline pipeline,
      List<ExpectedSlice> slices,
      Instant newest)
      throws SQLException {
    List<Ahead> known =
        EXPECTED_FROM
            .on(connection)
            .set("pipeline", pipeline.id())
            .set("newest", newest)
            .list(
                row ->
                    new Ahead(row.instant("next"), row.instantOrNull("until"), row.texts("names")));
    // No sweep has planned it yet: all that it expects has no row.
    return new Unrowed(
        pipeline.definition().extent().partitions(),
        known.isEmpty() ? slices.stream().map(Ahead::of).toList() : known,
        newest);
  }

  /** How many there are. */
  public int count() {
    return ahead.stream()
        .mapToInt(one -> one.windows(partitions, newest).size() * one.slices().size())
        .sum();
  }

  /** Start of the first of them, or null. */
  public @Nullable Instant first() {
    return ahead.stream()
        .flatMap(one -> one.windows(partitions, newest).stream().limit(1))
        .map(Window::start)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  /** The oldest of them, at most so many. */
  public List<One> oldest(int most) {
    List<One> all = new ArrayList<>();
    for (Ahead one : ahead) {
      one.windows(partitions, newest).stream()
          .limit(most)
          .flatMap(window -> one.slices().stream().map(slice -> new One(slice, window)))
          .limit(most)
          .forEach(all::add);
    }
    all.sort(Comparator.comparing(One::window).thenComparing(One::slice));
    return List.copyOf(all.subList(0, Math.min(most, all.size())));
  }

  /**
   * One of them.
   *
   * @param slice canonical text
   */
  public record One(String slice, Window window) {}

  /** Windows without a row yet: they start at {@code next} or later, and before {@code until}. */
  private record Ahead(Instant next, @Nullable Instant until, List<String> slices) {
    private static Ahead of(ExpectedSlice slice) {
      Window until = slice.until();
      return new Ahead(
          slice.since().start(),
          until == null ? null : until.start(),
          List.of(slice.slice().canonical()));
    }

    List<Window> windows(Partitioning partitions, Instant newest) {
      Instant end = newest.plusMillis(1);
      return slices.isEmpty()
          ? List.of()
          : partitions.windows(next, until != null && until.isBefore(end) ? until : end);
    }
  }
}
