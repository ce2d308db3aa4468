package dev.tidemark.starter.partition;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.tidemark.activities.ledger.LedgerReader.AttemptView;
import dev.tidemark.activities.planning.Explanation;
import dev.tidemark.activities.planning.Plans;
import dev.tidemark.starter.output.Table;
import dev.tidemark.starter.session.Asked;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.NowOption;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.SliceOption;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code explain}: why a partition is due or not (c-M7). */
@Command(
    name = "explain",
    description = "Explains one partition: due or not, every reason, its attempts.")
public final class ExplainCommand implements Callable<Integer> {
  private final Workspace workspace;

  @Parameters(paramLabel = "PIPELINE", index = "0", description = "The pipeline.")
  private String pipeline = "";

  @Parameters(paramLabel = "PARTITION", index = "1", description = "Its label.")
  private String partition = "";

  @Mixin private final NowOption now = new NowOption();
  @Mixin private final SliceOption slice = new SliceOption();

  public ExplainCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    Configuration configuration = workspace.configuration();
    PipelineDefinition definition = Workspace.pipeline(configuration, pipeline);
    Window window = Asked.window(definition, "PARTITION", partition);
    Slice whole = slice.whole(definition);
    try (Session session = workspace.open(configuration, Services.Need.LEDGER)) {
      Explanation explanation =
          new Plans(session.ledger())
              .explain(session.forReading(definition), window, whole, now.given());
      View view = View.of(pipeline, window, whole, explanation);
      workspace.console().result(view, () -> text(view));
    }
    return ExitCode.DONE.code();
  }

  private static String text(View view) {
    String slice = Slice.of(view.slice()).canonical();
    StringBuilder text = new StringBuilder();
    text.append(view.pipeline())
        .append(' ')
        .append(view.partition())
        .append(slice.isEmpty() ? "" : " " + slice)
        .append(": ")
        .append(view.state())
        .append(view.due() ? ", due\n" : ", not due\n");
    for (Why why : view.reasons()) {
      text.append("  ")
          .append(why.code())
          .append(why.detail() == null ? "" : ": " + why.detail())
          .append(why.since() == null ? "" : " (since " + why.since() + ")")
          .append('\n');
    }
    if (view.attempts().isEmpty()) {
      return text.append("no attempts yet\n").toString();
    }
    Table table = new Table("TOKEN", "BEGAN", "ENDED", "OUTCOME", "BY", "ERROR");
    for (Attempt attempt : view.attempts()) {
      table.row(
          attempt.token(),
          attempt.beganAt(),
          attempt.endedAt(),
          attempt.outcome(),
          attempt.claimedBy(),
          attempt.error() == null ? null : attempt.error().lines().findFirst().orElse(""));
    }
    return text.append(table.render()).toString();
  }

  /** The explanation as JSON (contracts, section 1). */
  record View(
      String pipeline,
      String partition,
      Map<String, String> slice,
      String state,
      boolean due,
      List<Why> reasons,
      List<Attempt> attempts) {
    static View of(String pipeline, Window window, Slice slice, Explanation explanation) {
      return new View(
          pipeline,
          window.label(),
          slice.values(),
          explanation.state(),
          explanation.due(),
          explanation.reasons().stream().map(Why::of).toList(),
          explanation.attempts().stream().map(Attempt::of).toList());
    }
  }

  /** One reason. */
  record Why(String code, @Nullable String detail, @Nullable Instant since) {
    static Why of(Explanation.Why why) {
      return new Why(why.reason().code(), why.detail(), why.since());
    }
  }

  /** One attempt, newest first. */
  record Attempt(
      long token,
      @JsonProperty("began_at") Instant beganAt,
      @JsonProperty("ended_at") @Nullable Instant endedAt,
      @Nullable String outcome,
      @Nullable String error,
      @JsonProperty("input_version") @Nullable String inputVersion,
      @JsonProperty("claimed_by") String claimedBy) {
    static Attempt of(AttemptView attempt) {
      return new Attempt(
          attempt.token(),
          attempt.beganAt(),
          attempt.endedAt(),
          attempt.outcome(),
          attempt.error(),
          attempt.inputVersion(),
          attempt.claimedBy());
    }
  }
}
