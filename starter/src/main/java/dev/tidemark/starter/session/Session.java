package dev.tidemark.starter.session;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.index.ledger.ObjectTypes;
import dev.tidemark.activities.index.serve.ObjectReader;
import dev.tidemark.activities.inputs.InputVersions;
import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.Observations;
import dev.tidemark.activities.ledger.PastRuns;
import dev.tidemark.activities.ledger.Upstreams;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.Outputs;
import dev.tidemark.activities.planning.Cascades;
import dev.tidemark.activities.planning.ExpectedPartitions;
import dev.tidemark.activities.planning.Plans;
import dev.tidemark.activities.planning.SliceSets;
import dev.tidemark.activities.store.ConfiguredStores;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.starter.output.Console;
import dev.tidemark.worker.access.UnsafeAddressException;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.configuration.PageSettings;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.worker.embedded.ServicesRequest;
import dev.tidemark.worker.health.HealthRoutes;
import dev.tidemark.worker.http.Route;
import dev.tidemark.worker.metrics.Exposition;
import dev.tidemark.worker.objects.ObjectAccess;
import dev.tidemark.worker.page.Page;
import dev.tidemark.worker.page.PageServer;
import dev.tidemark.worker.page.PageSetup;
import dev.tidemark.worker.process.Bindings;
import dev.tidemark.worker.process.ConnectionPools;
import dev.tidemark.worker.process.ObjectSchedules;
import dev.tidemark.worker.process.PipelineSchedules;
import dev.tidemark.worker.process.SearchAttributeSetup;
import dev.tidemark.worker.process.TidemarkWorker;
import dev.tidemark.worker.process.WorkerSetup;
import dev.tidemark.workflows.client.ObjectsClient;
import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.planning.ExpectedSlice;
import io.temporal.common.WorkerDeploymentVersion;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The services that one command has opened, and what it does with them. */
public final class Session implements AutoCloseable {
  /** How long a command waits for an index to be fetched and opened. */
  private static final Duration OPENS = Duration.ofSeconds(60);

  private final Configuration configuration;
  private final Services services;
  private final boolean withTemporal;
  private final Console console;
  private final @Nullable Exposition exposition;
  private @Nullable WorkerSetup setup;
  private @Nullable ConnectionPools pools;

  Session(
      Configuration configuration, Services services, ServicesRequest request, Console console) {
    this.configuration = configuration;
    this.services = services;
    this.withTemporal = request.need() == Services.Need.LEDGER_AND_TEMPORAL;
    this.exposition = request.exposition();
    if (exposition != null) {
      services.closeFirst(exposition);
    }
    this.console = console;
  }

  public Services services() {
    return services;
  }

  public DataSource ledger() {
    return services.ledger();
  }

  public Definitions definitions() {
    return new Definitions(services.ledger());
  }

  /** Where the outputs are. */
  public Stores stores(Clock clock) {
    return new ConfiguredStores(configuration.folder(), connections(), clock);
  }

  /** The ledger's time. */
  public Instant now() {
    return new LedgerReader(ledger()).now();
  }

  /** What would run, and why. */
  public Plans plans() {
    return new Plans(
        new LedgerReader(ledger()),
        new SliceSets(connections()),
        new InputVersions(
            connections(),
            configuration.folder(),
            Map.of(),
            new Observations(ledger()),
            new Upstreams(ledger())),
        new Outputs(ledger()));
  }

  /**
   * The slices that a pipeline expects.
   *
   * @throws SQLException if a query that lists them cannot be run
   */
  public List<ExpectedSlice> slices(RegisteredPipeline pipeline) throws SQLException {
    return new SliceSets(connections()).expand(pipeline.definition());
  }

  /**
   * Has a row made of every partition that is expected, as each sweep does first: so that what
   * people name before the first sweep is there.
   *
   * @param now decides what is closed; null is the database's clock
   */
  public void bringUpToDate(RegisteredPipeline pipeline, @Nullable Instant now)
      throws SQLException {
    new ExpectedPartitions(ledger(), new SliceSets(connections())).bringUpToDate(pipeline, now);
  }

  /** Every pipeline that there is, for a command that changes nothing. */
  private List<RegisteredPipeline> everyPipeline() {
    return ledgerIsEmbedded()
        ? configuration.pipelines().stream()
            .filter(definition -> !definitions().isRemoved(definition.name()))
            .map(definition -> definitions().preview(definition).pipeline())
            .toList()
        : definitions().all();
  }

  /** What follows from new content, through the pipelines that read it. */
  public Cascades cascades() {
    return new Cascades(
        new LedgerReader(ledger()),
        new SliceSets(connections()),
        new PastRuns(ledger()),
        everyPipeline());
  }

  private Connections connections() {
    ConnectionPools open = pools;
    if (open == null) {
      open = ConnectionPools.of(configuration.connections());
      services.closeFirst(open);
      pools = open;
    }
    return open.connections();
  }

  /** Only in a session with Temporal. */
  public TidemarkClient client() {
    return SearchAttributeSetup.requests(
        services.client(),
        configuration.temporal().taskQueue(),
        services.temporalHasSearchAttributes());
  }

  /** What wakes each pipeline; only in a session with Temporal. */
  public PipelineSchedules schedules() {
    return new PipelineSchedules(services.client(), configuration.temporal().taskQueue());
  }

  /** What keeps object types up to date; only in a session with Temporal. */
  public ObjectSchedules objectSchedules() {
    return new ObjectSchedules(services.client(), configuration.temporal().taskQueue());
  }

  /** Asks for builds of object types; only in a session with Temporal. */
  public ObjectsClient objectsClient() {
    return new ObjectsClient(services.client(), configuration.temporal().taskQueue());
  }

  /**
   * Opens what is served of an object type; the caller closes it before the session.
   *
   * @throws CommandFailure if it is not open in time
   */
  public ObjectReader objects(String type, Clock clock) throws InterruptedException {
    new ObjectTypes(ledger()).get(type);
    ObjectReader reader =
        ObjectReader.open(
            ledger(), stores(clock), "command " + UUID.randomUUID(), name -> name.equals(type));
    if (!reader.await(type, OPENS)) {
      reader.close();
      throw CommandFailure.failed(
          "'%s' cannot be queried yet: its index is not built, or not open after %s; `tidemark objects build %s` builds it"
              .formatted(type, OPENS, type));
    }
    return reader;
  }

  /** Asks for a look at the object type now, where somebody is there to look. */
  public void wakeObjects(String type) {
    if (isStanding()) {
      objectsClient().wake(type);
    }
  }

  /** A worker that builds object types and runs no pipeline, unless somebody else runs one. */
  public void startObjectWorker() {
    startWorker(List.of());
  }

  /**
   * The pipeline for a command that changes nothing: over an embedded ledger as the configuration
   * has it, registered or not; over a configured ledger as it is registered there.
   */
  public RegisteredPipeline forReading(PipelineDefinition definition) {
    if (!ledgerIsEmbedded()) {
      return asRegistered(definition);
    }
    if (definitions().isRemoved(definition.name())) {
      console.notice(removed(definition) + "; this is what it would be then");
    }
    return definitions().preview(definition).pipeline();
  }

  /**
   * The pipeline for a command that works on it: registered first where the ledger is embedded, and
   * as it is registered where the ledger is a configured one. One that a person has removed stays
   * removed.
   */
  public RegisteredPipeline forWork(PipelineDefinition definition) {
    if (!ledgerIsEmbedded()) {
      return asRegistered(definition);
    }
    if (definitions().isRemoved(definition.name())) {
      throw CommandFailure.refused(removed(definition));
    }
    return definitions().register(definition, Who.asks()).pipeline();
  }

  /** The same, for one that {@link #cascades} found. */
  public RegisteredPipeline forWork(RegisteredPipeline found) {
    return ledgerIsEmbedded() ? forWork(found.definition()) : found;
  }

  private static String removed(PipelineDefinition definition) {
    return "pipeline '"
        + definition.name()
        + "' was removed; `tidemark apply` registers it again, and it starts afresh";
  }

  private boolean ledgerIsEmbedded() {
    return configuration.ledger() == null;
  }

  private RegisteredPipeline asRegistered(PipelineDefinition definition) {
    String name = definition.name();
    return switch (definitions().preview(definition).kind()) {
      case CREATED ->
          throw CommandFailure.refused(
              "pipeline '" + name + "' is not registered in this ledger; run `tidemark apply`");
      case UNCHANGED -> definitions().get(name);
      case CHANGED -> {
        console.notice(
            "pipeline '"
                + name
                + "' is registered differently from "
                + configuration.file().getFileName()
                + ", and the registered definition is used; `tidemark apply --dry-run` shows the"
                + " differences");
        yield definitions().get(name);
      }
    };
  }

  /**
   * Starts a worker unless somebody else runs one for these services; it ends with the session. It
   * knows only the pipeline that the command names.
   */
  public void startWorker(PipelineDefinition only) {
    startWorker(List.of(only));
  }

  /** The same, for the pipelines that a command works on. */
  public void startWorker(List<PipelineDefinition> only) {
    if (services.ownsWorker()) {
      start(
          new WorkerSetup(
              configuration.temporal().taskQueue(),
              configuration.folder(),
              configuration.connections(),
              only,
              Bindings.NONE,
              WorkerSetup.DEFAULT_GRACE),
          null);
    }
  }

  /**
   * Starts a worker for the whole configuration, whoever else runs one; it ends with the session.
   */
  public void runWorker() {
    // On a server of our own nobody makes a version the current one.
    start(setup(), services.temporalIsEmbedded() ? null : configuration.temporal().version());
  }

  /** Made once, for the worker and its page: it has a client for each channel. */
  private WorkerSetup setup() {
    WorkerSetup made = setup;
    if (made == null) {
      made =
          exposition == null
              ? WorkerSetup.of(configuration)
              : WorkerSetup.of(configuration, exposition.metrics());
      setup = made;
    }
    return made;
  }

  /** Takes the page's address, so that one that is taken is found before any work begins. */
  public PageServer bindPage(PageSettings settings) {
    try {
      return PageServer.bind(settings, Who.asks());
    } catch (IOException | UnsafeAddressException e) {
      throw CommandFailure.usage("page", String.valueOf(e.getMessage()));
    }
  }

  /**
   * Serves the page of that worker, its metrics and its health; the caller closes it before the
   * session.
   */
  public void servePage(PageServer page, PageSettings settings, Clock clock) {
    String ui = settings.temporalUi();
    String process = services.client().getOptions().getIdentity() + "/" + UUID.randomUUID();
    ObjectReader objects = ObjectReader.open(ledger(), stores(clock), process, type -> true);
    services.closeFirst(objects);
    PageSetup pageSetup =
        new PageSetup(
            ledger(),
            client(),
            setup(),
            connections(),
            new ObjectAccess(objects, objectsClient()),
            services.client().getOptions().getNamespace(),
            ui == null ? services.temporalUi().orElse(null) : ui);
    HealthRoutes health = HealthRoutes.watching(ledger());
    services.closeFirst(health);
    List<Route> routes = new ArrayList<>(Page.of(pageSetup).routes());
    routes.addAll(health.routes());
    if (exposition != null) {
      routes.add(exposition.route());
    }
    page.serve(routes);
  }

  private void start(WorkerSetup setup, @Nullable WorkerDeploymentVersion version) {
    services.closeFirst(TidemarkWorker.start(services.client(), services.ledger(), setup, version));
  }

  /** Whether Temporal is open, and somebody beyond this command may work on this ledger. */
  public boolean isStanding() {
    return withTemporal && !services.ownsWorker();
  }

  /** Asks for a look at the pipeline now, where somebody is there to look. */
  public void wake(String pipeline) {
    if (isStanding()) {
      client().wake(pipeline);
    }
  }

  @Override
  public void close() {
    services.close();
  }
}
