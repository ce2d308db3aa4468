package dev.tidemark.activities.ledger;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.NamedPartitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.planning.InputHold;
import dev.tidemark.workflows.planning.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Writes down what change detectors saw. */
public final class Observations {
  private static final int BATCH = 5_000;

  private final Database database;

  public Observations(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  private static final Sql NOW = Sql.of("select clock_timestamp() as now");

  /** The database's clock: the begin of a scan. */
  public Instant now() {
    return database.roundTrip(
        connection -> NOW.on(connection).list(row -> row.instant("now")).get(0));
  }

  /**
   * Records versions; a row whose last observation is newer than {@code scanBegan} keeps it. A
   * version other than failed_version unparks and resets the counts.
   *
   * @return how many rows changed
   */
  public int record(RegisteredPipeline pipeline, Instant scanBegan, Stream<Seen> seen) {
    int changed = 0;
    List<Seen> batch = new ArrayList<>();
    try (seen) {
      for (Iterator<Seen> all = seen.iterator(); all.hasNext(); ) {
        batch.add(all.next());
        if (batch.size() == BATCH || !all.hasNext()) {
          changed += record(pipeline, scanBegan, List.copyOf(batch));
          batch.clear();
        }
      }
    }
    return changed;
  }

  /**
   * Writes only what differs. A version that is not there (no_input) leaves the last one as it is.
   * A version that returns to the processed one was first seen when that was: it is not late. What
   * waited for nothing but its upstream waits no longer.
   */
  private static final Sql RECORD =
      Sql.of(
          """
          with changed as (
            select l.id, seen.ready, seen.waits_for,
                   seen.ready and l.upstream_hold is not null and l.failed_claims = 0 as released,
                   case when seen.ready then coalesce(seen.version, '')
                        else l.input_version end as version,
                   seen.ready and coalesce(l.input_version, '') <> coalesce(seen.version, '')
                     as renewed
              from unnest(:slices::text[], :partitions::text[], :versions::text[],
                          :ready::boolean[], :waits_for::text[])
                     as seen (slice, partition, version, ready, waits_for)
              join tidemark.partition_ledger l
                on l.pipeline_id = :pipeline and l.slice = seen.slice
               and l.partition = seen.partition
             where (l.input_observed_at is null or l.input_observed_at < :began)
               and (l.no_input = seen.ready
                 or l.upstream_hold is distinct from seen.waits_for
                 or (seen.ready
                   and coalesce(l.input_version, '') <> coalesce(seen.version, '')))
             order by l.id
               for update of l),
          judged as (
            select changed.*,
                   changed.renewed and changed.version is distinct from l.failed_version as fresh
              from changed join tidemark.partition_ledger l using (id))
          update tidemark.partition_ledger l
             set input_version = judged.version, no_input = not judged.ready,
                 upstream_hold = judged.waits_for,
                 input_observed_at = :began,
                 input_seen_at =
                   case when not judged.renewed then l.input_seen_at
                        when judged.version = l.processed_version then l.processed_seen_at
                        else clock_timestamp() end,
                 parked_at = case when judged.fresh then null else l.parked_at end,
                 failed_claims = case when judged.fresh then 0 else l.failed_claims end,
                 lost = case when judged.fresh then 0 else l.lost end,
                 next_attempt_at = case when judged.fresh or judged.released then null
                                        else l.next_attempt_at end,
                 next_attempt_now = case when judged.fresh or judged.released then null
                                         else l.next_attempt_now end
            from judged
           where l.id = judged.id
          """);

  private int record(RegisteredPipeline pipeline, Instant scanBegan, List<Seen> seen) {
    List<@Nullable String> versions = new ArrayList<>();
    List<@Nullable String> waitsFor = new ArrayList<>();
    seen.forEach(
        one -> {
          versions.add(one.version());
          waitsFor.add(one.waitsFor());
        });
    return database.roundTrip(
        connection ->
            RECORD
                .on(connection)
                .set("pipeline", pipeline.id())
                .set("began", scanBegan)
                .set("slices", seen.stream().map(one -> one.slice().canonical()).toList())
                .set("partitions", seen.stream().map(Seen::partition).toList())
                .set("versions", versions)
                .set("ready", seen.stream().map(Seen::ready).toList())
                .set("waits_for", waitsFor)
                .update());
  }

  private static final Sql PUSH =
      Sql.of(
          """
          insert into tidemark.push (pipeline_id, slice, partition, version)
          select :pipeline, slice, :partition,
                 coalesce(:version, 'pushed ' || gen_random_uuid())
            from (select e.slice from tidemark.expected_slice e
                   where e.pipeline_id = :pipeline
                     and string_to_array(e.slice, '/') @> :filter::text[]
                  union
                  select '' where :whole) as pushed
          on conflict (pipeline_id, slice, partition) do update
             set version = excluded.version, pushed_at = clock_timestamp()
          """);

  /**
   * Notes that the input of a partition changed, of each slice that the filter matches. The version
   * is {@code version}, or a new one where it is null.
   *
   * @return how many slices
   * @throws LedgerRefusal if the pipeline cannot have such a partition, or has no such slice yet
   */
  public int push(
      RegisteredPipeline pipeline, Slice filter, String partition, @Nullable String version) {
    try {
      pipeline.definition().extent().partitions().parse(partition);
    } catch (IllegalArgumentException e) {
      throw new LedgerRefusal(
          LedgerRefusal.Kind.INVALID, "partition", String.valueOf(e.getMessage()));
    }
    NamedPartitions.checkSlice(pipeline, filter);
    boolean whole = pipeline.definition().extent().slices().isEmpty();
    int pushed =
        database.roundTrip(
            connection ->
                PUSH.on(connection)
                    .set("pipeline", pipeline.id())
                    .set("filter", NamedPartitions.parts(filter))
                    .set("whole", whole)
                    .set("partition", partition)
                    .set("version", version)
                    .update());
    if (pushed == 0) {
      throw new LedgerRefusal(
          LedgerRefusal.Kind.INVALID,
          "slice",
          "slice: %s has no slice '%s' yet; they are found out by its sweeps"
              .formatted(pipeline.name(), filter.canonical()));
    }
    return pushed;
  }

  private static final Sql PUSHED =
      Sql.of(
          """
          select slice, partition, version
            from tidemark.push
           where pipeline_id = :pipeline and (slice, partition) > (:slice, :partition)
           order by slice, partition
           limit :most
          """);

  /** The pushed versions of a pipeline, by slice and partition; read page by page. */
  public Stream<Seen> pushed(RegisteredPipeline pipeline) {
    return Stream.iterate(
            page(pipeline, "", ""),
            page -> !page.isEmpty(),
            page -> {
              Seen last = page.get(page.size() - 1);
              return page(pipeline, last.slice().canonical(), last.partition());
            })
        .flatMap(List::stream);
  }

  private List<Seen> page(RegisteredPipeline pipeline, String slice, String partition) {
    return database.roundTrip(
        connection ->
            PUSHED
                .on(connection)
                .set("pipeline", pipeline.id())
                .set("slice", slice)
                .set("partition", partition)
                .set("most", BATCH)
                .list(
                    row ->
                        new Seen(
                            Slice.parse(row.text("slice")),
                            row.text("partition"),
                            row.text("version"),
                            true)));
  }

  /**
   * What a scan saw of one partition.
   *
   * @param version null where no version is known
   * @param ready false where a required input is missing (no_input), or an upstream is not ready
   * @param waitsFor what of an upstream it waits for; null where it waits for none
   */
  public record Seen(
      Slice slice,
      String partition,
      @Nullable String version,
      boolean ready,
      @Nullable String waitsFor) {
    /** Of inputs without an upstream. */
    public Seen(Slice slice, String partition, @Nullable String version, boolean ready) {
      this(slice, partition, version, ready, null);
    }

    /** What an observation says of a partition. */
    public static Seen of(
        Slice slice, String partition, @Nullable String version, @Nullable InputHold hold) {
      String waitsFor =
          hold != null && hold.reason() == Reason.UPSTREAM_NOT_READY ? hold.detail() : null;
      return new Seen(slice, partition, version, hold == null, waitsFor);
    }
  }
}
