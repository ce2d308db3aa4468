package dev.tidemark.worker.embedded;

import dev.tidemark.worker.configuration.Configuration;
import io.temporal.client.WorkflowClient;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The services a command needs, configured or embedded; closed in reverse order. */
public final class Services implements AutoCloseable {

  /** Which services. */
  public enum Need {
    LEDGER,
    LEDGER_AND_TEMPORAL
  }

  private Services() {}

  /**
   * Attaches to a running {@code dev}, or connects to what is configured, or starts the embedded
   * ones.
   *
   * @param notices one line each, for people
   * @throws ServiceUnavailableException within 15 s, with the address and the way out: exit code 3
   */
  public static Services open(Configuration configuration, Need need, Consumer<String> notices)
      throws ServiceUnavailableException {
    return open(configuration, ServicesRequest.of(need), notices);
  }

  /** The same, with more to say: see {@link ServicesRequest}. */
  public static Services open(
      Configuration configuration, ServicesRequest request, Consumer<String> notices)
      throws ServiceUnavailableException {
    throw new UnsupportedOperationException("to be built");
  }

  public DataSource ledger() {
    throw new UnsupportedOperationException("to be built");
  }

  /**
   * The Temporal client.
   *
   * @throws IllegalStateException unless opened with {@link Need#LEDGER_AND_TEMPORAL}
   */
  public WorkflowClient client() {
    throw new UnsupportedOperationException("to be built");
  }

  /** Whether nobody else runs a worker for these embedded services: start one. */
  public boolean ownsWorker() {
    throw new UnsupportedOperationException("to be built");
  }

  /** Whether Temporal is an embedded server, of this process or of a running {@code dev}. */
  public boolean temporalIsEmbedded() {
    throw new UnsupportedOperationException("to be built");
  }

  /** Whether Temporal can keep schedules; the in-process test server cannot. */
  public boolean temporalHasSchedules() {
    throw new UnsupportedOperationException("to be built");
  }

  /** Address of Temporal's Web UI, where it is known. */
  public Optional<String> temporalUi() {
    throw new UnsupportedOperationException("to be built");
  }

  /** host:port of Temporal. */
  public String temporalAddress() {
    throw new UnsupportedOperationException("to be built");
  }

  /** JDBC URL without credentials, for people. */
  public String ledgerUrl() {
    throw new UnsupportedOperationException("to be built");
  }

  /**
   * For {@code dev}, once its worker runs: other commands find these services from now on.
   *
   * @param page address of the page, null if it has none
   */
  public void publish(@Nullable String page) {
    throw new UnsupportedOperationException("to be built");
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException("to be built");
  }
}
