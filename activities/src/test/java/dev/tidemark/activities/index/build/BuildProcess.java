package dev.tidemark.activities.index.build;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.index.ledger.Builds;
import dev.tidemark.activities.index.ledger.Look;
import dev.tidemark.activities.index.ledger.Looks;
import dev.tidemark.activities.index.ledger.ObjectIndex;
import dev.tidemark.activities.index.ledger.ObjectIndexes;
import dev.tidemark.activities.index.segment.SegmentFiles;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** Builds of an object type as the activities make them; as a process of its own, up to a point. */
final class BuildProcess {
  private final DataSource ledger;
  private final Sources sources;
  private final BuildStages stages;
  private final Path segments;

  BuildProcess(DataSource ledger, Path folder) {
    this(ledger, folder, new ConfiguredStores(folder, Connections.NONE, Clock.systemUTC()));
  }

  BuildProcess(DataSource ledger, Path folder, Stores stores) {
    this.ledger = ledger;
    this.sources = new Sources(Connections.NONE, stores, folder, ledger);
    this.segments = folder.resolve("segments-" + ProcessHandle.current().pid());
    this.stages = new BuildStages(ledger, sources, stores, new SegmentFiles(segments));
  }

  /** Looks at the datasources, and begins a build. */
  BuildDecision begin(BuildRequest request) throws IOException {
    ObjectIndex.Role role =
        request.replacement() ? ObjectIndex.Role.REPLACEMENT : ObjectIndex.Role.LIVE;
    ObjectIndex index = new ObjectIndexes(ledger).in(request.objectType(), role).orElseThrow();
    long number = new Looks(ledger).next();
    Map<String, List<Found>> found = new HashMap<>();
    for (Datasource datasource : index.type().datasources()) {
      found.put(datasource.name(), sources.find(datasource));
    }
    return new Builds(ledger).begin(request, new Look(number, index.id(), found));
  }

  /** Makes the next generation of whatever is new. */
  Build build(BuildRequest request, Watch watch) throws IOException {
    Build build = begin(request).build();
    if (build == null || !run(build, watch)) {
      throw new IllegalStateException("nothing was built: " + request);
    }
    return build;
  }

  /** Where it keeps the files of the newest generations. */
  Path segments() {
    return segments;
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
    return java(BuildProcess.class, ledger, folder.toString(), type, Integer.toString(killAt))
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  /** A JVM of its own. */
  static ProcessBuilder java(Class<?> main, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
  }

  /** What such a JVM knows the ledger by. */
  static HikariDataSource ledger(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername("postgres");
    config.setMaximumPoolSize(4);
    return new HikariDataSource(config);
  }

  public static void main(String[] arguments) throws Exception {
    try (HikariDataSource ledger = ledger(arguments[0])) {
      new BuildProcess(ledger, Path.of(arguments[1]))
          .build(
              new BuildRequest(arguments[2], false, false),
              new Killing(Integer.parseInt(arguments[3])));
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
