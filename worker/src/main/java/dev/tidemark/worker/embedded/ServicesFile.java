package dev.tidemark.worker.embedded;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code .tidemark/services.json}: who started the embedded services, which processes it started,
 * and, once a {@code dev} is up, where others find them.
 *
 * @param owner holds {@code .tidemark/lock} while it lives
 * @param processes of the owner, to be ended by the next one if the owner was killed
 * @param published null for a command that shares its services with nobody
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record ServicesFile(
    ServiceProcess owner, List<ServiceProcess> processes, @Nullable Published published) {

  ServicesFile {
    processes = processes == null ? List.of() : List.copyOf(processes);
  }

  ServicesFile with(ServiceProcess process) {
    List<ServiceProcess> more = new ArrayList<>(processes);
    more.add(process);
    return new ServicesFile(owner, more, published);
  }

  ServicesFile with(Published where) {
    return new ServicesFile(owner, processes, where);
  }

  /**
   * Where the services are. What the configuration names itself is not taken from here.
   *
   * @param ledgerUrl JDBC URL without a password
   * @param schedules whether this Temporal can keep schedules
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Published(
      String ledgerUrl,
      String temporalAddress,
      String namespace,
      boolean schedules,
      @Nullable String temporalUi,
      @Nullable String page) {}
}
