package dev.tidemark.worker.configuration;

import dev.tidemark.activities.account.AccountKey;
import dev.tidemark.activities.connection.Bucket;
import org.jspecify.annotations.Nullable;

/** A named connection to what pipelines read and write. */
public sealed interface ConnectionSettings {

  /**
   * A database.
   *
   * @param url a JDBC URL
   * @param username null where the URL says it, or none is needed
   * @param password null where the URL says it, or none is needed; never printed
   */
  record Jdbc(String url, @Nullable String username, @Nullable String password)
      implements ConnectionSettings {
    /** Without the password. */
    @Override
    public String toString() {
      return "Jdbc[url=" + url + ", username=" + username + "]";
    }
  }

  /**
   * An object store for each account, in the rows of a database.
   *
   * @param sql with the parameter {@code :account}
   * @param connection the database's name
   */
  record Destinations(String sql, String connection) implements ConnectionSettings {}

  /**
   * What a pipeline's accounts are hashed with in its outputs. It connects to nothing, and is
   * checked, closed and kept out of sight like what does.
   */
  record AccountHash(AccountKey key) implements ConnectionSettings {}

  /** An object store: where its bucket is, and who asks. Secrets are never printed. */
  record S3(Bucket.Place place, Bucket.Credentials credentials) implements ConnectionSettings {}
}
