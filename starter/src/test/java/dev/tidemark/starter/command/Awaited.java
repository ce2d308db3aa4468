package dev.tidemark.starter.command;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waiting for what another process does. */
final class Awaited {
  private static final Duration MAX = Duration.ofMinutes(2);

  private Awaited() {}

  static void until(String what, BooleanSupplier condition) throws InterruptedException {
    long giveUp = System.nanoTime() + MAX.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - giveUp > 0) {
        throw new AssertionError("still not so: " + what);
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }
}
