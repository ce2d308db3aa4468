package dev.tidemark.activities.index.health;

import dev.tidemark.activities.index.ledger.ObjectIndex;
import dev.tidemark.activities.index.ledger.ObjectIndexes;
import dev.tidemark.activities.index.ledger.ObjectTypes;
import dev.tidemark.activities.index.ledger.ObjectTypes.Registered;
import dev.tidemark.activities.index.ledger.ServingProcesses;
import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** How object types stand. */
public final class ObjectHealth {
  private final ObjectTypes types;
  private final ObjectIndexes indexes;
  private final ServingProcesses processes;
  private final SyncDelays delays;
  private final Database database;

  public ObjectHealth(DataSource ledger) {
    this.types = new ObjectTypes(ledger);
    this.indexes = new ObjectIndexes(ledger);
    this.processes = new ServingProcesses(ledger);
    this.delays = new SyncDelays(ledger);
    this.database = new Database(ledger);
  }

  /**
   * One object type.
   *
   * @param served what queries are answered from; null before the first build
   * @param editOffset of the newest edit
   * @param waitingSeconds how long the oldest commit of a source has been waiting to be seen by
   *     queries
   * @param allowedSeconds how long it may; null where nothing is said
   * @param upcoming what is to replace it, or has failed to; null where there is none
   * @param newest the state of the newest build of the live index and of what is upcoming, by role
   * @param processes those that answer queries, and what they have of the served index
   */
  public record Standing(
      @Nullable Index served,
      long editOffset,
      long waitingSeconds,
      @Nullable Long allowedSeconds,
      @Nullable Index upcoming,
      Map<String, String> newest,
      List<ServingProcesses.Serving> processes) {
    public Standing {
      newest = new TreeMap<>(newest);
      processes = List.copyOf(processes);
    }

    /** The same, with this in place of what went wrong in each process. */
    public Standing hiding(String instead) {
      List<ServingProcesses.Serving> hidden =
          processes.stream().map(process -> process.hiding(instead)).toList();
      return new Standing(
          served == null ? null : served.hiding(instead),
          editOffset,
          waitingSeconds,
          allowedSeconds,
          upcoming == null ? null : upcoming.hiding(instead),
          newest,
          hidden);
    }
  }

  /**
   * An index.
   *
   * @param editOffset edits up to here are in its files
   * @param because why its newest build has failed, or why it will never be served; else null
   */
  public record Index(
      long index,
      int revision,
      String role,
      long generation,
      long objects,
      long editOffset,
      @Nullable String because) {
    private Index hiding(String instead) {
      String hidden = because == null ? null : instead;
      return new Index(index, revision, role, generation, objects, editOffset, hidden);
    }

    private static Index of(ObjectIndex index, @Nullable String because) {
      return new Index(
          index.id(),
          index.revision(),
          index.role().name().toLowerCase(Locale.ROOT),
          index.built().generation(),
          index.built().objects(),
          index.built().editOffset(),
          because);
    }
  }

  /** A type and how it stands. */
  public record Of(String type, Standing standing) {}

  /** All of them, by name. */
  public List<Of> all() {
    List<Of> all = new ArrayList<>();
    for (Registered type : types.all()) {
      List<ObjectIndex> known = indexes.all(type.name());
      if (!known.isEmpty()) {
        all.add(new Of(type.name(), of(type, known)));
      }
    }
    return all;
  }

  /**
   * One of them.
   *
   * @param known its indexes, the newest first; at least one
   */
  public Standing of(Registered type, List<ObjectIndex> known) {
    Optional<ObjectIndex> served =
        known.stream().filter(index -> Objects.equals(index.id(), type.serving())).findFirst();
    ObjectIndex shown = served.orElse(known.get(0));
    Optional<ObjectIndex> upcoming =
        known.stream()
            .takeWhile(index -> index.id() != shown.id())
            .filter(
                index ->
                    index.role() == ObjectIndex.Role.REPLACEMENT
                        || index.role() == ObjectIndex.Role.FAILED)
            .findFirst();
    Map<Long, String> because = because(Stream.concat(served.stream(), upcoming.stream()));
    Duration within = shown.type().rhythm().syncWithin();
    return new Standing(
        served.map(index -> Index.of(index, because.get(index.id()))).orElse(null),
        type.editOffset(),
        delays.of(shown).toSeconds(),
        within == null ? null : Long.valueOf(within.toSeconds()),
        upcoming.map(index -> Index.of(index, because.get(index.id()))).orElse(null),
        newest(type.name()),
        processes.of(shown));
  }

  private static final Sql BECAUSE =
      Sql.of(
          """
          select i.object_index_id,
                 case i.role when 'failed' then i.ended_because else b.error end as because
            from tidemark.object_index i
            left join lateral (
              select case n.state when 'failed' then n.error end as error
                from tidemark.object_build n
               where n.object_index_id = i.object_index_id
                 and n.state in ('completed', 'failed')
               order by n.build_id desc
               limit 1) b on true
           where i.object_index_id = any(:indexes::bigint[])
          """);

  /** Of each of these that has one, the reason. */
  private Map<Long, String> because(Stream<ObjectIndex> of) {
    List<Long> ids = of.map(ObjectIndex::id).toList();
    Map<Long, String> reasons = new HashMap<>();
    database.roundTrip(
        connection -> {
          BECAUSE
              .on(connection)
              .set("indexes", ids)
              .results(
                  row -> {
                    String reason = row.textOrNull("because");
                    if (reason != null && !reason.isEmpty()) {
                      reasons.put(row.number("object_index_id"), reason);
                    }
                  });
          return reasons;
        });
    return reasons;
  }

  private static final Sql NEWEST =
      Sql.of(
          """
          select distinct on (i.role) i.role, b.state
            from tidemark.object_type t
            join tidemark.object_index i using (object_type_id)
            join tidemark.object_build b using (object_index_id)
           where t.name = :type and t.removed_at is null and i.role in ('live', 'replacement')
           order by i.role, b.build_id desc
          """);

  private Map<String, String> newest(String type) {
    Map<String, String> states = new TreeMap<>();
    database.roundTrip(
        connection -> {
          NEWEST
              .on(connection)
              .set("type", type)
              .results(row -> states.put(row.text("role"), row.text("state")));
          return states;
        });
    return states;
  }
}
