package dev.tidemark.worker.cluster;

import dev.tidemark.worker.embedded.TestPrograms;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** A PostgreSQL server that may be killed, and started again at the same address. */
final class PostgresProcess implements Processes.Owned {
  private final Path folder;
  private final int port;
  private EmbeddedPostgres server;
  private ProcessHandle postmaster;

  PostgresProcess(Path folder) throws IOException {
    this.folder = folder;
    this.port = TestPrograms.ports()[0];
    this.server = start();
    this.postmaster = postmaster();
  }

  private EmbeddedPostgres start() throws IOException {
    Redirect log = Redirect.appendTo(folder.resolve("postgres.log").toFile());
    return EmbeddedPostgres.builder()
        .setDataDirectory(folder.resolve("postgres"))
        .setCleanDataDirectory(false)
        .setOverrideWorkingDirectory(TestPrograms.postgres().toFile())
        .setPort(port)
        .setPGStartupWait(Duration.ofSeconds(30))
        .setOutputRedirector(log)
        .setErrorRedirector(log)
        .setLocaleConfig("locale", "C")
        // What was committed must be with the system by then: the server is killed, not the
        // machine.
        .setServerConfig("synchronous_commit", "on")
        .start();
  }

  /** The library's own process is the program that has started the server, and is gone. */
  private ProcessHandle postmaster() throws IOException {
    Path pidFile = folder.resolve("postgres").resolve("postmaster.pid");
    return ProcessHandle.of(Long.parseLong(Files.readAllLines(pidFile).get(0))).orElseThrow();
  }

  String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres";
  }

  /** A new connection each time: none that a kill has made useless. */
  DataSource connections() {
    return server.getPostgresDatabase();
  }

  /** {@code kill -9} of the server and of all that it has forked. */
  void kill() throws Exception {
    List<ProcessHandle> all =
        Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle process : all) {
      process.onExit().get(10, TimeUnit.SECONDS);
    }
  }

  /** Returns when it has recovered. */
  void startAgain() throws IOException {
    // Finds nothing to stop, says so, and lets go of the data folder.
    server.close();
    server = start();
    postmaster = postmaster();
  }

  @Override
  public boolean isAlive() {
    return postmaster.isAlive();
  }

  @Override
  public void end() throws Exception {
    server.close();
    // Its pid file is gone a moment before it is.
    postmaster.onExit().get(10, TimeUnit.SECONDS);
  }
}
