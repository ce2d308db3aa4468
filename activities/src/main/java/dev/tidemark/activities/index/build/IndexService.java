package dev.tidemark.activities.index.build;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.index.ledger.Builds;
import dev.tidemark.activities.index.ledger.Jobs;
import dev.tidemark.activities.index.ledger.Look;
import dev.tidemark.activities.index.ledger.Looks;
import dev.tidemark.activities.index.ledger.ObjectIndex;
import dev.tidemark.activities.index.ledger.ObjectIndex.Role;
import dev.tidemark.activities.index.ledger.ObjectIndexes;
import dev.tidemark.activities.index.ledger.ObjectTypes;
import dev.tidemark.activities.index.ledger.Replacements;
import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.index.source.Found;
import dev.tidemark.activities.index.source.Sources;
import dev.tidemark.activities.index.stage.StageManifest;
import dev.tidemark.activities.index.stage.SupersededBuildException;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.workflows.index.Build;
import dev.tidemark.workflows.index.BuildDecision;
import dev.tidemark.workflows.index.BuildRequest;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.Hydration;
import dev.tidemark.workflows.index.IndexActivities;
import dev.tidemark.workflows.index.SwitchOutcome;
import dev.tidemark.workflows.ledger.Refusal;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The activities that build indexes: looks, stages, and what the ledger keeps of them. */
public final class IndexService implements IndexActivities, AutoCloseable {
  private final ObjectTypes types;
  private final ObjectIndexes indexes;
  private final Builds builds;
  private final Looks looks;
  private final Replacements replacements;
  private final Sources sources;
  private final StageRuns runs;
  private final HydrationWatch hydration;
  private final BuildStages stages;
  private final OldGenerations oldGenerations;

  /**
   * Wires them.
   *
   * @param baseFolder what relative paths are relative to
   * @param stores where pipelines publish, and indexes are kept
   */
  public static IndexService of(
      DataSource ledger, Connections connections, Path baseFolder, Stores stores) {
    return new IndexService(ledger, new Sources(connections, stores, baseFolder, ledger), stores);
  }

  private IndexService(DataSource ledger, Sources sources, Stores stores) {
    this.types = new ObjectTypes(ledger);
    this.indexes = new ObjectIndexes(ledger);
    this.builds = new Builds(ledger);
    this.looks = new Looks(ledger);
    this.replacements = new Replacements(ledger);
    this.sources = sources;
    this.runs = new StageRuns(ledger);
    this.hydration = new HydrationWatch(ledger);
    this.stages = new BuildStages(ledger, sources, stores);
    this.oldGenerations = new OldGenerations(ledger, stores);
  }

  @Override
  public BuildDecision begin(BuildRequest request) {
    types.lower(request.objectType());
    Role role = request.replacement() ? Role.REPLACEMENT : Role.LIVE;
    long number = looks.next();
    Optional<ObjectIndex> index = indexes.in(request.objectType(), role);
    Map<String, List<Found>> found = new HashMap<>();
    try {
      if (index.isPresent()) {
        for (Datasource datasource : index.get().type().datasources()) {
          found.put(datasource.name(), sources.find(datasource));
        }
      }
    } catch (IOException e) {
      throw ApplicationFailure.newFailureWithCause(
          "a datasource of '%s' cannot be read: %s".formatted(request.objectType(), e.getMessage()),
          "TidemarkUnreachable",
          e);
    } catch (LedgerRefusal refused) {
      throw refusal(refused);
    }
    Long looked = index.map(ObjectIndex::id).orElse(null);
    return builds.begin(request, new Look(number, looked, found));
  }

  @Override
  public @Nullable String changelog(Build build, String datasource) {
    StageManifest made =
        runs.run(
            build,
            Jobs.Stage.CHANGELOG,
            datasource,
            watch -> {
              StageManifest changelog = stages.changelog(build, datasource, watch);
              return new StageRuns.Done<>(published(changelog), changelog);
            });
    return made.full();
  }

  private static Jobs.Published published(StageManifest stage) {
    return new Jobs.Published(null, stage.entries(), stage.bytes());
  }

  @Override
  public Build widen(Build build, String cause) {
    try {
      return builds
          .widen(build, indexes.get(build.index()), cause)
          .orElseThrow(
              () ->
                  ApplicationFailure.newNonRetryableFailure(
                      "build %d is not the newest any more".formatted(build.token()), SUPERSEDED));
    } catch (LedgerRefusal refused) {
      throw ApplicationFailure.newNonRetryableFailure(
          String.valueOf(refused.getMessage()), BAD_DATA);
    }
  }

  @Override
  public void merge(Build build) {
    runs.run(
        build,
        Jobs.Stage.MERGE,
        "",
        watch -> {
          StageManifest merged = stages.merge(build, watch);
          return new StageRuns.Done<>(published(merged), merged);
        });
  }

  @Override
  public void index(Build build) {
    if (runs.isOver(build, Jobs.Stage.INDEX, "")) {
      return;
    }
    runs.run(
        build,
        Jobs.Stage.INDEX,
        "",
        watch -> {
          BuildStages.Indexed indexed = stages.index(build, watch);
          if (!builds.settle(build, indexed.made())) {
            throw new SupersededBuildException("settle");
          }
          IndexManifest manifest = indexed.manifest();
          return new StageRuns.Done<>(
              new Jobs.Published(indexed.address(), manifest.documents(), manifest.bytes()),
              manifest);
        });
  }

  @Override
  public Hydration hydrate(Build build) {
    ObjectIndex index = indexes.get(build.index());
    ActivityExecutionContext activity = Activity.getExecutionContext();
    Hydration hydrated = hydration.await(build, index, activity);
    oldGenerations.sweep(index.typeId(), () -> activity.heartbeat(null));
    return hydrated;
  }

  @Override
  public void fail(Build build, String error, boolean badData) {
    builds.fail(build, error, badData);
    oldGenerations.forget(indexes.get(build.index()).typeId());
  }

  @Override
  public SwitchOutcome switchOver(String objectType, int revision) {
    try {
      return replacements.tryToSwitch(objectType, revision);
    } catch (LedgerRefusal refused) {
      throw refusal(refused);
    }
  }

  private static ApplicationFailure refusal(LedgerRefusal refused) {
    return ApplicationFailure.newNonRetryableFailure(
        String.valueOf(refused.getMessage()), Refusal.REFUSED);
  }

  @Override
  public void close() {
    runs.close();
  }
}
