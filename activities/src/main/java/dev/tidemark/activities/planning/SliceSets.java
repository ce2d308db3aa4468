package dev.tidemark.activities.planning;

import dev.tidemark.activities.account.OutputSlices;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.connection.NamedSql;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.SliceSet;
import dev.tidemark.workflows.planning.ExpectedSlice;
import dev.tidemark.workflows.planning.ExpectedSlices;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The slices of a definition now: products written down, and the rows of queries (A17, A19). */
public final class SliceSets {
  private static final int TIMEOUT_SECONDS = 60;
  private static final int FETCH_SIZE = 5_000;

  private final Connections connections;

  public SliceSets(Connections connections) {
    this.connections = connections;
  }

  /**
   * Sorted by slice, each once, from the earliest window that any line gives it to the latest.
   *
   * @throws SQLException if a query cannot be run; never taken for "no slices"
   * @throws IllegalArgumentException if the slices are not valid; the message names the query's
   *     column or the line's key
   */
  public List<ExpectedSlice> expand(PipelineDefinition definition) throws SQLException {
    Partitioning partitions = definition.extent().partitions();
    List<SliceSet> sets = definition.extent().slices();
    if (sets.isEmpty()) {
      return ExpectedSlices.none(partitions);
    }
    List<SliceSet.Product> products = new ArrayList<>();
    List<ExpectedSlice> slices = new ArrayList<>();
    for (SliceSet set : sets) {
      if (set instanceof SliceSet.Product product) {
        products.add(product);
      } else if (set instanceof SliceSet.Query query) {
        slices.addAll(rows(partitions, query));
      }
    }
    slices.addAll(ExpectedSlices.ofProducts(partitions, products));
    List<ExpectedSlice> merged = ExpectedSlices.merge(slices);
    OutputSlices.requireApart(
        definition.extent(), merged.stream().map(ExpectedSlice::slice).toList());
    return merged;
  }

  private List<ExpectedSlice> rows(Partitioning partitions, SliceSet.Query query)
      throws SQLException {
    List<ExpectedSlice> slices = new ArrayList<>();
    try (Connection connection = connections.database(query.connection()).getConnection()) {
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      try (PreparedStatement statement =
          NamedSql.parse(query.sql()).prepare(connection, Map.of())) {
        statement.setFetchSize(FETCH_SIZE);
        statement.setMaxRows(ExpectedSlices.MAX_SLICES + 1);
        statement.setQueryTimeout(TIMEOUT_SECONDS);
        try (ResultSet rows = statement.executeQuery()) {
          while (rows.next()) {
            slices.add(slice(partitions, rows));
          }
        }
      } finally {
        connection.rollback();
      }
    }
    return slices;
  }

  private static ExpectedSlice slice(Partitioning partitions, ResultSet rows) throws SQLException {
    ResultSetMetaData columns = rows.getMetaData();
    Map<String, String> values = new TreeMap<>();
    @Nullable String since = null;
    @Nullable String until = null;
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      String column = columns.getColumnLabel(i);
      String value = rows.getString(i);
      if (column.equals("since")) {
        since = value;
      } else if (column.equals("until")) {
        until = value;
      } else if (value == null) {
        throw new IllegalArgumentException(
            "slices: the query returns a row whose " + column + " is null");
      } else if (value.isBlank()) {
        throw new IllegalArgumentException(
            "slices: the query returns a row whose "
                + column
                + " is empty; leave such rows out with where, or give them a value");
      } else {
        values.put(column, value);
      }
    }
    return ExpectedSlices.of(partitions, values, since, until);
  }
}
