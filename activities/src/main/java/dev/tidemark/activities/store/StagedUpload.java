package dev.tidemark.activities.store;

/**
 * What another attempt needs to take a staged object away: recorded in the ledger with the intent.
 *
 * @param target the name that it would have had
 * @param upload the store's id of it
 */
public record StagedUpload(String target, String upload) {}
