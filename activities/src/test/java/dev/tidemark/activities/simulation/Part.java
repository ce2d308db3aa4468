package dev.tidemark.activities.simulation;

import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A partition as it should be: what happened to it, and nothing that can be derived. */
final class Part {
  final Slice slice;
  final Window window;

  boolean expected = true;
  boolean excused;
  boolean skipped;
  boolean noInput;

  /** For the reader of another pipeline: what the ledger says, which is judged at the end. */
  boolean held;

  @Nullable String observed;
  @Nullable Commit commit;

  /** The store does not have what was committed. */
  boolean outputLost;

  int failures;
  int failedClaims;
  @Nullable String failedVersion;
  int lost;
  boolean parked;
  boolean retried;

  /** Nothing before this logical time; null for no wait. */
  @Nullable Instant waitsUntil;

  @Nullable Held claim;

  /** The newest claim, which may have ended. */
  @Nullable Held lastClaim;

  @Nullable Attempt newest;
  final List<Item> asked = new ArrayList<>();

  Part(Slice slice, Window window) {
    this.slice = slice;
    this.window = window;
  }

  Instant start() {
    return window.start();
  }

  /** In the expected set as it is now. */
  boolean counts() {
    return expected && !excused && (!skipped || isAsked());
  }

  /** By a backfill that is neither paused nor cancelled. */
  boolean isAsked() {
    return asked.stream().anyMatch(item -> item.open && item.backfill.isActive());
  }

  /** An attempt has begun and nobody has settled it, under a claim or not. */
  boolean isUnsettled(@Nullable Attempt attempt) {
    return attempt != null && attempt == newest && !attempt.settled;
  }

  /** Ends the claim; an attempt of it that vanished counts against the partition. */
  void loseClaim() {
    Held ended = Objects.requireNonNull(claim);
    Attempt running = newest;
    if (running != null && running.claim == ended && !running.settled) {
      running.open = false;
      lost++;
    }
    parked = lost >= 10;
    claim = null;
  }

  /** What an observation says; another version than the one that failed is a fresh start. */
  void see(@Nullable String version) {
    noInput = version == null;
    if (version == null || version.equals(observed == null ? "" : observed)) {
      return;
    }
    observed = version;
    if (!version.equals(failedVersion)) {
      parked = false;
      failedClaims = 0;
      lost = 0;
      waitsUntil = null;
    }
  }

  @Override
  public String toString() {
    return slice.canonical() + " " + window.label();
  }

  /** All of it, for a person who looks for what went wrong. */
  String story() {
    return "%s: output lost %s expected %s excused %s skipped %s no input %s held %s observed %s failed version %s, %s, failures %d claims %d lost %d parked %s retried %s waits until %s asked %s claim %s"
        .formatted(
            this,
            outputLost,
            expected,
            excused,
            skipped,
            noInput,
            held,
            observed,
            failedVersion,
            commit,
            failures,
            failedClaims,
            lost,
            parked,
            retried,
            waitsUntil,
            isAsked(),
            claim == null ? null : claim.reason);
  }

  /** The last commit: what it was made from. */
  record Commit(
      long token,
      String version,
      Instant closedThrough,
      @Nullable Long predecessor,
      String fingerprint,
      Map<String, String> read) {
    Commit builtOn(@Nullable Long other) {
      return new Commit(token, version, closedThrough, other, fingerprint, read);
    }
  }

  /** A claim that somebody has. */
  static final class Held {
    final Claim claim;
    final Instant now;
    final Instant closed;
    final String reason;
    final boolean live;
    final @Nullable String sweep;
    int attempts;
    boolean expired;

    Held(Claim claim, Instant now, Instant closed, String[] recorded, @Nullable String sweep) {
      this.claim = claim;
      this.now = now;
      this.closed = closed;
      this.reason = recorded[1];
      this.live = recorded[2].equals("live");
      this.sweep = sweep;
    }
  }

  /** One run of the task, as its worker knows it. */
  static final class Attempt {
    final long token;
    final Part part;
    final Held claim;
    final int beganAt;
    final @Nullable Long predecessor;
    final String fingerprint;
    final Map<String, String> params;
    @Nullable String version;
    Map<String, String> read = Map.of();

    /** Neither ended nor given up. */
    boolean open = true;

    /** Ended by a settle, or by somebody who began later: nothing of it counts any more. */
    boolean settled;

    Attempt(
        long token,
        Part part,
        int beganAt,
        @Nullable Long predecessor,
        String fingerprint,
        Map<String, String> params) {
      this.token = token;
      this.part = part;
      this.claim = Objects.requireNonNull(part.claim);
      this.beganAt = beganAt;
      this.predecessor = predecessor;
      this.fingerprint = fingerprint;
      this.params = params;
    }
  }

  /** What one backfill wants of a partition: a commit, or one whose attempt begins after it. */
  static final class Item {
    final Backfill backfill;
    final Part part;
    final boolean again;
    final int at;
    boolean open;
    boolean completed;

    Item(Backfill backfill, Part part, boolean again, int at, boolean open) {
      this.backfill = backfill;
      this.part = part;
      this.again = again;
      this.at = at;
      this.open = open;
    }
  }

  /** A backfill. */
  static final class Backfill {
    final String id;
    final Map<String, String> params;
    @Nullable Integer parallel;
    boolean paused;
    boolean cancelled;
    final List<Item> items = new ArrayList<>();

    Backfill(String id, Map<String, String> params, @Nullable Integer parallel) {
      this.id = id;
      this.params = params;
      this.parallel = parallel;
    }

    boolean isActive() {
      return !paused && !cancelled;
    }

    boolean isOpen() {
      return items.stream().anyMatch(item -> item.open);
    }
  }
}
