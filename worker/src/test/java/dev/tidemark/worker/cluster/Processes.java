package dev.tidemark.worker.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** What a test has started: it is ended with the test, the last one first. */
final class Processes implements AfterEachCallback {
  /** A process of our own, and those that it has forked. */
  interface Owned {
    /** Asks it to end, and returns when it has. */
    void end() throws Exception;

    boolean isAlive();
  }

  private final Deque<Owned> all = new ArrayDeque<>();

  <T extends Owned> T add(T process) {
    all.push(process);
    return process;
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    for (Owned process : all) {
      process.end();
    }
    assertThat(all).noneMatch(Owned::isAlive);
  }
}
