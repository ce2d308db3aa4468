package dev.tidemark.worker.benchmark;

import dev.tidemark.worker.benchmark.ExportCost.Baseline;
import dev.tidemark.worker.benchmark.ExportCost.Took;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/** What psql does, by PostgreSQL's driver: where there is no psql. */
final class DriverCopy implements Baseline {
  private final DataSource database;
  private final String copy;

  DriverCopy(DataSource database, String query, String format) {
    this.database = database;
    this.copy = "copy (" + query + ") to stdout (format " + format + ")";
  }

  @Override
  public String name() {
    return "\\copy by the driver";
  }

  @Override
  public Took export(Path file) throws SQLException, IOException {
    CpuTime before = CpuTime.now(database);
    long began = System.nanoTime();
    try (Connection connection = database.getConnection();
        OutputStream out = Files.newOutputStream(file)) {
      connection.unwrap(PGConnection.class).getCopyAPI().copyOut(copy, out);
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    return new Took(seconds, seconds, CpuTime.now(database).minus(before).worker() / 1000.0);
  }

  @Override
  public void close() {}
}
