package dev.tidemark.activities.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.inputs.ChangeDetector.Range;
import dev.tidemark.activities.inputs.DetectorException;
import dev.tidemark.activities.inputs.InputVersions.AsOf;
import dev.tidemark.activities.inputs.Observed;
import dev.tidemark.activities.ledger.Observations.Seen;
import dev.tidemark.activities.ledger.attempt.Attempts.Committed;
import dev.tidemark.activities.ledger.attempt.Attempts.FailureKind;
import dev.tidemark.activities.ledger.attempt.Begin;
import dev.tidemark.activities.ledger.attempt.Settlement;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.simulation.Part.Attempt;
import dev.tidemark.activities.simulation.Part.Held;
import dev.tidemark.activities.simulation.Part.Item;
import dev.tidemark.workflows.ledger.PartitionOutcome.Kind;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.Retry;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What attempts do: begin, read, settle, or vanish; on the ledger and in the model. */
final class Workers {
  private final Doors doors;
  private final World world;
  private final History history;

  Workers(Doors doors, World world, History history) {
    this.doors = doors;
    this.world = world;
    this.history = history;
  }

  /** The first or a later attempt of a claim; null where the ledger refuses it. */
  @Nullable Attempt begin(Model model, Part part, Held claim) {
    int number = ++claim.attempts;
    boolean holds = part.claim == claim;
    Attempt before = part.newest;
    int lost = part.lost + (holds && before != null && before.open && !before.settled ? 1 : 0);
    Begin begin = doors.attempts.begin(claim.claim, number, "worker " + number);
    boolean begins = holds && lost < 10;
    assertThat(begin instanceof Begin.Begun)
        .as("%s: begin %d of %s %s", history, number, model.name(), part)
        .isEqualTo(begins);
    if (!holds) {
      return null;
    }
    if (before != null) {
      before.settled = true;
      before.open = false;
    }
    part.lost = lost;
    if (!begins) {
      part.parked = true;
      part.claim = null;
      return null;
    }
    claim.expired = false;
    Begin.Begun begun = (Begin.Begun) begin;
    Attempt attempt =
        new Attempt(
            begun.token(),
            part,
            ++history.step,
            model.before(part),
            model.fingerprint,
            begun.params());
    part.newest = attempt;
    return attempt;
  }

  /** Reads the version; false where it fails, which is settled then. */
  boolean read(Model model, Attempt attempt) {
    Part part = attempt.part;
    RegisteredPipeline pipeline = doors.definitions.get(model.name());
    Range range =
        new Range(model.name(), model.partitions(), part.start(), part.window.end(), part.slice);
    Instant readAt = doors.observations.now();
    Observed observed;
    try {
      observed = doors.inputs.observe(pipeline, range, new AsOf(attempt.claim.now, readAt));
    } catch (DetectorException silent) {
      assertThat(world.silent).as("%s: %s", history, silent).isTrue();
      fail(model, attempt, FailureKind.ERROR);
      return false;
    }
    String version = observed.version(part.window.label(), part.slice);
    if (version == null) {
      Seen nothing =
          Seen.of(
              part.slice,
              part.window.label(),
              null,
              observed.hold(part.window.label(), part.slice));
      doors.observations.record(pipeline, readAt, Stream.of(nothing));
      part.see(null);
      part.held = nothing.waitsFor() != null;
      fail(model, attempt, FailureKind.NOT_READY);
      return false;
    }
    doors.attempts.observed(attempt.token, version, readAt);
    if (!model.isReader()) {
      assertThat(version)
          .as("%s: what %s reads", history, part)
          .isEqualTo(world.version(model.name(), part.slice, part.window));
    }
    attempt.version = version;
    attempt.read = contents(model, part);
    if (part.newest == attempt) {
      part.observed = version;
    }
    return true;
  }

  /** What the upstream partitions of a reader hold now, as the model knows it. */
  Map<String, String> contents(Model reader, Part part) {
    Map<String, String> contents = new TreeMap<>();
    if (!(reader.definition.inputs().get(0) instanceof InputSpec.Upstream input)) {
      return contents;
    }
    Model upstream = history.model(input.pipeline());
    for (Window window : input.mapping().upstreamOf(part.window, upstream.partitions())) {
      for (Part read : upstream.all()) {
        if (read.window.equals(window)
            && read.slice.agreesWith(part.slice)
            && upstream.defines(read)
            && !read.excused
            && read.commit != null) {
          contents.put(read.toString(), content(read.commit.version()));
        }
      }
    }
    return contents;
  }

  /** Some versions are other files with the same content. */
  private static String content(String version) {
    return "content " + version.hashCode() % 7;
  }

  /** Settles a commit; whether it counted. */
  boolean commit(Model model, Attempt attempt) {
    Part part = attempt.part;
    boolean counts = part.isUnsettled(attempt);
    assertThat(doors.attempts.holds(attempt.token))
        .as("%s: %s holds %s", history, attempt.token, part)
        .isEqualTo(counts && (part.claim == null || part.claim == attempt.claim));
    String version = attempt.version == null ? "" : attempt.version;
    Committed made = new Committed(null, content(version), null, null);
    Settlement settlement = doors.attempts.commit(attempt.token, made, null);
    assertThat(kind(settlement))
        .as("%s: commit of %s %s", history, model.name(), part)
        .isEqualTo(counts ? Kind.COMMITTED : Kind.RELEASED);
    attempt.open = false;
    if (!counts) {
      attempt.settled = true;
      return false;
    }
    if (history.random.nextInt(8) == 0) {
      assertThat(kind(doors.attempts.commit(attempt.token, made, null)))
          .as("%s: a commit that was sent twice", history)
          .isEqualTo(Kind.COMMITTED);
    }
    committed(model, attempt, version);
    return true;
  }

  private void committed(Model model, Attempt attempt, String version) {
    Part part = attempt.part;
    attempt.settled = true;
    part.commit =
        new Part.Commit(
            attempt.token,
            version,
            attempt.claim.closed,
            attempt.predecessor != null ? attempt.predecessor : model.before(part),
            attempt.fingerprint,
            attempt.read);
    part.observed = part.observed == null ? "" : part.observed;
    part.outputLost = false;
    part.skipped = false;
    part.failures = 0;
    part.failedClaims = 0;
    part.failedVersion = null;
    part.lost = 0;
    part.parked = false;
    part.waitsUntil = null;
    part.claim = null;
    for (Item item : part.asked) {
      if (item.open && (!item.again || attempt.beganAt > item.at)) {
        item.open = false;
        item.completed = true;
      }
    }
    model.link();
  }

  private static Kind kind(Settlement settlement) {
    return ((Settlement.Ended) settlement).outcome().kind();
  }

  /** Settles a failure; whether another attempt of the claim may follow. */
  boolean fail(Model model, Attempt attempt, FailureKind kind) {
    Part part = attempt.part;
    boolean counts = part.isUnsettled(attempt);
    Settlement settlement = doors.attempts.fail(attempt.token, kind, "an accident", null);
    attempt.open = false;
    attempt.settled = true;
    if (!counts) {
      assertThat(kind(settlement)).as("%s: failure of %s", history, part).isEqualTo(Kind.RELEASED);
      return false;
    }
    Retry retry = model.definition.pace().retry();
    boolean again =
        kind == FailureKind.ERROR
            && part.claim == attempt.claim
            && part.failures + 1 < retry.attempts();
    assertThat(settlement instanceof Settlement.RetryIn)
        .as("%s: another attempt of %s", history, part)
        .isEqualTo(again);
    failed(part, attempt, kind, retry, again);
    return again;
  }

  private static void failed(
      Part part, Attempt attempt, FailureKind kind, Retry retry, boolean again) {
    part.parked = false;
    part.waitsUntil = null;
    if (kind == FailureKind.RELEASED) {
      part.claim = null;
      return;
    }
    Instant now = lastClaim(part, attempt).now;
    if (kind == FailureKind.NOT_READY) {
      part.failures = 0;
      part.waitsUntil = now.plus(retry.thenAfter());
    } else {
      part.failedVersion = attempt.version == null ? "" : attempt.version;
      if (again) {
        part.failures++;
        attempt.claim.expired = false;
        return;
      }
      part.failures = 0;
      part.failedClaims++;
      part.parked = kind == FailureKind.BAD_DATA || part.failedClaims >= retry.giveUpAfter();
      part.waitsUntil = part.parked ? null : now.plus(retry.pauseAfterClaim(part.failedClaims));
    }
    part.claim = null;
  }

  /** The row's newest claim, which an attempt of an older one may end. */
  private static Held lastClaim(Part part, Attempt attempt) {
    return Objects.requireNonNullElse(part.lastClaim, attempt.claim);
  }
}
