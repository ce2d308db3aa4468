package dev.tidemark.worker.plugin;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.index.serve.ObjectReader;
import dev.tidemark.activities.store.ConfiguredStores;
import dev.tidemark.worker.access.UnsafeAddressException;
import dev.tidemark.worker.configuration.PageSettings;
import dev.tidemark.worker.objects.ObjectAccess;
import dev.tidemark.worker.page.Page;
import dev.tidemark.worker.page.PageServer;
import dev.tidemark.worker.page.PageSetup;
import dev.tidemark.worker.process.SearchAttributeSetup;
import dev.tidemark.worker.process.WorkerSetup;
import dev.tidemark.workflows.client.ObjectsClient;
import io.temporal.client.WorkflowClient;
import java.io.IOException;
import java.time.Clock;
import java.util.UUID;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The page of an application's own worker. */
final class PluginPage {
  private static final Logger log = LoggerFactory.getLogger(PluginPage.class);

  private final DataSource ledger;
  private final Connections connections;
  private final WorkerSetup setup;

  PluginPage(DataSource ledger, Connections connections, WorkerSetup setup) {
    this.ledger = ledger;
    this.connections = connections;
    this.setup = setup;
  }

  /** Serves it until it is closed. Where that cannot begin, the port is free again. */
  PageServer serve(WorkflowClient client, PageSettings settings)
      throws IOException, UnsafeAddressException {
    PageServer server = PageServer.bind(settings, client.getOptions().getIdentity());
    try {
      server.serve(page(client, settings, server).routes());
      return server;
    } catch (RuntimeException | Error failure) {
      server.close();
      throw failure;
    }
  }

  private Page page(WorkflowClient client, PageSettings settings, PageServer server) {
    ObjectReader objects =
        ObjectReader.open(
            ledger,
            new ConfiguredStores(setup.baseFolder(), connections, Clock.systemUTC()),
            client.getOptions().getIdentity() + "/" + UUID.randomUUID(),
            type -> true);
    server.afterwards(objects::close);
    return Page.of(
        new PageSetup(
            ledger,
            SearchAttributeSetup.requests(
                client, setup.taskQueue(), SearchAttributeSetup.ensure(client, log::warn)),
            setup,
            connections,
            new ObjectAccess(objects, new ObjectsClient(client, setup.taskQueue())),
            client.getOptions().getNamespace(),
            settings.temporalUi()));
  }
}
