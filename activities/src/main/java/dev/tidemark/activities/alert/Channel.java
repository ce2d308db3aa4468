package dev.tidemark.activities.alert;

/**
 * A way to reach people. Called from a thread of its own, one message at a time; what it throws is
 * recorded and tried again, and never holds anything else up.
 */
@FunctionalInterface
public interface Channel {

  /**
   * Delivers the message, within {@link Outbox#LEASE}. May be called again for a message that did
   * arrive, where its answer was lost: {@code id} stays the same.
   *
   * @throws RefusedException if trying again cannot help
   * @throws Exception if it did not get through
   */
  void send(long id, Message message) throws Exception;

  /** The receiver does not want this message, now or later. */
  final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    public RefusedException(String message) {
      super(message);
    }
  }
}
