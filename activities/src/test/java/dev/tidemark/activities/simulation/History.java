package dev.tidemark.activities.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.ledger.attempt.Attempts.FailureKind;
import dev.tidemark.activities.simulation.Part.Attempt;
import dev.tidemark.activities.simulation.Part.Held;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;

/** 400 days of one seed, and what is left when nothing happens any more. */
final class History {
  private static final int DAYS = 400;

  final long seed;
  final Random random;
  final Recipes recipes;
  final Sweeps sweeps;
  Instant now;
  int step;

  private final Doors doors;
  private final World world;
  private final Workers workers;
  private final People people;
  private final List<Model> models = new ArrayList<>();

  /** Attempts that somebody still works on, or that sleep; of any pipeline. */
  private final List<Attempt> running = new ArrayList<>();

  /** Of ten partitions, so many meet an accident. */
  private int trouble;

  private int claims;

  History(long seed, Doors doors) {
    this.seed = seed;
    // Seeds that follow each other would have the same first choices.
    this.random = new Random(seed * 0x9E3779B97F4A7C15L);
    this.doors = doors;
    this.recipes = new Recipes(random);
    this.world = new World(seed);
    this.sweeps = new Sweeps(doors, world, this);
    this.workers = new Workers(doors, world, this);
    this.people = new People(doors, this);
    this.now = recipes.start.atStartOfDay(recipes.zone).toInstant();
    doors.reset(world);
  }

  /** How many partitions were claimed. */
  int run() {
    define();
    Instant end = now.plus(Duration.ofDays(DAYS));
    while (now.isBefore(end)) {
      now = now.plus(Duration.ofHours(1 + random.nextInt(24 * 16)));
      day();
    }
    comeToRest();
    return claims;
  }

  /** Whether nothing could ever run: each partition lacks its input, or one before it does. */
  boolean allWait() {
    return models.stream()
        .allMatch(model -> model.all().stream().allMatch(part -> waits(model, part)));
  }

  private boolean waits(Model model, Part part) {
    return !part.counts() || part.noInput || model.waitsForOthers(part, now);
  }

  Model model(String name) {
    return models.stream().filter(model -> model.name().equals(name)).findFirst().orElseThrow();
  }

  private void define() {
    PipelineDefinition source = recipes.any("source", null);
    models.add(register(source));
    if (random.nextInt(3) > 0) {
      models.add(register(recipes.any("reader", source)));
    }
  }

  private Model register(PipelineDefinition definition) {
    world.slices(definition.name(), Recipes.slices(definition));
    return new Model(
        definition, doors.definitions.register(definition, "test").pipeline().fingerprint());
  }

  // ---- a day

  private void day() {
    trouble = random.nextInt(4);
    world.silent = random.nextInt(15) == 0;
    for (Model model : models) {
      dataComes(model);
      loseAnOutput(model);
      if (random.nextInt(3) == 0) {
        people.act(model);
      }
      goOn(model);
      if (random.nextInt(4) > 0) {
        sweep(model, Scope.ALL);
      } else if (model.backfills.stream().anyMatch(Part.Backfill::isOpen)) {
        sweep(model, Scope.REQUESTED);
      }
      compare(model);
    }
  }

  private void dataComes(Model model) {
    List<Part> parts = model.all();
    for (int i = random.nextInt(4); i > 0 && !parts.isEmpty() && !model.isReader(); i--) {
      // Nearer to the newest more often.
      int back = random.nextInt(1 + random.nextInt(parts.size()));
      Part part = parts.get(parts.size() - 1 - back);
      world.change(random, model.name(), part.slice, part.window);
    }
  }

  private void loseAnOutput(Model model) {
    List<Part> held =
        model.all().stream().filter(part -> part.commit != null && part.claim == null).toList();
    if (!held.isEmpty() && random.nextInt(10) == 0) {
      Part part = held.get(random.nextInt(held.size()));
      doors.lose(model.name(), part.slice.canonical(), part.window.label());
      part.outputLost = true;
    }
  }

  private void sweep(Model model, Scope scope) {
    // A lane goes on to claim long after its sweep was planned.
    String sweep =
        scope == Scope.ALL && (trouble == 0 || random.nextBoolean())
            ? sweeps.plan(model)
            : "sweep " + step;
    int left = trouble == 0 ? 1000 : 1 + random.nextInt(40);
    while (left > 0) {
      int want = Math.min(left, 1 + random.nextInt(12));
      List<Part> taken = new ArrayList<>(sweeps.claim(model, scope, want, sweep));
      if (taken.isEmpty()) {
        return;
      }
      claims += taken.size();
      left -= taken.size();
      Collections.shuffle(taken, random);
      taken.forEach(part -> work(model, part));
    }
  }

  // ---- attempts

  /** From a claim to its end, or as far as it comes. */
  private void work(Model model, Part part) {
    Held claim = Objects.requireNonNull(part.claim);
    if (accident(12)) {
      return;
    }
    for (int attempts = 0; attempts < 4; attempts++) {
      Attempt attempt = workers.begin(model, part, claim);
      if (attempt == null || !goOn(model, attempt)) {
        return;
      }
    }
  }

  /** Whether another attempt of the same claim follows at once. */
  private boolean goOn(Model model, Attempt attempt) {
    Part part = attempt.part;
    if (accident(12)) {
      running.add(attempt);
      return accident(3);
    }
    if (!workers.read(model, attempt)) {
      return part.claim == attempt.claim;
    }
    if (accident(4)) {
      running.add(attempt);
      return accident(3);
    }
    if (!model.isReader() && random.nextInt(20) == 0) {
      world.change(random, model.name(), part.slice, part.window);
    }
    if (accident(3)) {
      return workers.fail(model, attempt, anyFailure());
    }
    workers.commit(model, attempt);
    return false;
  }

  private boolean accident(int oneOf) {
    return random.nextInt(10) < trouble && random.nextInt(oneOf) == 0;
  }

  private FailureKind anyFailure() {
    return switch (random.nextInt(8)) {
      case 0 -> FailureKind.BAD_DATA;
      case 1 -> FailureKind.NOT_READY;
      case 2 -> FailureKind.RELEASED;
      default -> FailureKind.ERROR;
    };
  }

  /** What was held before this day: it ends, sleeps on, or nobody hears of it again. */
  private void goOn(Model model) {
    for (Part part : model.all()) {
      Held claim = part.claim;
      if (claim != null && random.nextInt(3) == 0) {
        lapse(part, claim);
      }
    }
    for (Attempt attempt : List.copyOf(running)) {
      if (model.all().contains(attempt.part) && random.nextInt(3) == 0) {
        wake(model, attempt);
      }
    }
  }

  private void lapse(Part part, Held claim) {
    if (random.nextInt(3) == 0) {
      doors.service.settleTimeout(claim.claim, "it took too long");
      part.loseClaim();
    } else {
      doors.expire(claim.claim.row());
      claim.expired = true;
    }
  }

  /** An attempt that slept goes on where it was, whoever holds the partition by now. */
  private void wake(Model model, Attempt attempt) {
    boolean holds =
        attempt.part.isUnsettled(attempt)
            && (attempt.part.claim == null || attempt.part.claim == attempt.claim);
    if (random.nextBoolean()) {
      Set<Long> held = doors.attempts.renew(List.of(attempt.token));
      assertThat(held.contains(attempt.token)).as("%s: renewal", this).isEqualTo(holds);
      if (holds && attempt.part.claim != null) {
        attempt.claim.expired = false;
      }
      if (random.nextBoolean()) {
        return;
      }
    }
    running.remove(attempt);
    if (attempt.version == null && attempt.part.isUnsettled(attempt)) {
      if (!workers.read(model, attempt)) {
        return;
      }
    }
    if (random.nextInt(3) == 0) {
      workers.fail(model, attempt, anyFailure());
    } else {
      workers.commit(model, attempt);
    }
  }

  // ---- the end

  /** No more trouble, and nobody asks for anything more: all that is due runs, and no more. */
  private void comeToRest() {
    trouble = 0;
    world.silent = false;
    for (Model model : models) {
      people.resume(model);
      model.backfills.stream()
          .filter(backfill -> backfill.paused && backfill.isOpen())
          .forEach(people::resume);
      for (Attempt attempt : List.copyOf(running)) {
        if (model.all().contains(attempt.part)) {
          wake(model, attempt);
        }
      }
    }
    drain();
    models.forEach(people::retryAll);
    drain();
    models.forEach(this::judgeEnd);
  }

  /** Sweeps until nothing is claimed any more, whatever waits. */
  private void drain() {
    int before;
    int rounds = 0;
    do {
      before = claims;
      for (int i = 0; i < 2; i++) {
        now = now.plus(Duration.ofHours(7));
        for (Model model : models) {
          model.all().stream()
              .filter(part -> part.claim != null)
              .forEach(part -> expire(part, Objects.requireNonNull(part.claim)));
          sweep(model, Scope.ALL);
        }
      }
      assertThat(++rounds).as("%s: rounds until nothing is due", this).isLessThan(30);
    } while (claims > before);
  }

  private void expire(Part part, Held claim) {
    doors.expire(claim.claim.row());
    claim.expired = true;
  }

  private void judgeEnd(Model model) {
    compare(model);
    people.judgeEnd(model);
    Window closed = Objects.requireNonNull(model.closed(now));
    for (Part part : model.all()) {
      if (!part.counts() || part.noInput || model.waitsForOthers(part, now)) {
        continue;
      }
      assertThat(part.claim).as("%s: claim of %s", this, part).isNull();
      assertThat(part.parked).as("%s: %s is parked", this, part).isFalse();
      assertThat(part.commit).as("%s: commit of %s", this, part).isNotNull();
      assertThat(model.causes(part, closed)).as("%s: what is due of %s", this, part).isEmpty();
      if (model.isReader() && model.integrates(part, closed)) {
        assertThat(Objects.requireNonNull(part.commit).read())
            .as("%s: what %s was made from", this, part)
            .isEqualTo(workers.contents(model, part));
      }
      if (!model.isReader()) {
        assertThat(part.observed)
            .as("%s: what is known of %s", this, part)
            .isEqualTo(world.version(model.name(), part.slice, part.window));
      }
    }
  }

  // ---- the ledger beside the model

  private void compare(Model model) {
    List<String> ledger =
        doors.rows(
            """
            select l.slice, l.partition, l.expected, l.excused_at is not null, l.skipped_at is not null,
                   l.committed_token, l.processed_version, l.input_version, l.failures,
                   l.failed_claims, l.lost, l.parked_at is not null, l.asked, l.claim_id is not null,
                   l.no_input, l.output_lost_at is not null
              from tidemark.partition_ledger l
              join tidemark.pipeline p using (pipeline_id)
             where p.name = ?
             order by l.window_start, l.slice collate "C"
            """,
            model.name());
    assertThat(ledger)
        .as("%s: the ledger beside the model, %s", this, model.definition)
        .isEqualTo(model.all().stream().map(History::text).toList());
  }

  private static String text(Part part) {
    return String.join(
        "|",
        part.slice.canonical(),
        part.window.label(),
        flag(part.expected),
        flag(part.excused),
        flag(part.skipped),
        part.commit == null ? "null" : "" + part.commit.token(),
        part.commit == null ? "null" : part.commit.version(),
        String.valueOf(part.observed),
        "" + part.failures,
        "" + part.failedClaims,
        "" + part.lost,
        flag(part.parked),
        flag(part.isAsked()),
        flag(part.claim != null),
        flag(part.noInput),
        flag(part.outputLost));
  }

  private static String flag(boolean value) {
    return value ? "t" : "f";
  }

  @Override
  public String toString() {
    return "seed %d at %s".formatted(seed, now);
  }
}
