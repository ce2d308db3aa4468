package dev.tidemark.worker.page;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.worker.process.WorkerSetup;
import io.temporal.client.WorkflowClient;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What a page works with.
 *
 * @param worker whose page it is
 * @param connections of the same configuration, opened
 * @param temporalUi address of Temporal's Web UI, for links; null where it is not known
 */
public record PageSetup(
    DataSource ledger,
    WorkflowClient client,
    WorkerSetup worker,
    Connections connections,
    @Nullable String temporalUi) {}
