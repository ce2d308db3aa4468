package dev.tidemark.worker.page;

import dev.tidemark.activities.index.ledger.ObjectDefinitions;
import dev.tidemark.activities.index.serve.ObjectReader;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.store.ConfiguredStores;
import dev.tidemark.activities.task.BadDataException;
import dev.tidemark.activities.task.PartitionTask;
import dev.tidemark.activities.task.TaskContext;
import dev.tidemark.worker.access.AccessSettings;
import dev.tidemark.worker.access.AccessSettings.Entry;
import dev.tidemark.worker.access.Grant;
import dev.tidemark.worker.access.Role;
import dev.tidemark.worker.configuration.ConnectionSettings;
import dev.tidemark.worker.configuration.PageSettings;
import dev.tidemark.worker.embedded.TestServices;
import dev.tidemark.worker.http.Route;
import dev.tidemark.worker.objects.ObjectAccess;
import dev.tidemark.worker.plugin.Output;
import dev.tidemark.worker.plugin.Pipeline;
import dev.tidemark.worker.plugin.PipelineBuilder;
import dev.tidemark.worker.process.Bindings;
import dev.tidemark.worker.process.ConnectionPools;
import dev.tidemark.worker.process.TidemarkWorker;
import dev.tidemark.worker.process.WorkerSetup;
import dev.tidemark.workflows.client.ObjectsClient;
import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.Dataset;
import dev.tidemark.workflows.export.PartSize;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.EditRules;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import dev.tidemark.workflows.index.Rhythm;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.Mapping;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.Readiness;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Three pipelines with something to see, a worker, and its page: real PostgreSQL, real Temporal.
 * Whoever comes sees these pipelines and no others: the ledger is shared with other tests.
 */
final class Scene implements AutoCloseable {
  static final String HTML = "<img src=x onerror=\"document.title='broken in'\">";

  final String family;
  final String orders;
  final String clicks;
  final String dataset;
  final String report;
  final String customers;
  final String mixed;
  final String operateToken = "operate-" + UUID.randomUUID();
  final String viewToken = "view-" + UUID.randomUUID();
  final String otherToken = "other-" + UUID.randomUUID();

  /** Of one who may operate all that there is, of other tests too. */
  final String rootToken = "root-" + UUID.randomUUID();

  private final String detail;
  private final Set<String> failing = ConcurrentHashMap.newKeySet();
  private final Set<String> held = ConcurrentHashMap.newKeySet();
  private final List<Route> routes;
  private final ConnectionPools pools;
  private final TidemarkWorker worker;
  private final ObjectReader objects;
  private final PageServer server;

  /** Pipelines of names that no other test has. */
  Scene(Path folder) {
    this(folder, "pg" + UUID.randomUUID().toString().substring(0, 6), HTML);
  }

  /**
   * Pipelines of the names family-orders and so on.
   *
   * @param detail stands at the end of what fails
   */
  Scene(Path folder, String family, String detail) {
    this.family = family;
    this.detail = detail;
    this.orders = family + "-orders";
    this.clicks = family + "-clicks";
    this.dataset = family + "-events";
    this.report = family + "-report";
    this.customers = family + "-customers";
    this.mixed = family + "-mixed";
    failing.addAll(List.of("2026-01-09", "2026-01-21"));
    Map<String, Pipeline> pipelines = new LinkedHashMap<>();
    add(pipelines, orders(folder));
    add(pipelines, clicks(folder));
    Map<String, ConnectionSettings> settings =
        Map.of("shop", new ConnectionSettings.Jdbc(TestServices.ledgerUrl(), "postgres", "s3cret"));
    pools = ConnectionPools.of(settings);
    List<PipelineDefinition> definitions =
        new ArrayList<>(pipelines.values().stream().map(Pipeline::definition).toList());
    definitions.add(events(folder, definitions.get(0)));
    definitions.add(report(definitions.get(0)));
    Definitions registry = new Definitions(TestServices.ledger());
    definitions.forEach(definition -> registry.register(definition, "test"));
    Map<String, PartitionTask> tasks = Map.of(orders, this::order, clicks, Scene::click);
    registerObjects(folder);
    WorkerSetup setup =
        new WorkerSetup(
            family,
            folder,
            settings,
            definitions,
            new Bindings(tasks, Map.of()),
            Duration.ofSeconds(5));
    worker = TidemarkWorker.start(TestServices.client(), TestServices.ledger(), setup);
    objects =
        ObjectReader.open(
            TestServices.ledger(),
            new ConfiguredStores(folder, pools.connections(), Clock.systemUTC()),
            family,
            type -> type.startsWith(family));
    routes =
        Page.of(
                new PageSetup(
                    TestServices.ledger(),
                    new TidemarkClient(TestServices.client(), family),
                    setup,
                    pools.connections(),
                    new ObjectAccess(objects, new ObjectsClient(TestServices.client(), family)),
                    "default",
                    "http://temporal.example:8233"))
            .routes();
    server = serve(access(), routes);
  }

  private static PageServer serve(AccessSettings access, List<Route> routes) {
    try {
      return PageServer.start(new PageSettings("127.0.0.1", 0, access, null), "test", routes);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private AccessSettings access() {
    Set<String> all = Set.of(orders, clicks, dataset);
    return new AccessSettings(
        List.of(
            new Entry("olga", operateToken, new Grant(Role.OPERATE, all)),
            new Entry("viktor", viewToken, new Grant(Role.VIEW, all)),
            new Entry("ruth", rootToken, Grant.everywhere(Role.OPERATE)),
            new Entry(
                "otto", otherToken, new Grant(Role.OPERATE, Set.of(clicks, family + "-none")))),
        null);
  }

  private static void add(Map<String, Pipeline> pipelines, PipelineBuilder builder) {
    Pipeline pipeline = builder.build();
    pipelines.put(pipeline.name(), pipeline);
  }

  private PipelineBuilder orders(Path folder) {
    return Pipeline.named(orders)
        .daily(ZoneOffset.UTC)
        .from("2026-01-01")
        .until("2026-02-15")
        .input(new InputSpec.Push())
        .output(Output.hive(folder.resolve("out").toString()))
        .task(this::order);
  }

  private PipelineBuilder clicks(Path folder) {
    return Pipeline.named(clicks)
        .hourly(ZoneOffset.UTC)
        .from("2026-03-01T00")
        .until("2026-03-02T00")
        .slices(Map.of("unit", List.of("istanbul", "<b>izmir</b>")))
        .output(Output.hive(folder.resolve("out").toString()))
        .task(Scene::click);
  }

  private PipelineDefinition events(Path folder, PipelineDefinition like) {
    return new PipelineDefinition(
        dataset,
        like.extent(),
        List.of(),
        like.integration(),
        like.pace(),
        new TaskSpec.Export(
            "shop",
            "select n::bigint as id, 'Customer number ' || n as name, 'Bonn' as city"
                + " from generate_series(1, 3) n where :start::timestamptz < :end::timestamptz",
            new Dataset(
                Dataset.Format.NDJSON,
                List.of(
                    new Column("id", ColumnType.parse("bigint")),
                    new Column("name", ColumnType.parse("string")),
                    new Column("city", ColumnType.parse("string"))),
                null),
            new PartSize.Rows(1_000),
            null,
            Duration.ofMinutes(1)),
        like.output());
  }

  /** Reads the orders, is never made, and is seen only by whoever may see everything. */
  private PipelineDefinition report(PipelineDefinition like) {
    return new PipelineDefinition(
        report,
        like.extent(),
        List.of(new InputSpec.Upstream(orders, new Mapping.Same(), new Readiness.All())),
        like.integration(),
        like.pace(),
        new TaskSpec.Command(List.of("true"), Duration.ofMinutes(1)),
        null);
  }

  /** One that is built of the dataset, and one that also reads what others may view. */
  private void registerObjects(Path folder) {
    ObjectDefinitions definitions = new ObjectDefinitions(TestServices.ledger());
    definitions.register(objects(folder, customers, Map.of("events", dataset)));
    definitions.register(objects(folder, mixed, Map.of("clicks", clicks, "events", dataset)));
  }

  private static ObjectType objects(Path folder, String name, Map<String, String> pipelines) {
    List<String> properties = List.of("id", "name", "city");
    return new ObjectType(
        name,
        List.of("id"),
        List.of(
            new Property("id", ColumnType.parse("bigint"), false),
            new Property("name", ColumnType.parse("string"), true),
            new Property("city", ColumnType.parse("string"), false)),
        pipelines.entrySet().stream()
            .map(
                source ->
                    new Datasource(
                        source.getKey(),
                        new Datasource.FromPipeline(source.getValue(), Map.of()),
                        new Datasource.Snapshot(),
                        source.getKey().equals("events") ? properties : List.of("id")))
            .toList(),
        EditRules.DEFAULT,
        Rhythm.DEFAULT,
        folder.resolve("objects").toString());
  }

  private void order(TaskContext context) throws Exception {
    String day = context.window().label();
    context.log("reading the orders of " + day);
    if (failing.contains(day)) {
      throw new BadDataException("the file of " + day + " is cut off " + detail);
    }
    while (held.contains(day) && !context.isCancelled()) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    Files.writeString(context.output().resolve("orders"), day);
  }

  private static void click(TaskContext context) throws Exception {
    Files.writeString(context.output().resolve("clicks"), context.window().label());
  }

  List<Route> routes() {
    return routes;
  }

  /** Until they are released, these days do not end. */
  void hold(String... days) {
    held.addAll(List.of(days));
  }

  void release() {
    held.clear();
  }

  /** From now on this day succeeds. */
  void repair(String day) {
    failing.remove(day);
  }

  /** Has all be made that is due. */
  void run() throws Exception {
    TidemarkClient client = new TidemarkClient(TestServices.client(), family);
    for (String pipeline : List.of(orders, clicks, dataset)) {
      client.awaitSweep(
          client.startSweep(pipeline, null, UUID.randomUUID().toString()), Duration.ofMinutes(1));
    }
    new ObjectsClient(TestServices.client(), family).wake(customers);
    if (!objects.await(customers, Duration.ofMinutes(1))) {
      throw new IllegalStateException(customers + " is not served");
    }
  }

  String url() {
    return server.url();
  }

  @Override
  public void close() {
    server.close();
    objects.close();
    worker.close();
    pools.close();
  }
}
