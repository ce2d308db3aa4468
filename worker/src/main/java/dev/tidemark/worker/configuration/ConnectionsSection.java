package dev.tidemark.worker.configuration;

import dev.tidemark.activities.account.AccountKey;
import dev.tidemark.worker.definition.Nearest;
import dev.tidemark.worker.yaml.Section;
import dev.tidemark.worker.yaml.Type;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The named connections as read.
 *
 * @param settings those that are right
 * @param broken names of those with problems of their own, not to be reported again where used
 * @param hashes what pipelines hash their accounts with, which nothing can name
 */
record ConnectionsSection(
    Map<String, ConnectionSettings> settings,
    Set<String> broken,
    Map<String, ConnectionSettings> hashes) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,62}");

  static ConnectionsSection read(Section section) {
    ConnectionsSection read =
        new ConnectionsSection(new LinkedHashMap<>(), new LinkedHashSet<>(), new LinkedHashMap<>());
    for (String name : section.keys()) {
      if (!NAME.matcher(name).matches()) {
        section.problem(name, "'" + name + "' is not a name; it must match " + NAME);
        read.broken.add(name);
        continue;
      }
      read.add(name, section.section(name));
    }
    read.settings.forEach(
        (name, setting) -> {
          if (setting instanceof ConnectionSettings.Destinations) {
            read.database(section.section(name).section("s3"));
          }
        });
    return read;
  }

  private void add(String name, Section connection) {
    connection.only(List.of("jdbc", "username", "password", "s3"), Later.KEYS);
    ConnectionSettings read = null;
    if (connection.has("jdbc") == connection.has("s3")) {
      connection.problem("", "must have either jdbc or s3");
    } else if (connection.has("s3")) {
      for (String key : List.of("username", "password")) {
        if (connection.has(key)) {
          connection.problem(
              key, "belongs to a database; an object store has access-key and secret-key in s3");
        }
      }
      read = S3Section.read(connection.section("s3"));
    } else {
      String url = connection.get("jdbc", Types.DATABASE_URL);
      String username = connection.get("username", Type.TEXT);
      String password = connection.get("password", Type.TEXT);
      read = url == null ? null : new ConnectionSettings.Jdbc(url, username, password);
    }
    if (read == null) {
      broken.add(name);
    } else {
      settings.put(name, read);
    }
  }

  /** Keeps the key that a pipeline hashes its accounts with. */
  void hash(String pipeline, AccountKey key) {
    hashes.put("account-id of " + pipeline, new ConnectionSettings.AccountHash(key));
  }

  /** Everything that a process is to have. */
  Map<String, ConnectionSettings> all() {
    Map<String, ConnectionSettings> all = new LinkedHashMap<>(settings);
    all.putAll(hashes);
    return all;
  }

  /** The PostgreSQL that the section's {@code connection} names; reported where it is none. */
  @Nullable String database(Section section) {
    String name = anyDatabase(section);
    if (name != null
        && settings.get(name) instanceof ConnectionSettings.Jdbc jdbc
        && !Types.isPostgres(jdbc.url())) {
      section.problem(
          "connection", "'" + name + "' is not a PostgreSQL; other databases only exports read");
    }
    return name;
  }

  /** The database that the section's {@code connection} names; reported where there is none. */
  @Nullable String anyDatabase(Section section) {
    String name = section.require("connection", Type.TEXT);
    if (name == null) {
      return null;
    }
    if (settings.containsKey(name) && !(settings.get(name) instanceof ConnectionSettings.Jdbc)) {
      section.problem("connection", "'" + name + "' is an object store, and this needs a database");
    } else if (!settings.containsKey(name) && !broken.contains(name)) {
      section.problem("connection", unknown(name));
    }
    return name;
  }

  /**
   * Whether outputs can be on this connection, as far as is known.
   *
   * @param reference its name, or {@code name:account} where it has a bucket for each account
   */
  boolean takesOutputs(String reference) {
    String name = named(reference);
    ConnectionSettings setting = settings.get(name);
    return broken.contains(name)
        || (name.equals(reference)
            ? setting instanceof ConnectionSettings.S3
            : setting instanceof ConnectionSettings.Destinations);
  }

  /** The connection's name, without an account. */
  static String named(String reference) {
    int colon = reference.indexOf(':');
    return colon < 0 ? reference : reference.substring(0, colon);
  }

  /** Whether input files can be on this connection, as far as is known. */
  boolean isObjectStore(String name) {
    return settings.get(name) instanceof ConnectionSettings.S3 || broken.contains(name);
  }

  /** Reports files that are on a connection that has none: {@code what}, at this key. */
  void refuse(Section section, String key, String what, String name) {
    section.problem(key, refusal(what, name));
  }

  private String refusal(String what, String name) {
    ConnectionSettings setting = settings.get(name);
    if (setting instanceof ConnectionSettings.Destinations) {
      return "'%s' has a bucket for each account: outputs go to connection:%s:{slice.<dimension>}"
          .formatted(name, name);
    }
    if (setting instanceof ConnectionSettings.S3) {
      return "'%s' has one bucket, not one for each account: outputs go to connection:%s/<prefix>"
          .formatted(name, name);
    }
    return setting == null
        ? unknown(name)
        : "'" + name + "' is a database, and " + what + " need an object store";
  }

  private String unknown(String name) {
    Set<String> known = settings.keySet();
    return "'"
        + name
        + "' is not a connection; "
        + (known.isEmpty()
            ? "there are none: add it to connections"
            : "there are " + String.join(", ", known))
        + Nearest.hint(name, known);
  }
}
