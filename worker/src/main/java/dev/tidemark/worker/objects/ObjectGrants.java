package dev.tidemark.worker.objects;

import dev.tidemark.worker.access.Caller;
import dev.tidemark.worker.access.Role;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.Datasource.FromPipeline;
import dev.tidemark.workflows.index.ObjectType;

/**
 * What a caller may of an object type, by the grants on the pipelines that it is made of: its
 * objects are what those have made. A datasource that is no pipeline is covered by grants on
 * everything.
 */
final class ObjectGrants {
  private ObjectGrants() {}

  /** Whether they have the role on every datasource, as it takes to read or edit objects. */
  static boolean may(Caller caller, Role role, ObjectType type) {
    return type.datasources().stream().allMatch(datasource -> may(caller, role, datasource));
  }

  /** Whether they may view any datasource, as it takes to know of the type and its builds. */
  static boolean mayKnow(Caller caller, ObjectType type) {
    return type.datasources().stream().anyMatch(one -> may(caller, Role.VIEW, one));
  }

  /**
   * Whether they may see what went wrong in a job (D32): one of a datasource says what that holds,
   * any other what all of them do.
   *
   * @param subject the datasource of a changelog; anything else for the other stages
   */
  static boolean mayDiagnose(Caller caller, ObjectType type, String subject) {
    return type.datasources().stream()
        .filter(one -> one.name().equals(subject))
        .findFirst()
        .map(one -> may(caller, Role.VIEW, one))
        .orElseGet(() -> may(caller, Role.VIEW, type));
  }

  private static boolean may(Caller caller, Role role, Datasource datasource) {
    return datasource.origin() instanceof FromPipeline from
        ? caller.may(role, from.pipeline())
        : caller.mayEverywhere(role);
  }
}
