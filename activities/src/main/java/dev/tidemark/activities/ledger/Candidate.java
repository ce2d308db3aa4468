package dev.tidemark.activities.ledger;

import dev.tidemark.workflows.planning.Reason;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row that a claim may take.
 *
 * @param version of the row as it was read: a row that has changed since is left alone
 * @param live due by a derived cause too, not only asked for
 * @param backfills that ask for it and may have another partition run
 */
record Candidate(
    long id,
    String version,
    Instant start,
    String slice,
    @Nullable String account,
    Reason reason,
    boolean live,
    List<String> backfills) {}
