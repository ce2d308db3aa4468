package dev.tidemark.activities.publish;

import dev.tidemark.activities.connection.NoDestinationException;
import dev.tidemark.activities.store.StoreException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The places that cannot be asked, of the many that a pipeline's accounts have: nothing is known of
 * what is there, and what is in the others is compared (A18).
 */
final class Unreached {
  /** Of those that do not answer, each costs its timeout: after so many no other is asked. */
  private static final int MOST_SILENT = 3;

  private static final int MOST_NAMED = 10;

  private final Map<String, String> reasons = new LinkedHashMap<>();
  private int silent;

  /** Notes why one cannot be asked. */
  void add(String location, Exception reason) {
    if (reasons.putIfAbsent(location, reason.toString()) == null && isSilence(reason)) {
      silent++;
    }
  }

  /** Whether it gave no answer, rather than one. */
  static boolean isSilence(Exception reason) {
    if (reason instanceof StoreException failed) {
      return switch (failed.kind()) {
        case UNREACHABLE, THROTTLED -> true;
        case DENIED, ABSENT, FULL, REFUSED -> false;
      };
    }
    return reason instanceof NoDestinationException none && none.isOutage();
  }

  /** Whether this one is asked; it is among them where it is not. */
  boolean asks(String location) {
    if (silent < MOST_SILENT) {
      return true;
    }
    reasons.putIfAbsent(location, "not compared, since " + silent + " others do not answer");
    return false;
  }

  boolean has(String location) {
    return reasons.containsKey(location);
  }

  boolean isEmpty() {
    return reasons.isEmpty();
  }

  void addAll(Unreached others) {
    reasons.putAll(others.reasons);
    silent = Math.max(silent, others.silent);
  }

  /** Those, for people: the first few by name. */
  String text() {
    String named =
        reasons.entrySet().stream()
            .limit(MOST_NAMED)
            .map(one -> one.getKey() + " (" + one.getValue() + ")")
            .collect(Collectors.joining(", "));
    int more = Math.max(0, reasons.size() - MOST_NAMED);
    return more == 0 ? named : named + ", and " + more + " more";
  }

  /**
   * Refuses to pass over them.
   *
   * @throws IOException naming them
   */
  void require(String pipeline) throws IOException {
    if (!isEmpty()) {
      String message =
          "%s: what is at %s cannot be compared with the ledger, and nothing of it is taken for lost; the rest was compared and healed"
              .formatted(pipeline, text());
      throw new StoreException(
          silent > 0 ? StoreException.Kind.UNREACHABLE : StoreException.Kind.DENIED, message, null);
    }
  }
}
