package dev.tidemark.worker.benchmark;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * CPU time used so far, in milliseconds.
 *
 * @param worker this process, workflows and activities
 * @param server Temporal
 * @param database PostgreSQL with all its backends
 */
record CpuTime(long worker, long server, long database) {
  static final CpuTime NONE = new CpuTime(0, 0, 0);

  static CpuTime now(DataSource ledger) throws SQLException {
    ProcessHandle self = ProcessHandle.current();
    return new CpuTime(
        used(self),
        self.children().filter(CpuTime::isTemporal).mapToLong(CpuTime::used).sum(),
        postmaster(ledger)
            .map(p -> Stream.concat(Stream.of(p), p.children()).mapToLong(CpuTime::used).sum())
            .orElse(0L));
  }

  CpuTime minus(CpuTime before) {
    return new CpuTime(worker - before.worker, server - before.server, database - before.database);
  }

  CpuTime plus(CpuTime other) {
    return new CpuTime(worker + other.worker, server + other.server, database + other.database);
  }

  long total() {
    return worker + server + database;
  }

  /** Milliseconds per partition: all of it, then worker + server + database. */
  String per(int partitions) {
    double n = partitions;
    return String.format(
        Locale.ROOT,
        "%.2f CPU ms each (worker %.2f, server %.2f, database %.2f)",
        total() / n,
        worker / n,
        server / n,
        database / n);
  }

  private static boolean isTemporal(ProcessHandle process) {
    return process.info().command().map(path -> path.endsWith("temporal")).orElse(false);
  }

  private static long used(ProcessHandle process) {
    return process.info().totalCpuDuration().map(Duration::toMillis).orElse(0L);
  }

  /** Of an embedded database: on another machine it is not seen. */
  private static Optional<ProcessHandle> postmaster(DataSource ledger) throws SQLException {
    try (Connection connection = ledger.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
      row.next();
      return ProcessHandle.of(row.getLong(1)).flatMap(ProcessHandle::parent);
    }
  }
}
