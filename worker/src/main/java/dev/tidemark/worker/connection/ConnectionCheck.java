package dev.tidemark.worker.connection;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Tries what a connection is for, not only that it opens: a read-only key passes every other check.
 */
final class ConnectionCheck {
  private static final int MAX_CAUSES = 20;
  private static final String DATABASE = "database";
  private static final String FOLDER = "folder";
  private static final String CONTENT = "written by tidemark check-connections";

  private ConnectionCheck() {}

  /** Opens the database and queries it. */
  static Checked database(String name, DataSource database) {
    try (Connection connection = database.getConnection()) {
      DatabaseMetaData about = connection.getMetaData();
      query(connection);
      return Checked.works(
          name, DATABASE, about.getDatabaseProductName() + " " + about.getDatabaseProductVersion());
    } catch (SQLException e) {
      return Checked.fails(name, DATABASE, String.valueOf(e.getMessage()), verdict(e));
    }
  }

  /** By SQLState, never by text: class 08 and the administrator's shutdowns of class 57. */
  private static Checked.Verdict verdict(SQLException failure) {
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
      String state = cause instanceof SQLException sql ? sql.getSQLState() : null;
      if (state != null && (state.startsWith("08") || state.startsWith("57P"))) {
        return Checked.Verdict.UNREACHABLE;
      }
      cause = cause.getCause();
    }
    return Checked.Verdict.FAILS;
  }

  private static final String QUERY = "select 1";

  private static void query(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet one = statement.executeQuery(QUERY)) {
      if (!one.next() || one.getInt(1) != 1) {
        throw new SQLException("'" + QUERY + "' did not return 1");
      }
    }
  }

  /** Writes a small file below the folder, reads it back, lists it, links it and deletes it. */
  static Checked folder(String name, Path folder) {
    Path probe = folder.resolve(".tidemark-check-" + UUID.randomUUID());
    try {
      requireFolder(folder);
      Files.createDirectories(folder);
      Files.writeString(probe, CONTENT, StandardOpenOption.CREATE_NEW);
      try {
        readBack(folder, probe);
        link(probe);
      } finally {
        Files.delete(probe);
      }
      return Checked.works(name, FOLDER, "written, read back, linked, listed and deleted");
    } catch (IOException e) {
      return Checked.fails(
          name,
          FOLDER,
          e instanceof FileSystemException ? e.toString() : String.valueOf(e.getMessage()),
          Checked.Verdict.FAILS);
    }
  }

  /** What is there of it, from above. */
  private static void requireFolder(Path folder) throws IOException {
    for (Path at = folder; at != null; at = at.getParent()) {
      if (Files.exists(at) && !Files.isDirectory(at)) {
        throw new IOException(
            at + " is a file where a folder must be; move it away, or correct output.location");
      }
    }
  }

  /** A marker is promoted by a link: a rename would replace another attempt's. */
  private static void link(Path probe) throws IOException {
    Path link = probe.resolveSibling(probe.getFileName() + "-link");
    try {
      Files.createLink(link, probe);
    } catch (IOException | UnsupportedOperationException e) {
      throw new IOException(
          "no hard link can be made in "
              + probe.resolveSibling("")
              + ", and outputs are committed by one: keep them on a file system that has hard"
              + " links",
          e);
    } finally {
      Files.deleteIfExists(link);
    }
  }

  private static void readBack(Path folder, Path probe) throws IOException {
    if (!Files.readString(probe).equals(CONTENT)) {
      throw new IOException(probe + " does not hold what was written to it");
    }
    try (Stream<Path> listed = Files.list(folder)) {
      if (listed.noneMatch(probe::equals)) {
        throw new IOException(probe + " was written, and is not in the listing of its folder");
      }
    }
  }
}
