package dev.tidemark.activities.index.ledger;

import java.time.Instant;

/**
 * What a datasource has brought at once.
 *
 * @param number its place among those of the datasource, from 1, in the order in which they were
 *     seen
 * @param identity what of the datasource: the label of a partition, the path of a file, or {@code
 *     all}
 * @param version of what is read: a content or a token; another one is another transaction
 * @param committedAt by its source, as far as that is known
 */
public record Transaction(
    String datasource, long number, String identity, String version, Instant committedAt) {}
