package dev.tidemark.worker.configuration;

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
 * @param stores names of object stores, which are not built yet
 * @param broken names of those with problems of their own, not to be reported again where used
 */
record ConnectionsSection(
    Map<String, ConnectionSettings> settings, Set<String> stores, Set<String> broken) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,62}");
  private static final String PREFIX = "connection:";

  static ConnectionsSection read(Section section) {
    ConnectionsSection read =
        new ConnectionsSection(new LinkedHashMap<>(), new LinkedHashSet<>(), new LinkedHashSet<>());
    for (String name : section.keys()) {
      if (!NAME.matcher(name).matches()) {
        section.problem(name, "'" + name + "' is not a name; it must match " + NAME);
        read.broken.add(name);
        continue;
      }
      read.add(name, section.section(name));
    }
    return read;
  }

  private void add(String name, Section connection) {
    connection.only(List.of("jdbc", "username", "password", "s3"), Later.KEYS);
    if (connection.has("jdbc") == connection.has("s3")) {
      connection.problem("", "must have either jdbc or s3");
      broken.add(name);
    } else if (connection.has("s3")) {
      store(connection.section("s3"));
      connection.problem("s3", Later.NOT_BUILT);
      stores.add(name);
    } else {
      String url = connection.get("jdbc", Types.JDBC_URL);
      String username = connection.get("username", Type.TEXT);
      String password = connection.get("password", Type.TEXT);
      if (url == null) {
        broken.add(name);
      } else {
        settings.put(name, new ConnectionSettings.Jdbc(url, username, password));
      }
    }
  }

  private static void store(Section store) {
    store.only(
        List.of("bucket", "region", "endpoint", "path-style", "access-key", "secret-key"),
        Later.KEYS);
    store.require("bucket", Type.TEXT);
    store.get("region", Type.TEXT);
    store.get("endpoint", Type.TEXT);
    store.get("path-style", Types.FLAG);
  }

  /** The database that the section's {@code connection} names; reported where there is none. */
  @Nullable String database(Section section) {
    String name = section.require("connection", Type.TEXT);
    if (name == null) {
      return null;
    }
    if (stores.contains(name)) {
      section.problem("connection", "'" + name + "' is an object store, and this needs a database");
    } else if (!settings.containsKey(name) && !broken.contains(name)) {
      section.problem("connection", unknown(name));
    }
    return name;
  }

  /** Reports an output's location on a connection; returns whether it is on one. */
  boolean refuse(Section output, String location) {
    if (!location.startsWith(PREFIX)) {
      return false;
    }
    String rest = location.substring(PREFIX.length());
    int slash = rest.indexOf('/');
    String name = slash < 0 ? rest : rest.substring(0, slash);
    if (settings.containsKey(name)) {
      output.problem("location", "'" + name + "' is a database, and outputs need an object store");
    } else if (stores.contains(name)) {
      output.problem(
          "location",
          "'" + location + "' is on an object store, which is not built yet; use a folder");
    } else if (!broken.contains(name)) {
      output.problem("location", unknown(name));
    }
    return true;
  }

  private String unknown(String name) {
    Set<String> known = new LinkedHashSet<>(settings.keySet());
    known.addAll(stores);
    return "'"
        + name
        + "' is not a connection; "
        + (known.isEmpty()
            ? "there are none: add it to connections"
            : "there are " + String.join(", ", known))
        + Nearest.hint(name, known);
  }
}
