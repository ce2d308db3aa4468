package dev.tidemark.worker.page;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.worker.objects.ObjectAccess;
import dev.tidemark.worker.process.WorkerSetup;
import dev.tidemark.workflows.client.TidemarkClient;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What a page works with.
 *
 * @param client asks for work, with the search attributes that the server knows
 * @param worker whose page it is
 * @param connections of the same configuration, opened
 * @param objects the way to them
 * @param namespace of Temporal, for links
 * @param temporalUi address of Temporal's Web UI, for links; null where it is not known
 */
public record PageSetup(
    DataSource ledger,
    TidemarkClient client,
    WorkerSetup worker,
    Connections connections,
    ObjectAccess objects,
    String namespace,
    @Nullable String temporalUi) {}
