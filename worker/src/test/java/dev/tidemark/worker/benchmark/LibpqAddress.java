package dev.tidemark.worker.benchmark;

import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Where a database is, as programs that are not Java are told. */
final class LibpqAddress {
  private LibpqAddress() {}

  /** Of a server that asks for no password. */
  static String of(DataSource database) throws SQLException {
    try (Connection connection = database.getConnection()) {
      URI jdbc = URI.create(connection.getMetaData().getURL().substring("jdbc:".length()));
      String user = connection.getMetaData().getUserName();
      return "postgresql://" + user + "@" + jdbc.getHost() + ":" + jdbc.getPort() + jdbc.getPath();
    }
  }
}
