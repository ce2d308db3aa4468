package dev.tidemark.activities.planning;

import dev.tidemark.activities.ledger.PartitionStory;
import dev.tidemark.activities.ledger.breaker.OpenBreaker;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.Extent;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.planning.ExpectedSlice;
import dev.tidemark.workflows.planning.PartitionFacts;
import dev.tidemark.workflows.planning.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Says a reason in a sentence, with the values that make it so and what would make it run. */
final class Narrator {
  private final Subject subject;
  private final PipelineDefinition definition;
  private final List<ExpectedSlice> slices;
  private final @Nullable PartitionFacts facts;
  private final @Nullable PartitionStory story;
  private final @Nullable String inputVersion;
  private final boolean inputRemoved;
  private final @Nullable Window predecessor;
  private final @Nullable String waitsFor;
  private final @Nullable OpenBreaker breaker;

  /** What is explained, and at which logical time. */
  record Subject(RegisteredPipeline pipeline, Window window, Slice slice, Instant now) {}

  /**
   * What is around it.
   *
   * @param inputRemoved it is up to date, and what it was made from is gone since
   * @param predecessor the window that it waits for, null if for none
   * @param waitsFor what of an upstream it waits for, null if for nothing
   * @param breaker by which its account is left alone, null if it is not
   */
  record Around(
      boolean inputRemoved,
      @Nullable Window predecessor,
      @Nullable String waitsFor,
      @Nullable OpenBreaker breaker) {}

  /**
   * @param facts null where there is no row
   * @param story null where there is no row
   * @param inputVersion as just observed, or as recorded; null where unknown
   */
  Narrator(
      Subject subject,
      List<ExpectedSlice> slices,
      @Nullable PartitionFacts facts,
      @Nullable PartitionStory story,
      @Nullable String inputVersion,
      Around around) {
    this.subject = subject;
    this.definition = subject.pipeline().definition();
    this.slices = slices;
    this.facts = facts;
    this.story = story;
    this.inputVersion = inputVersion;
    this.inputRemoved = around.inputRemoved();
    this.predecessor = around.predecessor();
    this.waitsFor = around.waitsFor();
    this.breaker = around.breaker();
  }

  Explanation.Because because(Reason reason) {
    String detail = reason.isDue() ? cause(reason) : hold(reason);
    return new Explanation.Because(reason.code(), detail, since(reason));
  }

  private String cause(Reason reason) {
    return switch (reason) {
      case MISSING -> "It is closed and was never committed.";
      case LATE ->
          "Its input changed after it was read: the version is '%s' now, and '%s' was processed."
              .formatted(text(inputVersion), text(processedVersion()));
      case LOOKBACK ->
          "A newer window has closed, and the lookback of %s asks for this one again."
              .formatted(definition.integration().lookback());
      case CHAIN -> "Its predecessor was committed again since.";
      case LOST_OUTPUT -> "It was committed, but its output is not in the store any more.";
      case STALE_DEFINITION ->
          "It was made with an older definition, and on-definition-change is rerun.";
      case REQUESTED -> requested();
      default -> retry();
    };
  }

  private String requested() {
    if (story == null || story.request().backfillId() == null) {
      return "It was asked for.";
    }
    PartitionStory.Request request = story.request();
    return "Backfill %s asks for it%s%s."
        .formatted(
            request.backfillId(),
            request.requestedBy() == null ? "" : ", by " + request.requestedBy(),
            request.reason() == null ? "" : ": " + request.reason());
  }

  private String retry() {
    if (story != null && story.trouble().retried() != null) {
      return "It failed, and a person asked for another try. Last error: " + lastError();
    }
    return "It failed %d time(s), and its pause is over. Last error: %s"
        .formatted(failedClaims(), lastError());
  }

  private String hold(Reason reason) {
    return switch (reason) {
      case UP_TO_DATE ->
          inputRemoved
              ? "It is committed, and nobody asked for it again; its input is gone since."
              : "It is committed, its input has not changed since, and nobody asked for it again.";
      case NO_INPUT ->
          inputRemoved
              ? "An input that it was made from is not there any more: its output stays, and it runs again when the input comes back changed."
              : "An input that it needs is not there; it runs when the input arrives.";
      case UPSTREAM_NOT_READY ->
          "It waits for what it reads to be committed, and for it to stay as it is: %s."
              .formatted(text(waitsFor));
      case WAITING_FOR_LATE ->
          "The strategy is late-first, and late windows are still being integrated.";
      case WAITING_FOR_PREDECESSOR ->
          "The pipeline is stateful, and %s comes before it and is not settled: explain that one; this one runs after it, or once it is excused."
              .formatted(predecessor == null ? "an earlier window" : predecessor.label());
      case WAITING_FOR_RETRY -> waitingForRetry();
      case PARKED ->
          "It failed %d time(s) and waits for a person or for new input: fix the cause, then retry. Last error: %s"
              .formatted(failedClaims(), lastError());
      case EXCUSED ->
          "It was taken out of the expected set: %s. unexcuse puts it back."
              .formatted(story == null ? "" : text(story.excuse()));
      case TOO_LATE ->
          "Its input changed, but late data is accepted only %s back from the newest closed window, %s; a backfill with mode late runs it."
              .formatted(definition.integration().accept(), newestClosed());
      case FROZEN -> "The pipeline is frozen: what is committed is never made again.";
      case SKIPPED_BY_CATCH_UP ->
          "The catch-up policy passed it over; a backfill of this partition runs it.";
      case PAUSED -> "The pipeline is paused; resume allows live work again, a backfill runs now.";
      case RUNNING -> running();
      case DEFINITION_ASK ->
          "It was made with an older definition, and on-definition-change is ask: a backfill with mode stale makes it again.";
      default -> outside(reason);
    };
  }

  private String outside(Reason reason) {
    Partitioning partitions = definition.extent().partitions();
    return switch (reason) {
      case NOT_CLOSED ->
          "Its window closes at %s; the newest closed one at %s is %s."
              .formatted(closesAt(), subject.now(), newestClosed());
      case BEFORE_START ->
          "The pipeline starts with %s, later than this.".formatted(partitions.first().label());
      case AFTER_END ->
          partitions.contains(subject.window())
              ? "This slice is expected until %s, this one not included.".formatted(untilOfSlice())
              : "The pipeline ends before %s.".formatted(partitions.end());
      case BEFORE_SINCE ->
          "This slice is expected since %s, later than this.".formatted(sinceOfSlice());
      case NOT_EXPECTED ->
          "The definition does not expect this slice any more; its last output stays.";
      case UNKNOWN_SLICE -> unknownSlice();
      case RETAINED_OUT ->
          "It is older than what is kept, %s back from the newest closed window, %s."
              .formatted(definition.extent().keep(), newestClosed());
      default -> waitsForTurn(reason);
    };
  }

  private String waitsForTurn(Reason reason) {
    Limits limits = definition.pace().limits();
    return switch (reason) {
      case ACCOUNT_LIMIT ->
          breaker != null
              ? leftAlone(breaker)
              : "It is due, and waits for a turn: its account has what it may have (limits.per-account %s in one sweep, limits.per-account-parallel %s at once)."
                  .formatted(
                      Objects.toString(limits.perAccount(), "none"),
                      Objects.toString(limits.perAccountParallel(), "none"));
      case BACKFILL_SHARE ->
          "It is asked for, and waits for a turn: %d run (limits.parallel), and backfills have the share that live work leaves them (limits.backfill-share %d%%)."
              .formatted(limits.parallel(), limits.backfillSharePercent());
      case LIMIT_REACHED ->
          "It is due, and waits for a turn: one sweep runs %d partitions (limits.partitions), %d at once (limits.parallel), and others come first."
              .formatted(limits.partitions(), limits.parallel());
      default -> "It is due, and waits for a turn: %s.".formatted(reason.code());
    };
  }

  private static String leftAlone(OpenBreaker breaker) {
    return "It is due, and its account is left alone until %s: its destination refused it %d time(s) in a row. Then one partition of it is tried; retry has that done now. Last error: %s"
        .formatted(breaker.until(), breaker.refusals(), breaker.lastError());
  }

  private String unknownSlice() {
    if (slices.size() == 1 && slices.get(0).slice().equals(Slice.EMPTY)) {
      return "The pipeline has no slices; name none.";
    }
    return "The definition has no slice '%s'; there are %d, such as '%s'."
        .formatted(
            subject.slice().canonical(),
            slices.size(),
            slices.isEmpty() ? "" : slices.get(0).slice().canonical());
  }

  private String waitingForRetry() {
    Instant next = story == null ? null : story.trouble().nextAttempt();
    return failedClaims() == 0
        ? "It was not ready, or was handed back, and is tried again at %s; nothing is spent.%s"
            .formatted(next, lastErrorIfAny())
        : "It failed %d time(s) and is tried again at %s. Last error: %s"
            .formatted(failedClaims(), next, lastError());
  }

  private String running() {
    if (story == null || story.claim().claimedBy() == null) {
      return "It is claimed and about to begin.";
    }
    return "It runs on %s, whose lease lasts until %s unless renewed."
        .formatted(story.claim().claimedBy(), story.claim().leaseUntil());
  }

  private @Nullable Instant since(Reason reason) {
    if (reason == Reason.ACCOUNT_LIMIT && breaker != null) {
      return breaker.openedAt();
    }
    if (reason == Reason.MISSING) {
      return closesAt();
    }
    if (story == null) {
      return null;
    }
    PartitionStory.Moments moments = story.moments();
    return switch (reason) {
      case LATE, TOO_LATE -> moments.inputSeen();
      case LOST_OUTPUT -> moments.outputLost();
      case REQUESTED -> story.request().requestedAt();
      case RETRY ->
          story.trouble().retried() == null
              ? story.trouble().nextAttempt()
              : story.trouble().retried();
      case UP_TO_DATE -> moments.committed();
      case PARKED -> story.trouble().parked();
      case EXCUSED -> moments.excused();
      case SKIPPED_BY_CATCH_UP -> moments.skipped();
      case PAUSED -> moments.paused();
      default -> null;
    };
  }

  private Instant closesAt() {
    Extent extent = definition.extent();
    return extent.closure().closesAt(subject.window(), extent.partitions().zone());
  }

  private String newestClosed() {
    return definition.extent().closedThrough(subject.now()).map(Window::label).orElse("none");
  }

  private String sinceOfSlice() {
    return slices.stream()
        .filter(slice -> slice.slice().equals(subject.slice()))
        .map(slice -> slice.since().label())
        .findFirst()
        .orElse("later");
  }

  private String untilOfSlice() {
    return slices.stream()
        .filter(slice -> slice.slice().equals(subject.slice()))
        .map(ExpectedSlice::until)
        .filter(Objects::nonNull)
        .map(Window::label)
        .findFirst()
        .orElse("an earlier window");
  }

  private @Nullable String processedVersion() {
    return facts == null ? null : facts.versions().processed();
  }

  private int failedClaims() {
    return story == null ? 0 : story.trouble().failedClaims();
  }

  private String lastErrorIfAny() {
    return story == null || story.trouble().lastError() == null
        ? ""
        : " Last error: " + lastError();
  }

  private String lastError() {
    return story == null ? "none" : text(story.trouble().lastError());
  }

  private static String text(@Nullable String text) {
    return text == null || text.isEmpty() ? "none" : text;
  }
}
