package dev.tidemark.activities.ledger.definition;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.CatchUp;
import dev.tidemark.workflows.pipeline.Extent;
import dev.tidemark.workflows.planning.ExpectedSlice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Turns the expected set into rows: every partition that the definition says must exist, up to the
 * newest closed window (A19).
 */
public final class ExpectedSet {
  private final Database database;

  public ExpectedSet(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  /**
   * Adds the rows that are missing up to {@code closedThrough}, marks those that are no longer
   * expected, applies the catch-up policy to what is newly closed. Costs nothing where nothing
   * changed since the last call. Cut off half way, the next call does the rest.
   *
   * @return how many rows were added
   */
  public int bringUpTo(
      RegisteredPipeline pipeline, List<ExpectedSlice> slices, Window closedThrough) {
    Window keptFrom = keptFrom(pipeline, closedThrough);
    List<ExpectedSlice> kept = from(keptFrom, slices);
    if (isUpToDate(pipeline, kept, closedThrough)) {
      return 0;
    }
    Map<String, Progress> progress = progress(pipeline);
    int changed = addMissing(pipeline, kept, closedThrough, progress);
    finish(pipeline, kept, closedThrough, keptFrom);
    return changed;
  }

  /** The oldest window that retention leaves, or null for all. */
  private static @Nullable Window keptFrom(RegisteredPipeline pipeline, Window closedThrough) {
    Extent extent = pipeline.definition().extent();
    if (extent.keep() == null) {
      return null;
    }
    Partitioning partitions = extent.partitions();
    Instant floor =
        closedThrough.start().atZone(partitions.zone()).minus(extent.keep()).toInstant();
    Window containing = partitions.containing(floor);
    return containing.start().isBefore(floor) ? partitions.next(containing) : containing;
  }

  /** Retention moves the first expected window of each slice. */
  private static List<ExpectedSlice> from(@Nullable Window oldest, List<ExpectedSlice> slices) {
    return oldest == null
        ? slices
        : slices.stream()
            .map(slice -> slice.since().compareTo(oldest) < 0 ? slice.from(oldest) : slice)
            .toList();
  }

  private static final Sql UP_TO_DATE =
      Sql.of(
          """
          select count(*) = 0 as same
            from unnest(:slices::text[], :sinces::timestamptz[], :untils::timestamptz[])
                   as wanted (slice, since, until)
            full join (select * from tidemark.expected_slice where pipeline_id = :pipeline) present
                 using (slice)
           where present.slice is null or wanted.slice is null
              or present.since <> wanted.since
              or present.until is distinct from wanted.until
              or present.revision <> :revision
              or present.through is null
              or present.through < least(:through::timestamptz, wanted.until)
          """);

  private boolean isUpToDate(
      RegisteredPipeline pipeline, List<ExpectedSlice> slices, Window closedThrough) {
    return database.roundTrip(
        connection ->
            set(UP_TO_DATE.on(connection), slices)
                .set("pipeline", pipeline.id())
                .set("revision", pipeline.revision())
                .set("through", closedThrough.end())
                .list(row -> row.flag("same"))
                .get(0));
  }

  private static Sql.Call set(Sql.Call call, List<ExpectedSlice> slices) {
    return call.set("slices", slices.stream().map(s -> s.slice().canonical()).toList())
        .set("sinces", slices.stream().map(s -> s.since().start()).toList())
        .set("untils", slices.stream().map(s -> startOrNull(s.until())).toList());
  }

  private static @Nullable Instant startOrNull(@Nullable Window window) {
    return window == null ? null : window.start();
  }

  private static final Sql PROGRESS =
      Sql.of(
          "select slice, since, through from tidemark.expected_slice where pipeline_id = :pipeline");

  /** The rows of a slice as they are: its windows from since up to through. */
  private record Progress(Instant since, @Nullable Instant through) {}

  private Map<String, Progress> progress(RegisteredPipeline pipeline) {
    Map<String, Progress> progress = new HashMap<>();
    database.roundTrip(
        connection -> {
          PROGRESS
              .on(connection)
              .set("pipeline", pipeline.id())
              .results(
                  row ->
                      progress.put(
                          row.text("slice"),
                          new Progress(row.instant("since"), row.instantOrNull("through"))));
          return progress;
        });
    return progress;
  }

  /** Windows that a slice lacks: [from, before), oldest first. */
  private record Gap(ExpectedSlice slice, Instant from, Instant before) {
    boolean has(Window window) {
      return !window.start().isBefore(from) && window.start().isBefore(before);
    }
  }

  private int addMissing(
      RegisteredPipeline pipeline,
      List<ExpectedSlice> slices,
      Window closedThrough,
      Map<String, Progress> progress) {
    List<Gap> gaps = new ArrayList<>();
    for (ExpectedSlice slice : slices) {
      gaps.addAll(gaps(slice, closedThrough, progress.get(slice.slice().canonical())));
    }
    if (gaps.isEmpty()) {
      return 0;
    }
    Partitioning partitions = pipeline.definition().extent().partitions();
    ExpectedRows rows =
        new ExpectedRows(database, pipeline, skipped(pipeline, closedThrough, progress));
    Instant oldest = gaps.stream().map(Gap::from).min(Instant::compareTo).orElseThrow();
    Window window = partitions.containing(oldest);
    while (!window.start().isAfter(closedThrough.start())) {
      for (Gap gap : gaps) {
        if (gap.has(window)) {
          rows.add(gap.slice().slice(), window);
        }
      }
      window = partitions.next(window);
    }
    return rows.flush();
  }

  private static List<Gap> gaps(
      ExpectedSlice slice, Window closedThrough, @Nullable Progress present) {
    Instant since = slice.since().start();
    Instant end = closedThrough.end();
    Instant until = startOrNull(slice.until());
    if (until != null && until.isBefore(end)) {
      end = until;
    }
    Instant through = present == null ? null : present.through();
    List<Gap> gaps = new ArrayList<>();
    // A slice that begins in the future has no rows, however far it has come.
    if (present == null || through == null || through.isBefore(present.since())) {
      gaps.add(new Gap(slice, since, end));
    } else {
      gaps.add(new Gap(slice, since, present.since().isBefore(end) ? present.since() : end));
      gaps.add(new Gap(slice, through.isBefore(since) ? since : through, end));
    }
    gaps.removeIf(gap -> !gap.from().isBefore(gap.before()));
    return gaps;
  }

  /**
   * The catch-up policy passes over what closed since the last call, but for the newest windows.
   * What is older than that is not newly closed: history added by a definition is always due (A20).
   */
  private static Skipped skipped(
      RegisteredPipeline pipeline, Window closedThrough, Map<String, Progress> progress) {
    if (!(pipeline.definition().pace().catchUp() instanceof CatchUp.Newest newest)) {
      return Skipped.NONE;
    }
    Instant from = Instant.MIN;
    for (Progress slice : progress.values()) {
      Instant through = slice.through();
      if (through != null && through.isAfter(from)) {
        from = through;
      }
    }
    Window first =
        pipeline.definition().extent().partitions().plus(closedThrough, 1 - newest.windows());
    return new Skipped(from, first.start());
  }

  /** Windows that start in [from, before) are passed over. */
  record Skipped(Instant from, Instant before) {
    static final Skipped NONE = new Skipped(Instant.MIN, Instant.MIN);

    boolean has(Window window) {
      return !window.start().isBefore(from) && window.start().isBefore(before);
    }
  }

  /**
   * Rows outside the definition are kept and no longer expected. Written only if the definition is
   * still the registered one: of two workers the newer wins. A now given by hand may lie before the
   * last one: what has rows stays expected.
   */
  private static final Sql FINISH =
      Sql.of(
          """
          select pg_advisory_xact_lock(hashtext('tidemark.expected'), :pipeline);

          update tidemark.partition_ledger l
             set expected = false
            from (select coalesce(wanted.slice, present.slice) as slice, wanted.since,
                         wanted.until
                    from unnest(:slices::text[], :sinces::timestamptz[], :untils::timestamptz[])
                           as wanted (slice, since, until)
                    full join (select * from tidemark.expected_slice
                                where pipeline_id = :pipeline) present using (slice)) wanted
           where l.pipeline_id = :pipeline and l.slice = wanted.slice and l.expected
             and (wanted.since is null or l.window_start < wanted.since
               or l.window_start >= least(:end::timestamptz, wanted.until))
             and exists (select from tidemark.pipeline
                          where pipeline_id = :pipeline and revision = :revision)
          returning l.id;

          delete from tidemark.expected_slice
           where pipeline_id = :pipeline and slice <> all(:slices)
             and exists (select from tidemark.pipeline
                          where pipeline_id = :pipeline and revision = :revision);

          insert into tidemark.expected_slice as present
                 (pipeline_id, slice, since, until, retained, through, revision)
          select :pipeline, wanted.slice, wanted.since, wanted.until,
                 coalesce(wanted.since = :kept_from::timestamptz, false),
                 least(:through::timestamptz, wanted.until), :revision
            from unnest(:slices::text[], :sinces::timestamptz[], :untils::timestamptz[])
                   as wanted (slice, since, until)
           where exists (select from tidemark.pipeline
                          where pipeline_id = :pipeline and revision = :revision)
          on conflict (pipeline_id, slice) do update
             set since = excluded.since, until = excluded.until, retained = excluded.retained,
                 revision = excluded.revision,
                 through = least(greatest(present.through, excluded.through), :end::timestamptz,
                                 excluded.until)
          """);

  private void finish(
      RegisteredPipeline pipeline,
      List<ExpectedSlice> slices,
      Window closedThrough,
      @Nullable Window keptFrom) {
    boolean stateful = pipeline.definition().integration().stateful();
    database.transaction(
        connection -> {
          if (stateful) {
            Predecessors.lock(connection, pipeline.id());
            Predecessors.adopt(connection, pipeline);
          } else {
            Predecessors.forget(connection, pipeline);
          }
          List<Long> gone = new ArrayList<>();
          set(FINISH.on(connection), slices)
              .set("pipeline", pipeline.id())
              .set("revision", pipeline.revision())
              .set("end", pipeline.definition().extent().partitions().endInstant())
              .set("through", closedThrough.end())
              .set("kept_from", startOrNull(keptFrom))
              .results(locked -> {}, row -> gone.add(row.number("id")));
          Predecessors.link(connection, gone);
          return gone;
        });
  }
}
