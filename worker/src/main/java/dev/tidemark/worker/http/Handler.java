package dev.tidemark.worker.http;

/** Answers one kind of request. */
@FunctionalInterface
public interface Handler {
  /**
   * The answer.
   *
   * @throws HttpFailure with a status of its own
   * @throws Exception which the server's {@link Faults} name
   */
  Response handle(Request request) throws Exception;
}
