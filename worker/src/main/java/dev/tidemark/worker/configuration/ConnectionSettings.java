package dev.tidemark.worker.configuration;

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
   * An object store. Read, and refused as not built yet: no loaded configuration holds one.
   *
   * @param region null for the environment's
   * @param endpoint null for the provider's own
   */
  record S3(String bucket, @Nullable String region, @Nullable String endpoint, boolean pathStyle)
      implements ConnectionSettings {}
}
