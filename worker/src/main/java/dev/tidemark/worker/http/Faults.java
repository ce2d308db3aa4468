package dev.tidemark.worker.http;

/** The one place where what a handler threw becomes a failure that a client can read. */
@FunctionalInterface
public interface Faults {
  /** What this means to the client; says no secret. */
  HttpFailure of(Exception thrown);
}
