package dev.tidemark.starter.partition;

import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.starter.output.Table;
import dev.tidemark.starter.session.Asked;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.NowOption;
import dev.tidemark.starter.session.RangeOptions;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.SliceOption;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code partitions}: the ledger's rows. */
@Command(
    name = "partitions",
    description = "Lists the ledger's rows of a pipeline: the view partition_state.")
public final class PartitionsCommand implements Callable<Integer> {
  private static final String SLICE = "slice";
  private static final Set<String> STATES =
      Set.of("never_attempted", "queued", "running", "completed", "failed", "parked", "excused");
  private static final int MAX_LIMIT = 1_000_000;

  private final Workspace workspace;

  @Parameters(paramLabel = "PIPELINE", description = "The pipeline.")
  private String pipeline = "";

  @Mixin private final NowOption now = new NowOption();
  @Mixin private final RangeOptions range = new RangeOptions();
  @Mixin private final SliceOption slice = new SliceOption();

  @Option(
      names = "--state",
      paramLabel = "S",
      description =
          "Only this state: never_attempted, queued, running, completed, failed, parked or excused;"
              + " may be given more than once.")
  private List<String> states = new ArrayList<>();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "At most this many rows (default: ${DEFAULT-VALUE}).",
      defaultValue = "100000")
  private int limit;

  public PartitionsCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    checkOptions();
    Configuration configuration = workspace.configuration();
    PipelineDefinition definition = Workspace.pipeline(configuration, pipeline);
    Asked.Range asked = untilNow(definition, range.range(definition));
    Slice slices = slice.filter(definition);
    var filter = new LedgerReader.Filter(asked.from(), asked.to(), states, slices);
    try (Session session = workspace.open(configuration, Services.Need.LEDGER)) {
      List<Map<String, @Nullable Object>> rows =
          new LedgerReader(session.ledger())
              .partitions(session.forReading(definition), filter, limit);
      if (rows.size() == limit) {
        workspace.console().notice("only the first " + limit + " rows are shown; see --limit");
      }
      workspace.console().result(View.of(rows), () -> text(rows));
    }
    return ExitCode.DONE.code();
  }

  /** A time given by hand leaves out what is not closed by then. */
  private Asked.Range untilNow(PipelineDefinition definition, Asked.Range asked) {
    Instant given = now.given();
    if (given == null) {
      return asked;
    }
    Window closed =
        definition
            .extent()
            .closedThrough(given)
            .orElseThrow(
                () ->
                    CommandFailure.usage(
                        "--now", "--now " + given + ": no partition is closed by then"));
    Window to = asked.to();
    return new Asked.Range(asked.from(), to == null || closed.compareTo(to) < 0 ? closed : to);
  }

  private void checkOptions() {
    for (String state : states) {
      if (!STATES.contains(state)) {
        throw CommandFailure.usage(
            "--state", "--state '" + state + "' is not one of " + new TreeSet<>(STATES));
      }
    }
    if (limit < 1 || limit > MAX_LIMIT) {
      throw CommandFailure.usage(
          "--limit", "--limit must be from 1 to " + MAX_LIMIT + ": " + limit);
    }
  }

  private static String text(List<Map<String, @Nullable Object>> rows) {
    if (rows.isEmpty()) {
      return "no rows";
    }
    Table table = new Table("PARTITION", "SLICE", "STATE", "LATE", "ATTEMPTS", "OUTPUT", "ERROR");
    for (Map<String, @Nullable Object> row : rows) {
      boolean parked = Boolean.TRUE.equals(row.get("parked"));
      table.row(
          row.get("partition"),
          row.get(SLICE),
          parked ? "parked" : row.get("state"),
          Boolean.TRUE.equals(row.get("late")) ? "late" : "",
          row.get("attempts"),
          row.get("output"),
          firstLine(row.get("last_error")));
    }
    return table.render();
  }

  private static @Nullable String firstLine(@Nullable Object error) {
    return error == null ? null : error.toString().lines().findFirst().orElse("");
  }

  /** The rows as JSON: the columns of the view, with the slice as an object. */
  record View(List<Map<String, @Nullable Object>> partitions) {
    static View of(List<Map<String, @Nullable Object>> rows) {
      List<Map<String, @Nullable Object>> partitions = new ArrayList<>();
      for (Map<String, @Nullable Object> row : rows) {
        Map<String, @Nullable Object> partition = new LinkedHashMap<>(row);
        partition.replace(SLICE, Slice.parse(String.valueOf(row.get(SLICE))).values());
        partitions.add(partition);
      }
      return new View(partitions);
    }
  }
}
