package dev.tidemark.worker.page;

import dev.tidemark.activities.backfill.Backfills;
import dev.tidemark.activities.inputs.InputVersions;
import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.Observations;
import dev.tidemark.activities.ledger.Upstreams;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.output.Outputs;
import dev.tidemark.activities.page.AskedRanges;
import dev.tidemark.activities.page.AuditTrail;
import dev.tidemark.activities.page.ExportLedger;
import dev.tidemark.activities.planning.ExpectedPartitions;
import dev.tidemark.activities.planning.Plans;
import dev.tidemark.activities.planning.SliceSets;
import dev.tidemark.activities.store.ConfiguredStores;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.worker.connection.ConnectionChecks;
import dev.tidemark.worker.http.Faults;
import dev.tidemark.worker.http.Route;
import dev.tidemark.worker.objects.ObjectApi;
import dev.tidemark.workflows.client.TidemarkClient;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** The page and its API as routes: reads top to bottom as its object graph. */
public final class Page {
  private final List<Route> routes;

  private Page(List<Route> routes) {
    this.routes = routes;
  }

  /** Wires them. */
  public static Page of(PageSetup setup) {
    DataSource ledger = setup.ledger();
    SliceSets slices = new SliceSets(setup.connections());
    Stores stores =
        new ConfiguredStores(setup.worker().baseFolder(), setup.connections(), Clock.systemUTC());
    Pipelines pipelines = new Pipelines(new Definitions(ledger));
    Plans plans = plans(setup, slices);
    Below below = new Below(ledger, slices, pipelines);
    TemporalLinks links = new TemporalLinks(setup.temporalUi(), setup.namespace());
    Audited audited = new Audited(new AuditTrail(ledger), faults());
    Standing standing = Standing.of(ledger, slices);
    ExpectedPartitions expected = new ExpectedPartitions(ledger, slices);
    TidemarkClient client = setup.client();
    ObjectApi objects = ObjectApi.of(ledger, setup.objects());
    return new Page(
        Stream.of(
                new OverviewRoutes(pipelines, standing, setup.temporalUi()).routes(),
                new CalendarRoutes(pipelines, standing, ledger, links).routes(),
                new PartitionRoutes(
                        pipelines, plans, below, PartitionReaders.of(ledger, stores), links)
                    .routes(),
                new BackfillRoutes(pipelines, new Backfills(ledger), new AskedRanges(ledger))
                    .routes(),
                new BackfillActions(
                        pipelines, new Backfills(ledger), expected, below, client, audited)
                    .routes(),
                new PartitionActions(pipelines, ledger, expected, client, audited).routes(),
                new PipelineActions(pipelines, new Definitions(ledger), plans, client, audited)
                    .routes(),
                new ExportRoutes(pipelines, new ExportLedger(ledger)).routes(),
                new ConnectionRoutes(
                        setup.worker().connections(),
                        new ConnectionChecks(
                            setup.worker().baseFolder(),
                            setup.worker().configured(),
                            setup.connections(),
                            stores),
                        audited)
                    .routes(),
                objects.routes(),
                objects.actions().stream()
                    .map(action -> audited.action(action.path(), action.name(), action.handler()))
                    .toList(),
                new AuditRoutes(pipelines, new AuditTrail(ledger)).routes(),
                StaticFiles.routes())
            .flatMap(List::stream)
            .toList());
  }

  private static Plans plans(PageSetup setup, SliceSets slices) {
    DataSource ledger = setup.ledger();
    return new Plans(
        new LedgerReader(ledger),
        slices,
        new InputVersions(
            setup.connections(),
            setup.worker().baseFolder(),
            setup.worker().bindings().detectors(),
            new Observations(ledger),
            new Upstreams(ledger)),
        new Outputs(ledger));
  }

  /** Every route there is. */
  public List<Route> routes() {
    return routes;
  }

  /** What failures of these routes mean. */
  public static Faults faults() {
    return new PageFaults();
  }
}
