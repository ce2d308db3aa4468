package dev.tidemark.worker.embedded;

import dev.tidemark.worker.configuration.TemporalSettings;
import io.temporal.envconfig.ClientConfigProfile;
import io.temporal.envconfig.LoadClientConfigProfileOptions;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a configured Temporal is: Temporal's own environment configuration ({@code TEMPORAL_*}
 * variables, {@code temporal.toml}), with what the configuration says on top of it.
 *
 * @param profile with address and namespace filled in
 * @param local a server of our own
 */
record TemporalTarget(ClientConfigProfile profile, boolean local) {
  private static final String DEFAULT_NAMESPACE = "default";

  /** The server that is named; null where none is. */
  static @Nullable TemporalTarget of(TemporalSettings settings, Map<String, String> environment)
      throws ServiceUnavailableException {
    ClientConfigProfile found;
    try {
      found =
          ClientConfigProfile.load(
              LoadClientConfigProfileOptions.newBuilder().setEnvOverrides(environment).build());
    } catch (IOException | RuntimeException e) {
      throw new ServiceUnavailableException(
          "cannot read where Temporal is from TEMPORAL_* variables or temporal.toml: "
              + e.getMessage(),
          e);
    }
    @Nullable String address = settings.address() == null ? found.getAddress() : settings.address();
    if (address == null) {
      return null;
    }
    @Nullable String namespace =
        settings.namespace() == null ? found.getNamespace() : settings.namespace();
    return new TemporalTarget(
        found.toBuilder()
            .setAddress(address)
            .setNamespace(namespace == null ? DEFAULT_NAMESPACE : namespace)
            .build(),
        false);
  }

  /** A server of our own. */
  static TemporalTarget local(String address) {
    return new TemporalTarget(
        ClientConfigProfile.newBuilder()
            .setAddress(address)
            .setNamespace(DEFAULT_NAMESPACE)
            .build(),
        true);
  }

  String address() {
    return profile.getAddress();
  }

  String namespace() {
    return profile.getNamespace();
  }
}
