package dev.tidemark.worker.plugin;

import dev.tidemark.activities.account.AccountKey;
import dev.tidemark.activities.inputs.ChangeDetector;
import dev.tidemark.activities.task.PartitionTask;
import dev.tidemark.worker.definition.Defaults;
import dev.tidemark.worker.definition.Draft;
import dev.tidemark.worker.definition.Partitions;
import dev.tidemark.worker.definition.Violation;
import dev.tidemark.workflows.closure.Closure;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.pipeline.AccountId;
import dev.tidemark.workflows.pipeline.Accounts;
import dev.tidemark.workflows.pipeline.CatchUp;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.Integration;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.Pace;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.Retry;
import dev.tidemark.workflows.pipeline.SliceSet;
import dev.tidemark.workflows.pipeline.TaskSpec;
import dev.tidemark.workflows.pipeline.Wake;
import java.time.Duration;
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Declares a pipeline in Java. What is not said has the default of the file (contracts, section 2);
 * each method names the key that it stands for. Needed are {@link #from} and a task.
 */
public final class PipelineBuilder {
  private final String name;
  private final Grain grain;
  private final ZoneId zone;
  private final List<SliceSet> slices = new ArrayList<>();
  private final List<InputSpec> inputs = new ArrayList<>();
  private @Nullable String start;
  private @Nullable String end;
  private @Nullable String account;
  private @Nullable AccountId accountId;
  private @Nullable AccountKey accountKey;
  private Closure closure = Defaults.CLOSURE;
  private @Nullable Period keep;
  private List<Integer> lookback = Defaults.INTEGRATION.lookback();
  private LateData lateData = LateData.accept(Defaults.ACCEPT);
  private boolean stateful = Defaults.INTEGRATION.stateful();
  private boolean frozen = Defaults.INTEGRATION.frozen();
  private Integration.OnDefinitionChange onDefinitionChange =
      Defaults.INTEGRATION.onDefinitionChange();
  private Wake sweep = Defaults.PACE.sweep();
  private Pace.@Nullable Order order;
  private CatchUp catchUp = Defaults.PACE.catchUp();
  private Limits limits = Defaults.PACE.limits();
  private Retry retry = Defaults.PACE.retry();
  private @Nullable Accounts accounts;
  private @Nullable Duration freshness = Defaults.PACE.freshness();
  private @Nullable TaskSpec task;
  private @Nullable OutputSpec output;
  private @Nullable PartitionTask taskObject;
  private @Nullable ChangeDetector detector;

  PipelineBuilder(String name, Grain grain, ZoneId zone) {
    this.name = name;
    this.grain = grain;
    this.zone = zone;
  }

  /** {@code partitions.start}: label, or date, of the first window. */
  public PipelineBuilder from(String label) {
    start = label;
    return this;
  }

  /** {@code partitions.end}: label, or date, of the first window that is no longer part. */
  public PipelineBuilder until(String label) {
    end = label;
    return this;
  }

  /** One line of {@code slices}: every combination of the values of each dimension. */
  public PipelineBuilder slices(Map<String, List<String>> values) {
    return slices(values, null);
  }

  /**
   * The same.
   *
   * @param since label, or date, of the first window that has these slices; null for the start
   */
  public PipelineBuilder slices(Map<String, List<String>> values, @Nullable String since) {
    return slices(values, since, null);
  }

  /**
   * The same.
   *
   * @param until label, or date, of the first window that has these slices no more; null for no end
   */
  public PipelineBuilder slices(
      Map<String, List<String>> values, @Nullable String since, @Nullable String until) {
    slices.add(
        new SliceSet.Product(
            Collections.unmodifiableSortedMap(new TreeMap<>(values)), since, until));
    return this;
  }

  /** {@code slices: {sql, connection}}: the rows of a query, one column per dimension. */
  public PipelineBuilder slicesOf(String sql, String connection) {
    slices.add(new SliceSet.Query(sql, connection));
    return this;
  }

  /** {@code account}: the dimension that limits and fairness count by. */
  public PipelineBuilder account(String dimension) {
    account = dimension;
    return this;
  }

  /** {@code account-id: {column}}: what stands for the account in outputs is in this dimension. */
  public PipelineBuilder accountId(String column) {
    accountId = new AccountId.Column(column);
    accountKey = null;
    return this;
  }

  /** {@code account-id: {keyed-hash}}: a hash with this key stands for the account in outputs. */
  public PipelineBuilder accountId(AccountKey key) {
    accountId = new AccountId.KeyedHash(key.check());
    accountKey = key;
    return this;
  }

  /** {@code closes-after}: a window is closed this long after its end. */
  public PipelineBuilder closesAfter(Duration delay) {
    closure = new Closure.AfterDelay(delay);
    return this;
  }

  /** {@code closes-at}: a window is closed at this wall time on the day after it. */
  public PipelineBuilder closesAt(LocalTime time) {
    closure = new Closure.AtWallTime(time);
    return this;
  }

  /** {@code keep}: outputs older than this are not expected any more. */
  public PipelineBuilder keep(Period period) {
    keep = period;
    return this;
  }

  /** {@code sweep: {every}}: a Temporal Schedule. */
  public PipelineBuilder sweepEvery(Duration interval) {
    sweep = new Wake.Every(interval);
    return this;
  }

  /** {@code sweep: {cron}}: a Temporal cron workflow. */
  public PipelineBuilder sweepCron(String expression) {
    sweep = new Wake.Cron(expression);
    return this;
  }

  /**
   * {@code stateful: true}: a window needs its predecessor, and late data redoes everything after
   * it, in order.
   */
  public PipelineBuilder stateful() {
    stateful = true;
    return this;
  }

  /** {@code order}: which window goes first. */
  public PipelineBuilder order(Pace.Order first) {
    order = first;
    return this;
  }

  /** {@code catch-up}: how much of a backlog is due; {@code new CatchUp.Newest(1)} is none. */
  public PipelineBuilder catchUp(CatchUp policy) {
    catchUp = policy;
    return this;
  }

  /** {@code limits}: {@link Limits#DEFAULT} with what should differ. */
  public PipelineBuilder limits(Limits bounds) {
    limits = bounds;
    return this;
  }

  /** {@code weight} and {@code breaker}: how accounts share the pipeline. */
  public PipelineBuilder accounts(Accounts rules) {
    accounts = rules;
    return this;
  }

  /** {@code retry}: {@link Retry#DEFAULT} with what should differ. */
  public PipelineBuilder retry(Retry policy) {
    retry = policy;
    return this;
  }

  /**
   * {@code freshness.within}: a closed window not committed this long after closure is a breach.
   */
  public PipelineBuilder freshWithin(Duration duration) {
    freshness = duration;
    return this;
  }

  /** {@code lookback}: each newly closed window asks for this many before it too. */
  public PipelineBuilder lookback(int windows) {
    if (windows < 0) {
      throw new IllegalArgumentException("lookback must not be negative: " + windows);
    }
    lookback = IntStream.rangeClosed(1, windows).boxed().toList();
    return this;
  }

  /** {@code lookback} as a list: each newly closed window asks for those at these distances. */
  public PipelineBuilder lookback(List<Integer> distances) {
    lookback = List.copyOf(distances);
    return this;
  }

  /** {@code late-data}: how far back late data is accepted, and what goes first. */
  public PipelineBuilder lateData(LateData policy) {
    lateData = policy;
    return this;
  }

  /** {@code frozen: true}: never late, never redone by a cascade. */
  public PipelineBuilder frozen() {
    frozen = true;
    return this;
  }

  /** {@code on-definition-change}: what happens to what was made with an older definition. */
  public PipelineBuilder onDefinitionChange(Integration.OnDefinitionChange policy) {
    onDefinitionChange = policy;
    return this;
  }

  /** One of {@code inputs}: see {@link Input}. */
  public PipelineBuilder input(InputSpec read) {
    inputs.add(read);
    return this;
  }

  /** An input with a detector of your own; one for each pipeline. */
  public PipelineBuilder input(ChangeDetector own) {
    if (detector != null) {
      throw new IllegalArgumentException(
          "pipeline '" + name + "': inputs: takes one detector in Java; let it ask the others");
    }
    detector = own;
    inputs.add(new InputSpec.Custom(name, false));
    return this;
  }

  /** The task, in Java; one attempt may take an hour. */
  public PipelineBuilder task(PartitionTask own) {
    return task(own, Defaults.TASK_TIMEOUT);
  }

  /** The task, in Java, and the longest that one attempt may take. */
  public PipelineBuilder task(PartitionTask own, Duration timeout) {
    taskObject = own;
    task = new TaskSpec.Java(name, timeout);
    return this;
  }

  /** A task of another kind: see {@link Task}. */
  public PipelineBuilder task(TaskSpec other) {
    taskObject = null;
    task = other;
    return this;
  }

  /** {@code output}: see {@link Output}. Without one, the task itself owns what it makes. */
  public PipelineBuilder output(OutputSpec place) {
    output = place;
    return this;
  }

  /**
   * The pipeline.
   *
   * @throws IllegalArgumentException naming the pipeline and every key that breaks a rule
   */
  public Pipeline build() {
    if (start == null) {
      throw new IllegalArgumentException("pipeline '" + name + "': partitions.start: call from()");
    }
    if (task == null) {
      throw new IllegalArgumentException("pipeline '" + name + "': task: call task()");
    }
    List<Violation> violations = new ArrayList<>();
    Optional<Partitioning> partitions = Partitions.of(grain, zone, start, end, violations::add);
    Integration integration =
        new Integration(
            lookback,
            lateData.accept(),
            lateData.strategy() == null ? Defaults.strategy(stateful) : lateData.strategy(),
            stateful,
            frozen,
            onDefinitionChange);
    Pace pace =
        new Pace(
            sweep,
            order == null ? Defaults.order(stateful) : order,
            catchUp,
            limits,
            retry,
            freshness,
            accounts);
    Draft.Space space = new Draft.Space(slices, account, accountId, closure, keep);
    Draft draft =
        new Draft(partitions.orElse(null), space, inputs, integration, pace, task, output);
    violations.addAll(draft.violations());
    if (partitions.isEmpty() || !violations.isEmpty()) {
      throw new IllegalArgumentException(
          violations.stream()
              .map(violation -> "pipeline '" + name + "': " + violation)
              .collect(Collectors.joining("\n")));
    }
    return new Pipeline(
        new PipelineDefinition(
            name, space.extent(partitions.get()), inputs, integration, pace, task, output),
        new Pipeline.Bound(taskObject, detector, accountKey));
  }
}
