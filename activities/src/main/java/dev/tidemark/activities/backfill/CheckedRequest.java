package dev.tidemark.activities.backfill;

import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.definition.NamedPartitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillRequest.Mode;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.Limits;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A backfill request that keeps every rule that the definition alone can decide. An existing one is
 * a valid one (invariant 12).
 *
 * @param from the first window
 * @param to the last window, inclusive; closed
 * @param slice dimensions that must be equal
 * @param params sorted, for comparing
 */
record CheckedRequest(
    Window from,
    Window to,
    Slice slice,
    Mode mode,
    SortedMap<String, String> params,
    BackfillRequest asked) {
  private static final Pattern PARAM = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,62}");
  private static final int MAX_PARAMS = 50;
  private static final int MAX_VALUE = 4_000;
  private static final int MAX_TEXT = 1_000;
  private static final int MAX_REQUEST_ID = 200;

  /**
   * Checks everything before anything changes.
   *
   * @param now decides what is closed
   * @throws LedgerRefusal naming the field, the value, the rule and the way out
   */
  static CheckedRequest of(RegisteredPipeline pipeline, BackfillRequest asked, Instant now) {
    Window from = NamedPartitions.window(pipeline, "from", asked.from());
    Window to = NamedPartitions.window(pipeline, "to", asked.to());
    if (to.start().isBefore(from.start())) {
      throw invalid(
          "to",
          "to: '%s' is before from '%s'; a range goes from its first partition to its last, both included"
              .formatted(to.label(), from.label()));
    }
    requireClosed(pipeline, to, now);
    Slice slice = Slice.of(asked.slice() == null ? Map.of() : asked.slice());
    NamedPartitions.checkSlice(pipeline, slice);
    if (asked.parallel() != null) {
      checkParallel(asked.parallel());
    }
    if (asked.items() != null && asked.items().size() > BackfillRequest.MAX_ITEMS) {
      throw invalid(
          "items",
          "items: %d are named, and a request may name %d; ask for a range"
              .formatted(asked.items().size(), BackfillRequest.MAX_ITEMS));
    }
    checkText("request_id", asked.requestId(), MAX_REQUEST_ID);
    checkText("reason", asked.reason(), MAX_TEXT);
    checkText("requested_by", asked.requestedBy(), MAX_TEXT);
    return new CheckedRequest(
        from,
        to,
        slice,
        asked.mode() == null ? Mode.MISSING : asked.mode(),
        params(asked.params()),
        asked);
  }

  /** Refuses a parallelism outside what one lane can hold. */
  static void checkParallel(int parallel) {
    if (parallel < 1 || parallel > Limits.MAX_PARALLEL) {
      throw invalid(
          "parallel", "parallel: %d is not from 1 to %d".formatted(parallel, Limits.MAX_PARALLEL));
    }
  }

  /** Whether it joins an attempt that already runs: what that delivers is what is asked for. */
  boolean joinsRunning() {
    return switch (mode) {
      case MISSING, FAILED, LATE -> params.isEmpty();
      case STALE, ALL -> false;
    };
  }

  private static void requireClosed(RegisteredPipeline pipeline, Window to, Instant now) {
    Optional<Window> newest = pipeline.definition().extent().closedThrough(now);
    if (newest.isEmpty()) {
      throw invalid(
          "to",
          "to: no partition of %s is closed yet at %s, so none can be asked for"
              .formatted(pipeline.name(), now));
    }
    if (to.start().isAfter(newest.get().start())) {
      throw invalid(
          "to",
          "to: '%s' is not closed yet at %s; the newest closed partition of %s is %s"
              .formatted(to.label(), now, pipeline.name(), newest.get().label()));
    }
  }

  private static SortedMap<String, String> params(@Nullable Map<String, String> given) {
    SortedMap<String, String> params = new TreeMap<>();
    if (given == null) {
      return params;
    }
    if (given.size() > MAX_PARAMS) {
      throw invalid(
          "params", "params: %d are given; at most %d".formatted(given.size(), MAX_PARAMS));
    }
    given.forEach(
        (name, value) -> {
          if (!PARAM.matcher(name).matches()) {
            throw invalid(
                "params",
                "params: '%s' is not a name; a name must match %s"
                    .formatted(name, PARAM.pattern()));
          }
          if (value == null || value.length() > MAX_VALUE || value.indexOf('\0') >= 0) {
            throw invalid(
                "params",
                "params: the value of '%s' must be text of at most %d characters"
                    .formatted(name, MAX_VALUE));
          }
          params.put(name, value);
        });
    return params;
  }

  private static void checkText(String field, @Nullable String text, int most) {
    if (text != null && (text.length() > most || text.indexOf('\0') >= 0)) {
      throw invalid(
          field,
          "%s: must be text of at most %d characters, and has %d"
              .formatted(field, most, text.length()));
    }
  }

  private static LedgerRefusal invalid(String field, String message) {
    return new LedgerRefusal(LedgerRefusal.Kind.INVALID, field, message);
  }
}
