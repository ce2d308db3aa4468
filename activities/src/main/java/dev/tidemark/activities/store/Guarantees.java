package dev.tidemark.activities.store;

/**
 * Which conditions a store honours. Where it honours none, the ledger's token alone keeps attempts
 * apart, which leaves a zombie the instant between its check and its write.
 *
 * @param createIfAbsent a promotion on condition of absence is refused where something is
 * @param deleteIfUnchanged a removal on condition of a version is refused where it is another
 */
public record Guarantees(boolean createIfAbsent, boolean deleteIfUnchanged) {}
