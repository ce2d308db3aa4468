package dev.tidemark.activities;

import dev.tidemark.workflows.closure.Closure;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.pipeline.AccountId;
import dev.tidemark.workflows.pipeline.CatchUp;
import dev.tidemark.workflows.pipeline.Extent;
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
import java.time.Period;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Definitions for tests: daily in Istanbul from 2026-01-01 on. */
public final class TestPipeline {
  private final String name;
  private List<SliceSet> slices = List.of();
  private List<InputSpec> inputs = List.of();
  private TaskSpec task = new TaskSpec.Java("task", Duration.ofHours(1));
  private @Nullable String account;
  private @Nullable AccountId accountId;
  private @Nullable OutputSpec output;
  private Retry retry = Retry.DEFAULT;
  private Grain grain = Grain.DAY;
  private String start = "2026-01-01";
  private Period accept = Period.ofDays(60);
  private boolean frozen;

  private TestPipeline(String name) {
    this.name = name;
  }

  public static TestPipeline daily(String name) {
    return new TestPipeline(name);
  }

  public TestPipeline slices(SliceSet... sets) {
    slices = List.of(sets);
    return this;
  }

  public TestPipeline account(String dimension, @Nullable AccountId id) {
    account = dimension;
    accountId = id;
    return this;
  }

  public TestPipeline inputs(InputSpec... specs) {
    inputs = List.of(specs);
    return this;
  }

  public TestPipeline task(TaskSpec spec) {
    task = spec;
    return this;
  }

  public TestPipeline output(OutputSpec spec) {
    output = spec;
    return this;
  }

  public TestPipeline retry(Retry policy) {
    retry = policy;
    return this;
  }

  /** Other windows than days from 2026-01-01 on. */
  public TestPipeline every(Grain length, String first) {
    grain = length;
    start = first;
    return this;
  }

  public TestPipeline accept(Period back) {
    accept = back;
    return this;
  }

  public TestPipeline frozen() {
    frozen = true;
    return this;
  }

  public PipelineDefinition build() {
    return new PipelineDefinition(
        name,
        new Extent(
            new Partitioning(grain, ZoneId.of("Europe/Istanbul"), start, null),
            slices,
            account,
            accountId,
            new Closure.AfterDelay(Duration.ZERO),
            null),
        inputs,
        new Integration(
            List.of(),
            accept,
            Integration.Strategy.CURRENT_FIRST,
            false,
            frozen,
            Integration.OnDefinitionChange.ASK),
        new Pace(
            new Wake.Every(Duration.ofMinutes(15)),
            Pace.Order.NEWEST_FIRST,
            new CatchUp.All(),
            Limits.DEFAULT,
            retry,
            null),
        task,
        output);
  }
}
