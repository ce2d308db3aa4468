package dev.tidemark.worker.configuration;

import org.jspecify.annotations.Nullable;

/**
 * The PostgreSQL that holds the ledger.
 *
 * @param url a JDBC URL, {@code jdbc:postgresql://...}
 * @param username null where the URL says it, or none is needed
 * @param password null where the URL says it, or none is needed; never printed
 */
public record LedgerSettings(String url, @Nullable String username, @Nullable String password) {
  /** Without the password. */
  @Override
  public String toString() {
    return "LedgerSettings[url=" + url + ", username=" + username + "]";
  }
}
