package dev.tidemark.activities.connection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of accounts, each with credentials of its own, in the rows of a database (B40). A row
 * is read each time that it is needed and kept nowhere but in memory: what is changed there holds
 * from the next attempt on.
 */
public final class Destinations implements AutoCloseable {
  /** The query's only parameter. */
  public static final String ACCOUNT = "account";

  private static final String BUCKET = "bucket";
  private static final String ACCESS_KEY = "access_key";
  private static final String SECRET_KEY = "secret_key";
  private static final Set<String> COLUMNS =
      new TreeSet<>(
          Set.of(BUCKET, "prefix", "region", "endpoint", "path_style", ACCESS_KEY, SECRET_KEY));

  private static final int TIMEOUT_SECONDS = 30;

  /** Kept at once; one that falls out is made again when it is needed. */
  private static final int MOST_CLIENTS = 200;

  private final String name;
  private final DataSource database;
  private final NamedSql query;
  private final LastUsed<Access, Bucket> buckets = new LastUsed<>(MOST_CLIENTS);

  /** What a client is made for; it stays for as long as a row says the same. */
  private record Access(Bucket.Place place, Bucket.Credentials credentials) {}

  /**
   * @param name of the connection, for people
   * @param sql with the parameter {@code :account}; it returns one row, with a column {@code
   *     bucket} and, where they are needed, {@code prefix, region, endpoint, path_style,
   *     access_key, secret_key}
   */
  public Destinations(String name, DataSource database, String sql) {
    this.name = name;
    this.database = database;
    this.query = NamedSql.parse(sql);
  }

  /**
   * Where the outputs of an account go.
   *
   * @param prefix in the bucket; empty for all of it
   */
  public record Destination(Bucket bucket, String prefix) {}

  /**
   * The destination of an account, as its row says now.
   *
   * @throws NoDestinationException if there is none, or it cannot be read
   */
  public Destination of(String account) {
    Map<String, @Nullable String> row;
    try {
      row = row(account);
    } catch (SQLException e) {
      throw new NoDestinationException(
          Outage.isOutage(e),
          "connection '%s': where account '%s' goes cannot be read: %s"
              .formatted(name, account, e.getMessage()));
    }
    String bucket = row.get(BUCKET);
    if (bucket == null || bucket.isBlank()) {
      throw new NoDestinationException(
          false,
          "connection '%s': the database has no bucket for account '%s'; give it a row"
              .formatted(name, account));
    }
    String prefix = row.get("prefix");
    Bucket.Place place =
        new Bucket.Place(
            bucket,
            row.get("region"),
            row.get("endpoint"),
            "t".equals(row.get("path_style")) || "true".equals(row.get("path_style")));
    return new Destination(
        buckets.get(
            new Access(place, credentials(account, row)),
            access -> new Bucket(access.place(), access.credentials())),
        prefix == null ? "" : prefix.replaceAll("^/+|/+$", ""));
  }

  private Bucket.Credentials credentials(String account, Map<String, @Nullable String> row) {
    String accessKey = row.get(ACCESS_KEY);
    String secretKey = row.get(SECRET_KEY);
    if (accessKey == null && secretKey == null) {
      return Bucket.Credentials.DEFAULT;
    }
    if (accessKey == null || secretKey == null) {
      throw new NoDestinationException(
          false,
          "connection '%s': the row of account '%s' has only one of %s and %s"
              .formatted(name, account, ACCESS_KEY, SECRET_KEY));
    }
    return new Bucket.Credentials.Keys(accessKey, secretKey);
  }

  private Map<String, @Nullable String> row(String account) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = query.prepare(connection, Map.of(ACCOUNT, account))) {
      statement.setQueryTimeout(TIMEOUT_SECONDS);
      try (ResultSet rows = statement.executeQuery()) {
        Map<String, @Nullable String> row = new HashMap<>();
        if (!rows.next()) {
          return row;
        }
        ResultSetMetaData columns = rows.getMetaData();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
          String column = columns.getColumnLabel(i).toLowerCase(Locale.ROOT);
          if (!COLUMNS.contains(column)) {
            throw new SQLException(
                "the query returns a column '%s'; there are %s".formatted(column, COLUMNS));
          }
          row.put(column, rows.getString(i));
        }
        if (rows.next()) {
          throw new SQLException("the query returns more than one row");
        }
        return row;
      }
    }
  }

  @Override
  public void close() {
    buckets.clear().forEach(Bucket::close);
  }
}
