package dev.tidemark.worker.embedded;

import dev.tidemark.activities.ledger.claim.Claims;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.configuration.LedgerSettings;
import dev.tidemark.worker.embedded.Services.Need;
import dev.tidemark.worker.embedded.Services.TemporalAccess;
import dev.tidemark.worker.embedded.ServicesFile.Published;
import dev.tidemark.worker.process.SearchAttributeSetup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How {@link Services} are opened: attach, or take the lock and start, both at once if alike. */
final class ServicesOpening {
  /** Together with the namespace's answer, within the 15 s that the contract allows. */
  private static final Duration CONFIGURED = Duration.ofSeconds(8);

  private static final Duration EMBEDDED = Duration.ofSeconds(60);

  private final Configuration configuration;
  private final ServicesRequest request;
  private final Surroundings surroundings;
  private final Consumer<String> notices;
  private final Closing closing = new Closing();

  ServicesOpening(
      Configuration configuration,
      ServicesRequest request,
      Surroundings surroundings,
      Consumer<String> notices) {
    this.configuration = configuration;
    this.request = request;
    this.surroundings = surroundings;
    // Both services are opened at once, and may both have something to say.
    this.notices =
        notice -> {
          synchronized (closing) {
            notices.accept(notice);
          }
        };
  }

  Services open() throws ServiceUnavailableException {
    try {
      return openOrThrow();
    } catch (ServiceUnavailableException | RuntimeException e) {
      closing.close();
      throw e;
    }
  }

  private Services openOrThrow() throws ServiceUnavailableException {
    @Nullable TemporalTarget target =
        TemporalTarget.of(configuration.temporal(), surroundings.variables());
    boolean temporalNeeded = request.need() == Need.LEDGER_AND_TEMPORAL;
    if (configuration.ledger() != null && (target != null || !temporalNeeded)) {
      return start(null, target, temporalNeeded);
    }
    try {
      StateFolder state = StateFolder.in(configuration.folder());
      Optional<Published> running = new Takeover(state, closing, notices).lockOrAttach(request);
      return running.isPresent()
          ? attach(running.get(), target, temporalNeeded)
          : start(state, target, temporalNeeded);
    } catch (IOException e) {
      throw new ServiceUnavailableException(
          "cannot keep the embedded services' state beside " + configuration.file() + ": " + e, e);
    }
  }

  /** Uses what a running {@code dev} started. */
  private Services attach(Published running, @Nullable TemporalTarget target, boolean needsTemporal)
      throws ServiceUnavailableException {
    LedgerSettings settings = configuration.ledger();
    LedgerLink ledger =
        closing.add(
            LedgerLink.connect(
                settings == null ? new LedgerSettings(running.ledgerUrl(), null, null) : settings));
    if (settings != null) {
      checkSchema(ledger);
    }
    TemporalAccess temporal = null;
    if (needsTemporal && target != null) {
      temporal = connectConfigured(target);
    } else if (needsTemporal) {
      TemporalLink link =
          closing.add(
              TemporalLink.connect(
                  TemporalTarget.local(running.temporalAddress()), CONFIGURED, request.metrics()));
      temporal = new TemporalAccess(link, true, running.schedules(), true, running.temporalUi());
    }
    return new Services(closing, ledger, temporal, null);
  }

  /**
   * Connects to what is configured and starts the rest.
   *
   * @param state where the embedded ones live, locked; null where nothing is embedded
   */
  private Services start(
      @Nullable StateFolder state, @Nullable TemporalTarget target, boolean needsTemporal)
      throws ServiceUnavailableException {
    // One configured, one embedded: the configured one may be missing, and that is said before the
    // other is started for nothing.
    if (state != null && target != null && needsTemporal) {
      TemporalAccess temporal = connectConfigured(target);
      return new Services(closing, openLedger(state), temporal, state);
    }
    if (configuration.ledger() != null && target == null && needsTemporal) {
      LedgerLink ledger = openLedger(state);
      return new Services(closing, ledger, openTemporal(state, null), state);
    }
    FutureTask<@Nullable TemporalAccess> temporal =
        inBackground(() -> needsTemporal ? openTemporal(state, target) : null);
    LedgerLink ledger;
    try {
      ledger = openLedger(state);
    } catch (ServiceUnavailableException | RuntimeException e) {
      // What it may have started belongs to closing, which must not miss it.
      ignoringFailure(temporal);
      throw e;
    }
    return new Services(closing, ledger, result(temporal), state);
  }

  private LedgerLink openLedger(@Nullable StateFolder state) throws ServiceUnavailableException {
    LedgerSettings settings = configuration.ledger();
    if (settings != null) {
      LedgerLink ledger = closing.add(LedgerLink.connect(settings));
      checkSchema(ledger);
      return ledger;
    }
    if (state == null) {
      throw new IllegalStateException("no folder for an embedded ledger");
    }
    EmbeddedLedger server;
    try {
      server = closing.add(EmbeddedLedger.start(state, surroundings.tools().resolve("postgres")));
    } catch (IOException | RuntimeException | ExceptionInInitializerError e) {
      throw new ServiceUnavailableException(
          "cannot start the embedded PostgreSQL in "
              + state.file("postgres")
              + ": "
              + e.getMessage()
              + ". See "
              + state.file("postgres.log")
              + ", or configure a ledger",
          e);
    }
    LedgerLink ledger =
        closing.add(LedgerLink.connect(new LedgerSettings(server.url(), null, null)));
    ledger.migrate();
    // Whoever claimed something in this ledger before is dead: we hold the lock.
    new Claims(ledger.pool()).releaseAll();
    return ledger;
  }

  private void checkSchema(LedgerLink ledger) throws ServiceUnavailableException {
    switch (request.schema()) {
      case REQUIRED -> ledger.requireSchema();
      case MIGRATED -> ledger.migrate();
      case UNCHECKED -> {}
    }
  }

  private TemporalAccess openTemporal(@Nullable StateFolder state, @Nullable TemporalTarget target)
      throws ServiceUnavailableException {
    if (target != null) {
      return connectConfigured(target);
    }
    if (state == null) {
      throw new IllegalStateException("no folder for an embedded Temporal");
    }
    TemporalServer server = closing.add(startTemporal(state));
    TemporalLink link =
        closing.add(
            TemporalLink.connect(
                TemporalTarget.local(server.address()), EMBEDDED, request.metrics()));
    boolean attributes = SearchAttributeSetup.ensure(link.client(), notices);
    return new TemporalAccess(link, true, server.schedules(), attributes, server.ui());
  }

  private TemporalServer startTemporal(StateFolder state) throws ServiceUnavailableException {
    Optional<Path> program = new TemporalProgram(surroundings, notices).find();
    try {
      if (program.isPresent()) {
        return DevServer.start(program.get(), state, surroundings, request.stays());
      }
      notices.accept(InProcessServer.NOTICE);
      return InProcessServer.start();
    } catch (IOException e) {
      throw new ServiceUnavailableException("cannot start a local Temporal server: " + e, e);
    }
  }

  private TemporalAccess connectConfigured(TemporalTarget target)
      throws ServiceUnavailableException {
    TemporalLink link = closing.add(TemporalLink.connect(target, CONFIGURED, request.metrics()));
    boolean attributes = SearchAttributeSetup.ensure(link.client(), notices);
    return new TemporalAccess(link, false, true, attributes, null);
  }

  private static <T extends @Nullable Object> FutureTask<T> inBackground(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task, "tidemark-open-temporal");
    thread.setDaemon(true);
    thread.start();
    return task;
  }

  private static <T extends @Nullable Object> T result(FutureTask<T> task)
      throws ServiceUnavailableException {
    try {
      return task.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ServiceUnavailableException unavailable) {
        throw unavailable;
      }
      throw new IllegalStateException("cannot open Temporal", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServiceUnavailableException("interrupted while connecting to Temporal", e);
    }
  }

  private static void ignoringFailure(FutureTask<?> task) {
    try {
      task.get();
    } catch (ExecutionException e) {
      // The ledger's failure is the one to report.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
