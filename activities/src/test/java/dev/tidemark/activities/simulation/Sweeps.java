package dev.tidemark.activities.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.simulation.Part.Held;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.PlanRequest;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.CatchUp;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.planning.ExpectedSlice;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Plans and claims, on the ledger and in the model. */
final class Sweeps {
  private final Doors doors;
  private final World world;
  private final History history;
  private int requests;

  Sweeps(Doors doors, World world, History history) {
    this.doors = doors;
    this.world = world;
    this.history = history;
  }

  /** Begins a sweep; returns its id. */
  String plan(Model model) {
    doors.service.plan(new PlanRequest(model.name(), Scope.ALL, history.now));
    boolean later = model.paused && model.definition.pace().catchUp() instanceof CatchUp.Newest;
    prepared(model, !later);
    model.settleItems();
    return "sweep " + ++requests;
  }

  /** What every preparation does to the expected set and the versions. */
  void prepared(Model model, boolean bringsUpToDate) {
    Window closed = model.closed(history.now);
    if (closed == null) {
      return;
    }
    if (bringsUpToDate) {
      model.bringUp(history.now);
    }
    if (model.isReader()) {
      recorded(model);
    } else if (!world.silent) {
      for (ExpectedSlice slice : model.slices()) {
        model.parts.getOrDefault(slice.slice(), new java.util.TreeMap<>()).values().stream()
            .filter(part -> slice.has(part.window) && part.window.compareTo(closed) <= 0)
            .forEach(part -> part.see(world.version(model.name(), part.slice, part.window)));
      }
    }
  }

  /** What a reader of another pipeline saw is taken over, and judged at the end. */
  void recorded(Model model) {
    for (String row :
        doors.rows(
            """
            select l.slice, l.partition, l.no_input, l.upstream_hold is not null, l.input_version
              from tidemark.partition_ledger l
              join tidemark.pipeline p using (pipeline_id)
             where p.name = ?
            """,
            model.name())) {
      String[] columns = row.split("\\|", -1);
      Part part = find(model, columns[0], columns[1]);
      boolean isReady = columns[2].equals("f");
      if (isReady && part.held && part.failedClaims == 0) {
        part.waitsUntil = null;
      }
      part.see(isReady ? columns[4] : null);
      part.held = columns[3].equals("t");
    }
  }

  static Part find(Model model, String slice, String partition) {
    Instant start = model.partitions().parse(partition).start();
    return Objects.requireNonNull(model.part(Slice.parse(slice), start));
  }

  /** Claims, sometimes twice as after a lost answer, and judges what was taken. */
  List<Part> claim(Model model, Scope scope, int want, String sweep) {
    ClaimRequest request =
        new ClaimRequest("claim " + ++requests, model.name(), scope, history.now, want, sweep);
    expireIn(model);
    List<Claim> claims = doors.service.claim(request).claims();
    if (history.random.nextInt(8) == 0) {
      assertThat(doors.service.claim(request).claims())
          .as("%s: the answer to a claim that was sent twice", history)
          .containsExactlyInAnyOrderElementsOf(claims);
    }
    Map<Long, String[]> recorded = new HashMap<>();
    doors
        .rows(
            "select id, claim_reason, claim_class from tidemark.partition_ledger where claim_id = ?",
            request.requestId())
        .forEach(row -> recorded.put(Long.valueOf(row.split("\\|", -1)[0]), row.split("\\|", -1)));
    List<Part> taken =
        claims.stream().map(claim -> find(model, claim.slice(), claim.partition())).toList();
    for (int i = 0; i < claims.size(); i++) {
      String[] row = Objects.requireNonNull(recorded.get(claims.get(i).row()));
      judge(model, taken.get(i), scope, row);
    }
    for (int i = 0; i < claims.size(); i++) {
      take(model, taken.get(i), claims.get(i), recorded, sweep);
    }
    judgeBounds(model, taken, want, sweep, scope == Scope.REQUESTED);
    return taken;
  }

  /** A claim takes back what nobody renewed. */
  private static void expireIn(Model model) {
    model.all().stream()
        .filter(part -> part.claim != null && part.claim.expired)
        .forEach(Part::loseClaim);
  }

  private void take(
      Model model, Part part, Claim claim, Map<Long, String[]> recorded, String sweep) {
    if (part.retried) {
      part.failedClaims = 0;
      part.retried = false;
    }
    part.claim =
        new Held(
            claim,
            history.now,
            Objects.requireNonNull(model.closed(history.now)).start(),
            Objects.requireNonNull(recorded.get(claim.row())),
            sweep);
    part.lastClaim = part.claim;
  }

  /** None runs without a reason, and the ledger names one that the model sees too. */
  private void judge(Model model, Part part, Scope scope, String[] row) {
    assertThat(model.isClaimable(part, history.now, scope == Scope.REQUESTED))
        .as(
            "%s: %s was claimed as %s, paused %s, %s",
            history, part.story(), row[1], model.paused, model.definition)
        .isTrue();
    Window closed = Objects.requireNonNull(model.closed(history.now));
    List<String> reasons =
        part.isAsked()
            ? List.of("requested")
            : part.failedClaims > 0
                ? List.of("retry")
                : model.causes(part, closed).stream()
                    .map(cause -> cause.name().toLowerCase(Locale.ROOT))
                    .toList();
    assertThat(reasons)
        .as("%s: causes of %s, %s", history, part.story(), model.definition)
        .contains(row[1]);
  }

  private void judgeBounds(
      Model model, List<Part> taken, int want, String sweep, boolean onlyAsked) {
    Limits limits = model.definition.pace().limits();
    assertThat(taken).as("%s: more than wanted", history).hasSizeLessThanOrEqualTo(want);
    if (taken.isEmpty()) {
      if (model.live() == 0 && limits.perAccount() == null) {
        assertThat(
                model.all().stream()
                    .filter(part -> model.isClaimable(part, history.now, onlyAsked))
                    .map(Part::story))
            .as("%s: what a claim left, paused %s, %s", history, model.paused, model.definition)
            .isEmpty();
      }
      return;
    }
    assertThat(model.live())
        .as("%s: live claims of %s", history, model.name())
        .isLessThanOrEqualTo(limits.parallel());
    String account = model.definition.extent().account();
    if (account != null) {
      taken.forEach(
          part -> judgeAccount(model, String.valueOf(part.slice.values().get(account)), sweep));
    }
    judgeBackfills(model, taken);
  }

  private void judgeAccount(Model model, String account, String sweep) {
    Limits limits = model.definition.pace().limits();
    List<Part> ofAccount =
        model.all().stream().filter(part -> part.slice.values().containsValue(account)).toList();
    if (limits.perAccountParallel() != null) {
      assertThat(ofAccount.stream().filter(part -> part.claim != null).count())
          .as("%s: live claims of account %s", history, account)
          .isLessThanOrEqualTo(limits.perAccountParallel());
    }
    if (limits.perAccount() != null) {
      assertThat(
              ofAccount.stream()
                  .filter(part -> part.claim != null && sweep.equals(part.claim.sweep))
                  .count())
          .as("%s: claims of account %s in one sweep", history, account)
          .isLessThanOrEqualTo(limits.perAccount());
    }
  }

  /** What two backfills ask for may run for the one that has room. */
  private void judgeBackfills(Model model, List<Part> taken) {
    for (Part.Backfill backfill : model.backfills) {
      if (backfill.parallel != null && taken.stream().anyMatch(part -> asksAlone(backfill, part))) {
        assertThat(
                model.all().stream()
                    .filter(part -> part.claim != null && asksAlone(backfill, part)))
            .as("%s: live claims of backfill %s", history, backfill.id)
            .hasSizeLessThanOrEqualTo(backfill.parallel);
      }
    }
  }

  private static boolean asksAlone(Part.Backfill backfill, Part part) {
    return part.isAsked()
        && part.asked.stream()
            .filter(item -> item.open && item.backfill.isActive())
            .allMatch(item -> item.backfill == backfill);
  }
}
