package dev.tidemark.worker.configuration;

import dev.tidemark.worker.yaml.Section;
import dev.tidemark.worker.yaml.Type;
import io.temporal.common.WorkerDeploymentVersion;
import io.temporal.envconfig.ClientConfigProfile;
import io.temporal.envconfig.LoadClientConfigProfileOptions;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads where Temporal and the ledger are. */
final class ServicesSection {
  private static final Pattern ADDRESS =
      Pattern.compile("[^\\s:/]+:\\d{1,5}|\\[[0-9a-fA-F:]+]:\\d{1,5}");

  private static final Type<String> HOST_AND_PORT =
      new Type<>(
          "a host and a port such as localhost:7233",
          text -> ADDRESS.matcher(text).matches() ? text : null);

  /** What Temporal's worker controller tells the pods that it starts. */
  private static final String DEPLOYMENT_NAME = "TEMPORAL_DEPLOYMENT_NAME";

  private static final String BUILD_ID = "TEMPORAL_WORKER_BUILD_ID";

  private final Map<String, String> environment;

  ServicesSection(Map<String, String> environment) {
    this.environment = environment;
  }

  TemporalSettings temporal(Section section) {
    section.only(List.of("address", "namespace", "task-queue", "worker-deployment"), Later.KEYS);
    String address = section.get("address", HOST_AND_PORT);
    return new TemporalSettings(
        address,
        section.get("namespace", Type.TEXT),
        section.get("task-queue", Type.TEXT, TemporalSettings.DEFAULT_TASK_QUEUE),
        address == null && isInEnvironment(section),
        version(section.section("worker-deployment")));
  }

  /** As written; what is not written comes from the environment. Without a build, no version. */
  private @Nullable WorkerDeploymentVersion version(Section section) {
    section.only(List.of("name", "build-id"), Later.KEYS);
    String name = section.get("name", Types.DEPLOYMENT_NAME);
    String build = section.get("build-id", Types.BUILD_ID);
    if (!section.has("build-id")) {
      build = variable(BUILD_ID);
      if (build == null && section.has("name")) {
        section.problem(
            "build-id",
            "is missing, and so is " + BUILD_ID + ": without it workers have no version");
      }
    }
    if (name == null) {
      String inEnvironment = variable(DEPLOYMENT_NAME);
      name = inEnvironment == null ? TemporalSettings.DEFAULT_TASK_QUEUE : inEnvironment;
    }
    return build == null ? null : new WorkerDeploymentVersion(name, build);
  }

  private @Nullable String variable(String name) {
    String value = environment.get(name);
    return value == null || value.isBlank() ? null : value;
  }

  /** Asks as Temporal's own clients do, so that what they would use is what counts. */
  private boolean isInEnvironment(Section section) {
    try {
      String address =
          ClientConfigProfile.load(
                  LoadClientConfigProfileOptions.newBuilder().setEnvOverrides(environment).build())
              .getAddress();
      return address != null && !address.isEmpty();
    } catch (IOException | RuntimeException unreadable) {
      section.problem(
          "",
          "the environment's settings (TEMPORAL_*, temporal.toml) cannot be read: "
              + unreadable.getMessage());
      return false;
    }
  }

  @Nullable LedgerSettings ledger(Section section) {
    section.only(List.of("url", "username", "password"), Later.KEYS);
    String url = section.require("url", Types.JDBC_URL);
    String username = section.get("username", Type.TEXT);
    String password = section.get("password", Type.TEXT);
    return url == null ? null : new LedgerSettings(url, username, password);
  }
}
