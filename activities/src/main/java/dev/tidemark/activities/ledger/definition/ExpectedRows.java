package dev.tidemark.activities.ledger.definition;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.InputSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds expected partitions in batches: memory is bounded, and so is each transaction. */
final class ExpectedRows {
  private static final int BATCH = 5_000;

  private final Database database;
  private final RegisteredPipeline pipeline;
  private final ExpectedSet.Skipped skipped;
  private final boolean inputRequired;
  private final List<String> slices = new ArrayList<>();
  private final List<@Nullable String> accounts = new ArrayList<>();
  private final List<String> labels = new ArrayList<>();
  private final List<Instant> starts = new ArrayList<>();
  private final List<Instant> ends = new ArrayList<>();
  private final List<Boolean> passedOver = new ArrayList<>();
  private int added;

  ExpectedRows(Database database, RegisteredPipeline pipeline, ExpectedSet.Skipped skipped) {
    this.database = database;
    this.pipeline = pipeline;
    this.skipped = skipped;
    this.inputRequired = pipeline.definition().inputs().stream().anyMatch(ExpectedRows::isRequired);
  }

  /** Whether a partition without this input does not run. */
  private static boolean isRequired(InputSpec input) {
    if (input instanceof InputSpec.Files files) {
      return !files.allowEmpty();
    }
    if (input instanceof InputSpec.Sql sql) {
      return !sql.allowEmpty();
    }
    if (input instanceof InputSpec.Upstream) {
      return true;
    }
    return input instanceof InputSpec.Custom custom && !custom.allowEmpty();
  }

  void add(Slice slice, Window window) {
    String dimension = pipeline.definition().extent().account();
    slices.add(slice.canonical());
    accounts.add(dimension == null ? null : slice.values().get(dimension));
    labels.add(window.label());
    starts.add(window.start());
    ends.add(window.end());
    passedOver.add(skipped.has(window));
    if (slices.size() == BATCH) {
      write();
    }
  }

  /** Writes what is left; returns how many were added, or expected again, in all. */
  int flush() {
    if (!slices.isEmpty()) {
      write();
    }
    return added;
  }

  /** A row that is there already is expected again; nothing else of it changes. */
  private static final Sql INSERT =
      Sql.of(
          """
          insert into tidemark.partition_ledger
                 (pipeline_id, slice, partition, window_start, window_end, account, no_input,
                  predecessor_now, skipped_at)
          select :pipeline, w.slice, w.label, w.start, w.finish, w.account, :input_required,
                 case when :stateful then 0 end, case when w.passed_over then clock_timestamp() end
            from unnest(:slices::text[], :labels::text[], :starts::timestamptz[],
                        :ends::timestamptz[], :accounts::text[], :passed_over::boolean[])
                 as w (slice, label, start, finish, account, passed_over)
          on conflict (pipeline_id, slice, partition) do update
             set expected = true
           where not partition_ledger.expected
          returning id
          """);

  private void write() {
    boolean stateful = pipeline.definition().integration().stateful();
    added +=
        database.transaction(
            connection -> {
              if (stateful) {
                Predecessors.lock(connection, pipeline.id());
              }
              List<Long> ids =
                  INSERT
                      .on(connection)
                      .set("pipeline", pipeline.id())
                      .set("input_required", inputRequired)
                      .set("stateful", stateful)
                      .set("slices", slices)
                      .set("labels", labels)
                      .set("starts", starts)
                      .set("ends", ends)
                      .set("accounts", accounts)
                      .set("passed_over", passedOver)
                      .list(row -> row.number("id"));
              if (stateful) {
                Predecessors.link(connection, ids);
              }
              return ids.size();
            });
    List.of(slices, accounts, labels, starts, ends, passedOver).forEach(List::clear);
  }
}
