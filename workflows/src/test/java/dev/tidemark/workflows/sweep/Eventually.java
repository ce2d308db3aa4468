package dev.tidemark.workflows.sweep;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Awaits a condition that other threads bring about. */
final class Eventually {
  private Eventually() {}

  /** Returns as soon as it holds, and fails with what was wanted after 30 seconds. */
  static void holds(BooleanSupplier condition, Supplier<String> wanted) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("never came true: " + wanted.get());
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }
}
