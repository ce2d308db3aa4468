package dev.tidemark.activities.ledger;

import dev.tidemark.workflows.closure.Closure;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.pipeline.Accounts;
import dev.tidemark.workflows.pipeline.CatchUp;
import dev.tidemark.workflows.pipeline.Extent;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.Integration;
import dev.tidemark.workflows.pipeline.Integration.OnDefinitionChange;
import dev.tidemark.workflows.pipeline.Integration.Strategy;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.Pace;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.Retry;
import dev.tidemark.workflows.pipeline.SliceSet;
import dev.tidemark.workflows.pipeline.TaskSpec;
import dev.tidemark.workflows.pipeline.Wake;
import java.time.Duration;
import java.time.Period;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A daily pipeline in UTC without closure delay, changed by one line per test. */
public final class Pipelines {
  private final String name;
  private Partitioning partitions =
      new Partitioning(Grain.DAY, ZoneId.of("UTC"), "2026-01-01", null);
  private List<SliceSet> slices = List.of();
  private @Nullable String account;
  private @Nullable Period keep;
  private List<InputSpec> inputs = List.of(new InputSpec.Push());
  private Integration integration =
      new Integration(
          List.of(),
          Period.ofDays(60),
          Strategy.CURRENT_FIRST,
          false,
          false,
          OnDefinitionChange.ASK);
  private Pace.Order order = Pace.Order.NEWEST_FIRST;
  private CatchUp catchUp = new CatchUp.All();
  private Limits limits = Limits.DEFAULT;
  private Retry retry = Retry.DEFAULT;
  private @Nullable Accounts accounts;
  private String command = "true";
  private String location = "./out";

  private Pipelines(String name) {
    this.name = name;
  }

  public static Pipelines daily(String name) {
    return new Pipelines(name);
  }

  public Pipelines partitions(Grain every, String zone, String start, @Nullable String end) {
    partitions = new Partitioning(every, ZoneId.of(zone), start, end);
    return this;
  }

  public Pipelines slices(@Nullable String accountDimension, SliceSet... sets) {
    account = accountDimension;
    slices = List.of(sets);
    return this;
  }

  public Pipelines weight(Map<String, Integer> weight) {
    accounts = new Accounts(weight, Accounts.Breaker.DEFAULT);
    return this;
  }

  public Pipelines accounts(Accounts rules) {
    accounts = rules;
    return this;
  }

  public Pipelines keep(Period period) {
    keep = period;
    return this;
  }

  public Pipelines inputs(InputSpec... specs) {
    inputs = List.of(specs);
    return this;
  }

  public Pipelines lookback(Integer... distances) {
    integration =
        new Integration(
            List.of(distances),
            integration.accept(),
            integration.strategy(),
            integration.stateful(),
            integration.frozen(),
            integration.onDefinitionChange());
    return this;
  }

  public Pipelines late(Period accept, Strategy strategy) {
    integration =
        new Integration(
            integration.lookback(),
            accept,
            strategy,
            integration.stateful(),
            integration.frozen(),
            integration.onDefinitionChange());
    return this;
  }

  public Pipelines frozen() {
    integration =
        new Integration(
            integration.lookback(),
            integration.accept(),
            integration.strategy(),
            integration.stateful(),
            true,
            integration.onDefinitionChange());
    return this;
  }

  public Pipelines onDefinitionChange(OnDefinitionChange policy) {
    integration =
        new Integration(
            integration.lookback(),
            integration.accept(),
            integration.strategy(),
            integration.stateful(),
            integration.frozen(),
            policy);
    return this;
  }

  /** Late first and oldest first, as it has to be. */
  public Pipelines stateful(Period accept) {
    order = Pace.Order.OLDEST_FIRST;
    integration =
        new Integration(
            integration.lookback(),
            accept,
            Strategy.LATE_FIRST,
            true,
            integration.frozen(),
            integration.onDefinitionChange());
    return this;
  }

  public Pipelines order(Pace.Order value) {
    order = value;
    return this;
  }

  public Pipelines catchUp(CatchUp value) {
    catchUp = value;
    return this;
  }

  public Pipelines parallel(int parallel, int backfillSharePercent) {
    limits = new Limits(1000, Duration.ofMinutes(10), parallel, null, null, backfillSharePercent);
    return this;
  }

  public Pipelines perAccount(int perAccount) {
    limits = new Limits(1000, Duration.ofMinutes(10), 20, perAccount, null, 50);
    return this;
  }

  Pipelines volume(Limits.Volume volume) {
    limits = new Limits(1000, Duration.ofMinutes(10), 20, null, null, 50, volume);
    return this;
  }

  public Pipelines perAccountParallel(int parallel, int perAccount) {
    limits = new Limits(1000, Duration.ofMinutes(10), parallel, null, perAccount, 50);
    return this;
  }

  public Pipelines retry(int attempts, int giveUpAfter) {
    retry =
        new Retry(
            attempts,
            Duration.ofSeconds(10),
            Duration.ofMinutes(5),
            Duration.ofMinutes(15),
            giveUpAfter);
    return this;
  }

  public Pipelines command(String program) {
    command = program;
    return this;
  }

  Pipelines location(String folder) {
    location = folder;
    return this;
  }

  PipelineDefinition build() {
    return new PipelineDefinition(
        name,
        new Extent(partitions, slices, account, new Closure.AfterDelay(Duration.ZERO), keep),
        inputs,
        integration,
        new Pace(
            new Wake.Every(Duration.ofMinutes(15)), order, catchUp, limits, retry, null, accounts),
        new TaskSpec.Command(List.of(command), Duration.ofMinutes(10)),
        new OutputSpec.Hive(location));
  }
}
