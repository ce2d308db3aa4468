package dev.tidemark.worker.embedded;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A PostgreSQL of our own, whose data stays in {@code .tidemark/postgres}. */
final class EmbeddedLedger implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(30);
  private static final Duration STOP = Duration.ofSeconds(5);

  private final EmbeddedPostgres server;
  private final Path data;

  private EmbeddedLedger(EmbeddedPostgres server, Path data) {
    this.server = server;
    this.data = data;
  }

  /**
   * Starts it, after ending one that a killed command left behind. Only for the holder of the state
   * folder's lock: then whoever started that one is dead.
   *
   * @param binaries where the programs are unpacked, once
   */
  static EmbeddedLedger start(StateFolder state, Path binaries) throws IOException {
    Path data = state.file("postgres");
    Postmaster.of(data).endLeftOver();
    Files.createDirectories(binaries);
    Redirect log = Redirect.to(state.file("postgres.log").toFile());
    EmbeddedPostgres server =
        EmbeddedPostgres.builder()
            .setDataDirectory(data)
            .setCleanDataDirectory(false)
            .setPort(Ports.two()[0])
            .setOverrideWorkingDirectory(binaries.toFile())
            .setRegisterShutdownHook(false)
            .setPGStartupWait(START)
            .setOutputRedirector(log)
            .setErrorRedirector(log)
            // The machine's language must not decide how text is compared.
            .setLocaleConfig("locale", "C")
            // Zonky's defaults are for tests. People keep this ledger: a commit is on the disk.
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("max_connections", "100")
            .setServerConfig("listen_addresses", Ports.LOOPBACK)
            // No socket file: its path would be too long below a deep folder.
            .setServerConfig("unix_socket_directories", "")
            .start();
    return new EmbeddedLedger(server, data);
  }

  String url() {
    return "jdbc:postgresql://"
        + Ports.LOOPBACK
        + ":"
        + server.getPort()
        + "/postgres?user=postgres";
  }

  /** Returns when the server's process is gone, not only its pid file. */
  @Override
  public void close() throws IOException {
    Optional<ProcessHandle> process = Postmaster.of(data).find();
    server.close();
    if (process.isPresent() && !ServiceProcess.ends(process.get(), STOP)) {
      Postmaster.of(data).end(process.get());
    }
  }
}
