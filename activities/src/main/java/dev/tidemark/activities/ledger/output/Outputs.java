package dev.tidemark.activities.ledger.output;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.NamedPartitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.partition.Slice;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What the ledger believes of the outputs, to be compared with the stores; page by page. */
public final class Outputs {
  private final Database database;

  public Outputs(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  /** Where a page ended: the next one begins after it. */
  public record Place(String slice, String partition) {
    static final Place BEGIN = new Place("", "");
  }

  /**
   * Which partitions.
   *
   * @param from start of the first window, null for no bound
   * @param to start of the last window, inclusive, null for no bound
   */
  public record Range(@Nullable Instant from, @Nullable Instant to) {
    public static final Range ALL = new Range(null, null);
  }

  /**
   * A page of them, by slice and label.
   *
   * @param next where the following page begins, null after the last
   */
  public record Page(List<OutputRow> rows, @Nullable Place next) {}

  private static final String SELECT =
      """
      select l.id, l.xmin::text as version, l.slice, l.partition, l.window_start, l.window_end,
             l.committed_token, l.output, l.files, l.bytes, l.content, l.definition,
             l.expected and l.excused_at is null and l.claim_id is null as judged,
             l.output_lost_at is not null as lost
        from tidemark.partition_ledger l
      """;

  // What is not expected and was never committed has no output to be compared with.
  private static final Sql PAGE =
      Sql.of(
          SELECT
              + """
           where l.pipeline_id = :pipeline
             and (l.slice, l.partition) > (:slice, :partition)
             and (:from::timestamptz is null or l.window_start >= :from)
             and (:to::timestamptz is null or l.window_start <= :to)
             and (l.expected or l.committed_token is not null)
           order by l.slice, l.partition
           limit :most
          """);

  /**
   * The next rows.
   *
   * @param after where the page before it ended, null for the beginning
   */
  public Page page(RegisteredPipeline pipeline, Range range, @Nullable Place after, int most) {
    Place begin = after == null ? Place.BEGIN : after;
    List<OutputRow> rows =
        database.roundTrip(
            connection ->
                PAGE.on(connection)
                    .set("pipeline", pipeline.id())
                    .set("slice", begin.slice())
                    .set("partition", begin.partition())
                    .set("from", range.from())
                    .set("to", range.to())
                    .set("most", most + 1)
                    .list(OutputRow::of));
    if (rows.size() <= most) {
      return new Page(rows, null);
    }
    OutputRow last = rows.get(most - 1);
    return new Page(
        rows.subList(0, most), new Place(last.slice().canonical(), last.window().label()));
  }

  private static final Sql ROWS =
      Sql.of(
          SELECT
              + """
           where l.pipeline_id = :pipeline and l.partition = any(:partitions::text[])
             and l.expected and string_to_array(l.slice, '/') @> :slice::text[]
           order by l.window_start, l.slice
          """);

  /**
   * The rows of these partitions, in each slice that the filter matches.
   *
   * @throws LedgerRefusal if one of them has none: it is not closed, or not expected
   */
  public List<OutputRow> rows(RegisteredPipeline pipeline, List<String> partitions, Slice filter) {
    List<OutputRow> rows =
        database.roundTrip(
            connection ->
                ROWS.on(connection)
                    .set("pipeline", pipeline.id())
                    .set("partitions", partitions)
                    .set("slice", NamedPartitions.parts(filter))
                    .list(OutputRow::of));
    for (String label : partitions) {
      if (rows.stream().noneMatch(row -> row.window().label().equals(label))) {
        throw new LedgerRefusal(
            LedgerRefusal.Kind.INVALID,
            "partition",
            ("partition '%s' of %s is not in the ledger: it is not closed yet, or not expected;"
                    + " explain says which")
                .formatted(label, pipeline.name()));
      }
    }
    return rows;
  }

  private static final Sql COMMITTED =
      Sql.of(
          """
          select exists (select from tidemark.partition_ledger
                          where pipeline_id = :pipeline and committed_token is not null) as some
          """);

  /** Whether anything was ever committed. */
  public boolean hasCommits(RegisteredPipeline pipeline) {
    return database
        .roundTrip(
            connection ->
                COMMITTED
                    .on(connection)
                    .set("pipeline", pipeline.id())
                    .list(row -> row.flag("some")))
        .get(0);
  }

  /**
   * How far the comparison has come.
   *
   * @param after where the last sweep's part ended, null for the beginning
   * @param counted how many were not believed to be missing in the parts before it
   * @param missing null unless so many were missing that a person decides
   */
  public record State(@Nullable Place after, int counted, @Nullable Missing missing) {}

  /** Outputs that were missing at once, so many that none of them was made due. */
  public record Missing(int count, Instant since) {
    /** For people. */
    public String text(String pipeline) {
      return ("%s: %d outputs are missing from the store since %s, too many at once to be believed: none is due for it."
              + " If the store is as it should be, `tidemark reconcile %s --confirm` makes them due")
          .formatted(pipeline, count, since, pipeline);
    }
  }

  private static final Sql STATE =
      Sql.of(
          """
          select checked_slice, checked_partition, outputs_counted, outputs_missing,
                 outputs_missing_since
            from tidemark.pipeline
           where pipeline_id = :pipeline
          """);

  /** Where the last sweep's comparison ended, and what it found. */
  public State state(RegisteredPipeline pipeline) {
    return database
        .roundTrip(
            connection ->
                STATE
                    .on(connection)
                    .set("pipeline", pipeline.id())
                    .first(
                        row -> {
                          String slice = row.textOrNull("checked_slice");
                          Instant since = row.instantOrNull("outputs_missing_since");
                          return new State(
                              slice == null
                                  ? null
                                  : new Place(slice, row.text("checked_partition")),
                              row.integer("outputs_counted"),
                              since == null
                                  ? null
                                  : new Missing(row.integer("outputs_missing"), since));
                        }))
        .orElse(new State(null, 0, null));
  }

  /** Outputs that are missing at once, so many that a person decides; empty if there are none. */
  public Optional<Missing> missing(RegisteredPipeline pipeline) {
    return Optional.ofNullable(state(pipeline).missing());
  }

  private static final Sql NOTE =
      Sql.of(
          """
          update tidemark.pipeline
             set checked_slice = :slice, checked_partition = :partition,
                 outputs_counted = :counted, outputs_missing = :missing,
                 outputs_missing_since = case when :missing::integer is null then null
                   else coalesce(outputs_missing_since, clock_timestamp()) end
           where pipeline_id = :pipeline
             and (checked_slice, checked_partition, outputs_counted, outputs_missing)
                 is distinct from (:slice::text, :partition::text, :counted, :missing::integer)
          """);

  /**
   * Notes that a sweep has compared a part. What is missing is cleared only when all parts of a
   * round had nothing in doubt: a part that is whole says nothing about the others.
   *
   * @param before as it was before the part
   * @param next where the next sweep's part begins, null where this was the last of a round
   * @param doubted how many of the part are missing, too many to be believed; else 0
   */
  public void note(RegisteredPipeline pipeline, State before, @Nullable Place next, int doubted) {
    int counted = before.counted() + doubted;
    int known = next == null || before.missing() == null ? 0 : before.missing().count();
    Noted after = new Noted(next, next == null ? 0 : counted, Math.max(counted, known));
    int was = before.missing() == null ? 0 : before.missing().count();
    if (!after.equals(new Noted(before.after(), before.counted(), was))) {
      note(pipeline, after);
    }
  }

  /**
   * Notes what a comparison of everything found.
   *
   * @param doubted how many are missing, too many to be believed; else 0
   */
  public void noteAll(RegisteredPipeline pipeline, int doubted) {
    note(pipeline, new Noted(null, 0, doubted));
  }

  private record Noted(@Nullable Place next, int counted, int missing) {}

  private void note(RegisteredPipeline pipeline, Noted noted) {
    Place next = noted.next();
    database.roundTrip(
        connection ->
            NOTE.on(connection)
                .set("pipeline", pipeline.id())
                .set("slice", next == null ? null : next.slice())
                .set("partition", next == null ? null : next.partition())
                .set("counted", noted.counted())
                .set("missing", noted.missing() == 0 ? null : noted.missing())
                .update());
  }

  private static final Sql MARK =
      Sql.of(
          """
          with gone as (
            select l.id
              from unnest(:ids::bigint[], :versions::text[]) as judged (id, version)
              join tidemark.partition_ledger l on l.id = judged.id
             where l.xmin::text = judged.version and l.claim_id is null
             order by l.id
               for update of l skip locked)
          update tidemark.partition_ledger l
             set output_lost_at = case when :lost then clock_timestamp() end
            from gone
           where l.id = gone.id
          """);

  /**
   * Makes outputs due again, or no longer due: lost, or back. A row that anything was written to
   * since it was read, by a begin or a settle too, is left for the next sweep: a claim by the row's
   * version needs no clock.
   *
   * @return how many rows changed
   */
  public int mark(List<OutputRow> rows, boolean lost) {
    if (rows.isEmpty()) {
      return 0;
    }
    return database.roundTrip(
        connection ->
            MARK.on(connection)
                .set("ids", rows.stream().map(OutputRow::id).toList())
                .set("versions", rows.stream().map(OutputRow::version).toList())
                .set("lost", lost)
                .update());
  }
}
