package dev.tidemark.activities.index.build;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.index.ledger.Found;
import dev.tidemark.activities.inputs.MatchingFiles;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.ObjectType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** One look at the datasources of an object type: which transactions each of them has now. */
final class Look {
  private static final String ALL = "all";
  private static final int TIMEOUT_SECONDS = 300;
  private static final int FETCH_SIZE = 5_000;

  private final PipelineCommits pipelines;
  private final Connections connections;
  private final Path baseFolder;

  /**
   * @param baseFolder what the globs of files are relative to
   */
  Look(DataSource ledger, Connections connections, Path baseFolder) {
    this.pipelines = new PipelineCommits(ledger);
    this.connections = connections;
    this.baseFolder = baseFolder;
  }

  /**
   * What each datasource has, by its name, in the order of its commits; none for one of which that
   * cannot be said now.
   */
  Map<String, List<Found>> at(ObjectType type) throws IOException, SQLException {
    Map<String, List<Found>> found = new LinkedHashMap<>();
    for (Datasource datasource : type.datasources()) {
      transactions(datasource).ifPresent(some -> found.put(datasource.name(), some));
    }
    return found;
  }

  private Optional<List<Found>> transactions(Datasource datasource)
      throws IOException, SQLException {
    if (datasource.origin() instanceof Datasource.FromPipeline pipeline) {
      return pipelines.of(datasource, pipeline);
    } else if (datasource.origin() instanceof Datasource.FromSql sql) {
      return Optional.of(List.of(new Found(datasource.name(), ALL, version(sql), null)));
    }
    return Optional.of(files(datasource, (Datasource.FromFiles) datasource.origin()));
  }

  /** A snapshot is all files together, else each file is a transaction. */
  private List<Found> files(Datasource datasource, Datasource.FromFiles files) throws IOException {
    List<Found> found = new ArrayList<>();
    Map<String, String> matching = MatchingFiles.find(baseFolder, files.glob());
    for (Map.Entry<String, String> file : matching.entrySet()) {
      Instant changed = Files.getLastModifiedTime(baseFolder.resolve(file.getKey())).toInstant();
      found.add(new Found(datasource.name(), file.getKey(), file.getValue(), changed));
    }
    if (!(datasource.kind() instanceof Datasource.Snapshot)) {
      found.sort(
          Comparator.comparing(
                  Found::committedAt, Comparator.nullsFirst(Comparator.<Instant>naturalOrder()))
              .thenComparing(Found::identity));
      return found;
    }
    return found.isEmpty()
        ? List.of()
        : List.of(new Found(datasource.name(), ALL, fingerprint(matching.toString()), null));
  }

  /** What the version query says; without one, a fingerprint of all rows. */
  private String version(Datasource.FromSql sql) throws SQLException {
    try (Connection connection = connections.database(sql.connection()).getConnection()) {
      connection.setReadOnly(true);
      // A cursor, and so a bounded memory, needs a transaction.
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.setFetchSize(FETCH_SIZE);
        statement.setQueryTimeout(TIMEOUT_SECONDS);
        String query = sql.version();
        try (ResultSet rows = statement.executeQuery(query == null ? sql.sql() : query)) {
          return query == null ? ofRows(rows) : ofQuery(rows, query);
        }
      } finally {
        connection.rollback();
      }
    }
  }

  private static String ofQuery(ResultSet rows, String query) throws SQLException {
    if (!rows.next() || rows.getMetaData().getColumnCount() != 1) {
      throw new SQLException("the version query must return one value: " + query);
    }
    return String.valueOf(rows.getString(1));
  }

  /** The same whatever the order of the rows is. */
  private static String ofRows(ResultSet rows) throws SQLException {
    int columns = rows.getMetaData().getColumnCount();
    long count = 0;
    long high = 0;
    long low = 0;
    StringBuilder text = new StringBuilder();
    while (rows.next()) {
      text.setLength(0);
      for (int i = 1; i <= columns; i++) {
        String value = rows.getString(i);
        text.append(value == null ? -1 : value.length()).append(' ').append(value);
      }
      UUID hash = UUID.nameUUIDFromBytes(text.toString().getBytes(StandardCharsets.UTF_8));
      high += hash.getMostSignificantBits();
      low += hash.getLeastSignificantBits();
      count++;
    }
    return count + "-" + Long.toHexString(high) + Long.toHexString(low);
  }

  private static String fingerprint(String text) {
    return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();
  }
}
