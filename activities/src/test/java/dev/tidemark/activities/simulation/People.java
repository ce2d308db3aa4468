package dev.tidemark.activities.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.simulation.Part.Backfill;
import dev.tidemark.activities.simulation.Part.Item;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillRequest.Mode;
import dev.tidemark.workflows.backfill.BackfillRequest.Order;
import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.ledger.Refusal;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What people do: backfills, excuses, retries, pauses; on the ledger and in the model. */
final class People {
  private final Doors doors;
  private final History history;
  private final Random random;

  People(Doors doors, History history) {
    this.doors = doors;
    this.history = history;
    this.random = history.random;
  }

  /** Something. */
  void act(Model model) {
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> request(model);
      case 3, 4, 5 -> changeBackfill(model);
      case 6 -> excuse(model);
      case 7 -> retryAll(model);
      case 8, 9 -> pauseOrResume(model);
      default -> redefine(model, history.recipes.changed(model.definition));
    }
  }

  private <T> @Nullable T any(List<T> some) {
    return some.isEmpty() ? null : some.get(random.nextInt(some.size()));
  }

  @SafeVarargs
  private <T> T one(T... some) {
    return some[random.nextInt(some.length)];
  }

  // ---- backfills

  private void request(Model model) {
    Window closed = model.closed(history.now);
    if (closed == null) {
      return;
    }
    Window first = model.partitions().first();
    List<Window> windows = model.partitions().windows(first.start(), closed.end());
    int from = random.nextInt(windows.size());
    int to = Math.min(windows.size() - 1, from + random.nextInt(1 + random.nextInt(20)));
    Mode mode = one(Mode.values());
    Map<String, String> params =
        random.nextInt(3) == 0 ? Map.of("p", "" + random.nextInt(2)) : Map.of();
    Integer parallel = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : null;
    Slice slice =
        random.nextInt(3) == 0
            ? model.slices().get(random.nextInt(model.slices().size())).slice()
            : Slice.EMPTY;
    BackfillRequest request =
        new BackfillRequest(
            "request " + ++history.step,
            windows.get(from).label(),
            windows.get(to).label(),
            slice.values(),
            mode,
            random.nextBoolean() ? null : one(Order.values()),
            parallel,
            null,
            params,
            "someone",
            history.now);
    history.sweeps.prepared(model, true);
    List<Part> wanted =
        model.all().stream()
            .filter(part -> part.window.compareTo(windows.get(from)) >= 0)
            .filter(part -> part.window.compareTo(windows.get(to)) <= 0)
            .filter(part -> slice.agreesWith(part.slice))
            .toList();
    ask(model, request, wanted, mode);
  }

  private void ask(Model model, BackfillRequest request, List<Part> range, Mode mode) {
    Map<String, String> params = request.params() == null ? Map.of() : request.params();
    BackfillView view;
    try {
      view = doors.service.requestBackfill(model.name(), request, false);
    } catch (ApplicationFailure refused) {
      assertThat(refused.getType()).as("%s: %s", history, refused).isEqualTo(Refusal.REFUSED);
      history.sweeps.prepared(model, true);
      assertThat(isConflict(model, range, mode, params))
          .as("%s: %s", history, refused.getMessage())
          .isTrue();
      return;
    }
    refresh(model);
    assertThat(isConflict(model, range, mode, params))
        .as("%s: %s, accepted beside others with other parameters", history, request)
        .isFalse();
    boolean joins = params.isEmpty() && mode != Mode.ALL && mode != Mode.STALE;
    Backfill backfill = new Backfill(String.valueOf(view.backfillId()), params, request.parallel());
    for (Part part : range) {
      if (isPicked(model, part, mode)) {
        boolean open = !model.isObstructed(part);
        Item item = new Item(backfill, part, !joins, history.step, open);
        backfill.items.add(item);
        part.asked.add(item);
      }
    }
    backfill.items.stream().filter(item -> item.open).forEach(item -> freshen(item.part));
    model.backfills.add(backfill);
    judge(model, backfill, view);
    if (random.nextInt(4) == 0) {
      BackfillView again = doors.service.requestBackfill(model.name(), request, false);
      history.sweeps.prepared(model, true);
      backfill.items.forEach(item -> item.open = model.isLeft(item));
      assertThat(again.backfillId()).as("%s: a request sent twice", history).isEqualTo(backfill.id);
    }
  }

  /** The expected set and the versions were looked at before anything was asked. */
  private void refresh(Model model) {
    history.sweeps.prepared(model, true);
    model.settleItems();
  }

  private boolean isConflict(Model model, List<Part> range, Mode mode, Map<String, String> params) {
    return range.stream()
        .filter(part -> isPicked(model, part, mode) && !model.isObstructed(part))
        .flatMap(part -> part.asked.stream())
        .anyMatch(
            item -> item.open && !item.backfill.cancelled && !item.backfill.params.equals(params));
  }

  private static boolean isPicked(Model model, Part part, Mode mode) {
    boolean troubled = part.failedClaims > 0 || part.parked;
    return switch (mode) {
      case MISSING -> part.commit == null || part.outputLost || troubled;
      case FAILED -> troubled;
      case LATE -> Model.isLate(part) || (part.counts() && model.isChained(part));
      case STALE -> part.commit != null && !part.commit.fingerprint().equals(model.fingerprint);
      case ALL -> true;
    };
  }

  private static void freshen(Part part) {
    part.parked = false;
    part.failedClaims = 0;
    part.failedVersion = null;
    if (part.claim == null) {
      part.failures = 0;
      part.lost = 0;
      part.waitsUntil = null;
    }
  }

  private void changeBackfill(Model model) {
    Backfill backfill =
        any(
            model.backfills.stream()
                .filter(one -> !one.cancelled && one.items.stream().anyMatch(model::isLeft))
                .toList());
    if (backfill == null) {
      return;
    }
    backfill.items.forEach(item -> item.open = model.isLeft(item));
    BackfillView view =
        switch (random.nextInt(5)) {
          case 0 -> {
            backfill.paused = true;
            yield doors.backfills.pause(backfill.id);
          }
          case 1 -> {
            backfill.cancelled = true;
            yield doors.backfills.cancel(backfill.id, false);
          }
          case 2 -> {
            backfill.cancelled = true;
            stopRunning(backfill);
            yield doors.backfills.cancel(backfill.id, true);
          }
          case 3 -> {
            int parallel = 1 + random.nextInt(4);
            backfill.parallel = parallel;
            yield doors.backfills.setParallel(backfill.id, parallel);
          }
          default -> resume(backfill);
        };
    backfill.items.forEach(item -> item.open = model.isLeft(item));
    judge(model, backfill, view);
  }

  BackfillView resume(Backfill backfill) {
    backfill.paused = false;
    return doors.backfills.resume(backfill.id);
  }

  /** Claims that only it wants are taken away, and their attempts with them. */
  private static void stopRunning(Backfill backfill) {
    for (Item item : backfill.items) {
      Part part = item.part;
      if (item.open && part.claim != null && !part.claim.live && !part.isAsked()) {
        part.claim = null;
        if (part.newest != null) {
          part.newest.open = false;
          part.newest.settled = true;
          part.newest = null;
        }
      }
    }
  }

  private void judge(Model model, Backfill backfill, BackfillView view) {
    long completed = backfill.items.stream().filter(item -> item.completed).count();
    long cancelled = backfill.items.stream().filter(item -> !item.open && !item.completed).count();
    assertThat(List.of(view.partitions(), view.completed(), view.cancelled()))
        .as(
            "%s: partitions, completed and cancelled of %s: %s, %s",
            history,
            backfill.id,
            backfill.items.stream()
                .map(item -> item.open + " " + item.completed + " " + item.part.story())
                .toList(),
            model.definition)
        .isEqualTo(List.of(backfill.items.size(), (int) completed, (int) cancelled));
    if (backfill.cancelled) {
      assertThat(view.state())
          .as("%s: %s", history, backfill.id)
          .isEqualTo(BackfillView.State.CANCELLED);
    } else if (!backfill.isOpen()) {
      assertThat(view.state())
          .as("%s: %s", history, backfill.id)
          .isEqualTo(BackfillView.State.COMPLETED);
    }
  }

  /** Each backfill has ended, or waits for a person. */
  void judgeEnd(Model model) {
    model.settleItems();
    for (Backfill backfill : model.backfills) {
      BackfillView view = doors.backfills.find(backfill.id).orElseThrow();
      judge(model, backfill, view);
      assertThat(
              backfill.items.stream()
                  .filter(item -> item.open && !model.waitsForOthers(item.part, history.now))
                  .map(item -> item.part.story()))
          .as(
              "%s: what is left of %s, %s, %s",
              history, backfill.id, view.state(), model.definition)
          .isEmpty();
    }
  }

  // ---- single partitions

  private void excuse(Model model) {
    Part part = any(model.all());
    if (part == null) {
      return;
    }
    List<String> label = List.of(part.window.label());
    boolean back = random.nextInt(3) > 0;
    if (back) {
      doors.interventions.unexcuse(
          doors.definitions.get(model.name()), label, Slice.EMPTY, "it is there again");
    } else {
      doors.interventions.excuse(
          doors.definitions.get(model.name()), label, Slice.EMPTY, "it never was");
    }
    model.all().stream()
        .filter(one -> one.window.equals(part.window))
        .forEach(one -> one.excused = !back);
    model.link();
  }

  void retryAll(Model model) {
    doors.interventions.retry(doors.definitions.get(model.name()), List.of(), Slice.EMPTY);
    model.all().forEach(People::retried);
  }

  private static void retried(Part part) {
    boolean failed = part.parked || part.failedClaims > 0;
    boolean waits = part.waitsUntil != null;
    if (part.claim != null || !(part.parked || (!part.retried && (failed || waits)))) {
      return;
    }
    part.failedClaims = part.parked ? Math.max(part.failedClaims, 1) : part.failedClaims;
    part.parked = false;
    part.failures = 0;
    part.failedVersion = null;
    part.lost = 0;
    part.retried = failed;
    part.waitsUntil = null;
  }

  // ---- pipelines

  private void pauseOrResume(Model model) {
    if (model.paused) {
      resume(model);
    } else {
      doors.definitions.pause(model.name(), "someone");
      model.paused = true;
    }
  }

  void resume(Model model) {
    doors.definitions.resume(model.name());
    model.paused = false;
  }

  void redefine(Model model, PipelineDefinition next) {
    List<Integer> before = model.definition.integration().lookback();
    model.fingerprint = doors.definitions.register(next, "someone").pipeline().fingerprint();
    if (!before.equals(next.integration().lookback())) {
      model.floor = model.newestCommitted();
    }
    model.definition = next;
  }
}
