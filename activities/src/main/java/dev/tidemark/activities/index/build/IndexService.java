package dev.tidemark.activities.index.build;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.index.ledger.Builds;
import dev.tidemark.activities.index.ledger.Jobs;
import dev.tidemark.activities.index.ledger.ObjectIndex;
import dev.tidemark.activities.index.ledger.ObjectIndex.Role;
import dev.tidemark.activities.index.ledger.ObjectIndexes;
import dev.tidemark.activities.index.ledger.ObjectTypes;
import dev.tidemark.activities.index.ledger.Replacements;
import dev.tidemark.activities.index.ledger.Transactions;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.workflows.index.Build;
import dev.tidemark.workflows.index.BuildDecision;
import dev.tidemark.workflows.index.BuildRequest;
import dev.tidemark.workflows.index.Hydration;
import dev.tidemark.workflows.index.IndexActivities;
import dev.tidemark.workflows.index.SwitchOutcome;
import dev.tidemark.workflows.ledger.Refusal;
import io.temporal.activity.Activity;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The activities that build indexes: looks, stages, and what the ledger keeps of them. */
public final class IndexService implements IndexActivities, AutoCloseable {
  private final ObjectTypes types;
  private final ObjectIndexes indexes;
  private final Builds builds;
  private final Transactions transactions;
  private final Replacements replacements;
  private final Look look;
  private final StageRuns runs;
  private final HydrationWatch hydration;
  private final Stages stages;

  /**
   * @param baseFolder what relative paths are relative to
   */
  IndexService(DataSource ledger, Connections connections, Path baseFolder, Stages stages) {
    this.types = new ObjectTypes(ledger);
    this.indexes = new ObjectIndexes(ledger);
    this.builds = new Builds(ledger);
    this.transactions = new Transactions(ledger);
    this.replacements = new Replacements(ledger);
    this.look = new Look(ledger, connections, baseFolder);
    this.runs = new StageRuns(ledger);
    this.hydration = new HydrationWatch(ledger);
    this.stages = stages;
  }

  @Override
  public BuildDecision begin(BuildRequest request) {
    types.lower(request.objectType());
    Role role = request.replacement() ? Role.REPLACEMENT : Role.LIVE;
    Optional<ObjectIndex> index = indexes.in(request.objectType(), role);
    try {
      return builds.begin(request, index.isEmpty() ? Map.of() : look.at(index.get().type()));
    } catch (IOException | SQLException e) {
      throw ApplicationFailure.newFailureWithCause(
          "a datasource of '%s' cannot be read: %s".formatted(request.objectType(), e.getMessage()),
          "TidemarkUnreachable",
          e);
    }
  }

  @Override
  public @Nullable String changelog(Build build, String datasource) {
    return runs.run(
        build,
        Jobs.Stage.CHANGELOG,
        datasource,
        work -> {
          Stages.Changelog made =
              stages.changelog(work, datasource, transactions.of(build, datasource));
          return new StageRuns.Done<>(made.published(), made.fullBecause());
        });
  }

  @Override
  public Build widen(Build build, String cause) {
    return builds
        .widen(build, indexes.get(build.index()), cause)
        .orElseThrow(
            () ->
                ApplicationFailure.newNonRetryableFailure(
                    "build %d is not the newest any more".formatted(build.token()), SUPERSEDED));
  }

  @Override
  public void merge(Build build) {
    runs.run(build, Jobs.Stage.MERGE, "", work -> new StageRuns.Done<>(stages.merge(work), null));
  }

  @Override
  public void index(Build build) {
    runs.run(
        build,
        Jobs.Stage.INDEX,
        "",
        work -> {
          Stages.Index made = stages.index(work);
          if (!builds.settle(build, made.made())) {
            throw new SupersededException("build " + build.token());
          }
          return new StageRuns.Done<>(made.published(), null);
        });
  }

  @Override
  public Hydration hydrate(Build build) {
    return hydration.await(build, indexes.get(build.index()), Activity.getExecutionContext());
  }

  @Override
  public void fail(Build build, String error, boolean badData) {
    builds.fail(build, error, badData);
  }

  @Override
  public SwitchOutcome switchOver(String objectType) {
    try {
      return replacements.tryToSwitch(objectType);
    } catch (LedgerRefusal refused) {
      throw ApplicationFailure.newNonRetryableFailure(
          String.valueOf(refused.getMessage()), Refusal.REFUSED);
    }
  }

  @Override
  public void close() {
    runs.close();
  }
}
