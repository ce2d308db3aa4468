package dev.tidemark.activities.store;

/**
 * Which conditions a store honours. Where it honours none, the ledger's token alone keeps attempts
 * apart, which leaves a zombie the instant between its check and its write.
 *
 * @param createIfAbsent a promotion on condition of absence is refused where something is
 * @param deleteIfUnchanged a removal on condition of a version is refused where it is another
 */
public record Guarantees(boolean createIfAbsent, boolean deleteIfUnchanged) {

  /** What that means, for people. */
  public String describe() {
    if (!createIfAbsent) {
      return "ignores conditional writes, so only the ledger's token keeps an attempt that was given"
          + " up from writing: it may do so in the instant between its check and its write";
    }
    return deleteIfUnchanged
        ? "honours conditional writes and conditional deletes"
        : "honours conditional writes; conditional deletes it does not, so an attempt that was given"
            + " up may remove a newer marker: the partition is then absent, not wrong, until the"
            + " next sweep";
  }
}
