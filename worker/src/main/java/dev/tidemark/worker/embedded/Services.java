package dev.tidemark.worker.embedded;

import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.embedded.ServicesFile.Published;
import io.temporal.client.WorkflowClient;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The services a command needs, configured or embedded. Closed in reverse order by {@link
 * #close()}, also when the JVM is told to stop; after a kill the next command ends what was left.
 */
public final class Services implements AutoCloseable {

  /** Which services. */
  public enum Need {
    LEDGER,
    LEDGER_AND_TEMPORAL
  }

  private final Closing closing;
  private final LedgerLink ledger;
  private final @Nullable TemporalAccess temporal;
  private final @Nullable StateFolder owned;

  /**
   * @param owned the state folder, where this process started what is embedded; else null
   */
  Services(
      Closing closing,
      LedgerLink ledger,
      @Nullable TemporalAccess temporal,
      @Nullable StateFolder owned) {
    this.closing = closing;
    this.ledger = ledger;
    this.temporal = temporal;
    this.owned = owned;
  }

  /**
   * Attaches to a running {@code dev}, or connects to what is configured, or starts the embedded
   * ones.
   *
   * @param notices one line each, for people
   * @throws ServiceUnavailableException with the address and the way out (exit code 3), within 15 s
   *     where something is configured
   */
  public static Services open(Configuration configuration, Need need, Consumer<String> notices)
      throws ServiceUnavailableException {
    return open(configuration, ServicesRequest.of(need), notices);
  }

  /** The same, with more to say: see {@link ServicesRequest}. */
  public static Services open(
      Configuration configuration, ServicesRequest request, Consumer<String> notices)
      throws ServiceUnavailableException {
    return open(configuration, request, Surroundings.ofProcess(), notices);
  }

  static Services open(
      Configuration configuration,
      ServicesRequest request,
      Surroundings surroundings,
      Consumer<String> notices)
      throws ServiceUnavailableException {
    return new ServicesOpening(configuration, request, surroundings, notices).open();
  }

  public DataSource ledger() {
    return ledger.pool();
  }

  /**
   * The Temporal client.
   *
   * @throws IllegalStateException unless opened with {@link Need#LEDGER_AND_TEMPORAL}
   */
  public WorkflowClient client() {
    return temporal().link().client();
  }

  /** Whether nobody else runs a worker for these embedded services: start one. */
  public boolean ownsWorker() {
    return owned != null;
  }

  /** Whether Temporal is an embedded server, of this process or of a running {@code dev}. */
  public boolean temporalIsEmbedded() {
    return temporal().embedded();
  }

  /** Whether Temporal can keep schedules; the in-process test server cannot. */
  public boolean temporalHasSchedules() {
    return temporal().schedules();
  }

  /** Whether workflows may carry Tidemark's search attributes: the server knows them. */
  public boolean temporalHasSearchAttributes() {
    return temporal().searchAttributes();
  }

  /** Address of Temporal's Web UI, where it is known. */
  public Optional<String> temporalUi() {
    return Optional.ofNullable(temporal().ui());
  }

  /** host:port of Temporal. */
  public String temporalAddress() {
    return temporal().link().target().address();
  }

  /** JDBC URL for people, without parameters: those may hold a password. */
  public String ledgerUrl() {
    return ledger.url();
  }

  /**
   * Closes this before the services, also when the JVM is told to stop: for a worker that uses
   * them.
   */
  public void closeFirst(AutoCloseable user) {
    closing.add(user);
  }

  /**
   * For {@code dev}, once its worker runs: other commands find these services from now on. Does
   * nothing where everything is configured: others find that in the configuration.
   *
   * @param page address of the page, null if it has none
   */
  public void publish(@Nullable String page) {
    if (owned == null) {
      return;
    }
    TemporalAccess access = temporal();
    owned.publish(
        new Published(
            ledger.pool().getJdbcUrl(),
            access.link().target().address(),
            access.link().target().namespace(),
            access.schedules(),
            access.ui(),
            page));
  }

  private TemporalAccess temporal() {
    if (temporal == null) {
      throw new IllegalStateException("opened without Temporal");
    }
    return temporal;
  }

  @Override
  public void close() {
    closing.close();
  }

  /**
   * A connection to Temporal and what is known of the server.
   *
   * @param ui address of the Web UI, null where not known
   */
  record TemporalAccess(
      TemporalLink link,
      boolean embedded,
      boolean schedules,
      boolean searchAttributes,
      @Nullable String ui) {}
}
