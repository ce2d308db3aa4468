package dev.tidemark.worker.configuration;

import io.temporal.common.WorkerDeploymentVersion;
import org.jspecify.annotations.Nullable;

/**
 * Where Temporal is. What is not written here comes from {@code TEMPORAL_*} variables or {@code
 * temporal.toml} by Temporal's own environment configuration; what is written here wins.
 *
 * @param address host and port, or null where not written
 * @param namespace null where not written
 * @param taskQueue where workers poll; {@value #DEFAULT_TASK_QUEUE} where not written
 * @param inEnvironment whether {@code TEMPORAL_*} variables or {@code temporal.toml} name an
 *     address
 * @param version of the workers, for Temporal's worker deployments; null where they have none
 */
public record TemporalSettings(
    @Nullable String address,
    @Nullable String namespace,
    String taskQueue,
    boolean inEnvironment,
    @Nullable WorkerDeploymentVersion version) {
  public static final String DEFAULT_TASK_QUEUE = "tidemark";

  /** Settings with nothing in the environment. */
  public TemporalSettings(@Nullable String address, @Nullable String namespace, String taskQueue) {
    this(address, namespace, taskQueue, false, null);
  }

  /** Whether a server is named, here or in the environment; otherwise a local one is started. */
  public boolean isConfigured() {
    return address != null || inEnvironment;
  }
}
