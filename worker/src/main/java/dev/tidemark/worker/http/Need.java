package dev.tidemark.worker.http;

import dev.tidemark.worker.access.Caller;
import dev.tidemark.worker.access.Role;
import org.jspecify.annotations.Nullable;

/**
 * What a route asks of its caller. On a path with {@code {pipeline}} the role must be one on that
 * pipeline; on another, one on any: such a route leaves out what its caller may not see.
 */
public enum Need {
  /** Anybody: says nothing about the pipelines. */
  NOTHING,
  VIEW,
  OPERATE;

  boolean isMetBy(Caller caller, @Nullable String pipeline) {
    return switch (this) {
      case NOTHING -> true;
      case VIEW -> has(caller, Role.VIEW, pipeline);
      case OPERATE -> has(caller, Role.OPERATE, pipeline);
    };
  }

  private static boolean has(Caller caller, Role role, @Nullable String pipeline) {
    return pipeline == null ? caller.may(role) : caller.may(role, pipeline);
  }
}
