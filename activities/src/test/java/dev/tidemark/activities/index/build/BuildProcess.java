package dev.tidemark.activities.index.build;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.index.ledger.Builds;
import dev.tidemark.activities.index.ledger.Look;
import dev.tidemark.activities.index.ledger.Looks;
import dev.tidemark.activities.index.ledger.ObjectIndex;
import dev.tidemark.activities.index.ledger.ObjectIndexes;
import dev.tidemark.activities.index.source.Found;
import dev.tidemark.activities.index.source.Sources;
import dev.tidemark.activities.index.stage.Watch;
import dev.tidemark.activities.store.ConfiguredStores;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.workflows.index.Build;
import dev.tidemark.workflows.index.BuildDecision;
import dev.tidemark.workflows.index.BuildRequest;
import dev.tidemark.workflows.index.Datasource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** Builds of an object type as the activities make them; as a process of its own, up to a point. */
final class BuildProcess {
  private final DataSource ledger;
  private final Sources sources;
  private final BuildStages stages;

  BuildProcess(DataSource ledger, Path folder) {
    Stores stores = new ConfiguredStores(folder, Connections.NONE, Clock.systemUTC());
    this.ledger = ledger;
    this.sources = new Sources(Connections.NONE, stores, folder, ledger);
    this.stages = new BuildStages(ledger, sources, stores);
  }

  /** Looks at the datasources, and begins a build. */
  BuildDecision begin(String type) throws IOException {
    ObjectIndex live = new ObjectIndexes(ledger).in(type, ObjectIndex.Role.LIVE).orElseThrow();
    long number = new Looks(ledger).next();
    Map<String, List<Found>> found = new HashMap<>();
    for (Datasource datasource : live.type().datasources()) {
      found.put(datasource.name(), sources.find(datasource));
    }
    return new Builds(ledger)
        .begin(new BuildRequest(type, false, false), new Look(number, live.id(), found));
  }

  /** All stages, one after another. */
  boolean run(Build build, Watch watch) throws IOException {
    for (String datasource : build.datasources()) {
      stages.changelog(build, datasource, watch);
    }
    stages.merge(build, watch);
    BuildStages.Indexed indexed = stages.index(build, watch);
    watch.confirm("settle");
    return new Builds(ledger).settle(build, indexed.made());
  }

  /** Starts a process that begins a build, and kills itself where it asks for the n-th time. */
  static Process start(String ledger, Path folder, String type, int killAt, Path log)
      throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx128m",
            "-cp",
            System.getProperty("java.class.path"),
            BuildProcess.class.getName(),
            ledger,
            folder.toString(),
            type,
            Integer.toString(killAt))
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  public static void main(String[] arguments) throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(arguments[0]);
    config.setUsername("postgres");
    config.setMaximumPoolSize(2);
    try (HikariDataSource ledger = new HikariDataSource(config)) {
      BuildProcess process = new BuildProcess(ledger, Path.of(arguments[1]));
      Build build = process.begin(arguments[2]).build();
      if (build == null) {
        throw new IllegalStateException("nothing to build");
      }
      process.run(build, new Killing(Integer.parseInt(arguments[3])));
    }
  }

  /** Kills its own process, as the machine might, where something is about to be written. */
  private static final class Killing implements Watch {
    private int left;

    private Killing(int at) {
      this.left = at;
    }

    @Override
    public void beat() {
      // Goes on.
    }

    @Override
    public void confirm(String step) {
      if (--left == 0) {
        try {
          new ProcessBuilder("kill", "-KILL", Long.toString(ProcessHandle.current().pid()))
              .inheritIO()
              .start()
              .waitFor();
        } catch (IOException | InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }
}
