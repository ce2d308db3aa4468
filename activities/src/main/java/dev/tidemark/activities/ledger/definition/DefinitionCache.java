package dev.tidemark.activities.ledger.definition;

import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The definitions that this process has read: a revision never changes. Bounded. */
public final class DefinitionCache {
  private static final int MAX_ENTRIES = 1000;

  private final Map<Integer, Entry> newest =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Entry> eldest) {
          return size() > MAX_ENTRIES;
        }
      };

  private static final Sql DEFINITION =
      Sql.of(
          """
          select definition::text as definition
            from tidemark.revision
           where pipeline_id = :pipeline and revision = :revision
          """);

  /** The pipeline with its definition, from memory where it is there. */
  public RegisteredPipeline complete(Connection connection, Key key) throws SQLException {
    Optional<RegisteredPipeline> known = known(key);
    if (known.isPresent()) {
      return known.get();
    }
    String json =
        DEFINITION
            .on(connection)
            .set("pipeline", key.id())
            .set("revision", key.revision())
            .first(row -> row.text("definition"))
            .orElseThrow(() -> new IllegalStateException("no revision for " + key));
    Entry read = new Entry(key.revision(), DefinitionDocument.parse(json));
    synchronized (newest) {
      newest.put(key.id(), read);
    }
    return key.with(read.definition());
  }

  /** The pipeline with its definition, if this process has read it. */
  public Optional<RegisteredPipeline> known(Key key) {
    Entry known;
    synchronized (newest) {
      known = newest.get(key.id());
    }
    return known == null || known.revision() != key.revision()
        ? Optional.empty()
        : Optional.of(key.with(known.definition()));
  }

  private record Entry(int revision, PipelineDefinition definition) {}

  /** A registered pipeline without its definition. */
  public record Key(
      int id, int revision, String fingerprint, boolean paused, @Nullable Instant lookbackFloor) {

    /** From the columns pipeline_id, revision, fingerprint, paused, lookback_floor. */
    public static Key of(Row row) throws SQLException {
      return new Key(
          row.integer("pipeline_id"),
          row.integer("revision"),
          row.text("fingerprint"),
          row.flag("paused"),
          row.instantOrNull("lookback_floor"));
    }

    private RegisteredPipeline with(PipelineDefinition definition) {
      return new RegisteredPipeline(id, revision, fingerprint, paused, lookbackFloor, definition);
    }
  }
}
