package dev.tidemark.workflows.index;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done for an index now.
 *
 * @param build the build that has begun; null unless {@link Kind#BUILD}
 * @param detail for people; null where there is nothing to say
 * @param replacement revision of the index that is being built to replace the live one; null while
 *     there is none
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record BuildDecision(
    Kind kind, @Nullable Build build, @Nullable String detail, @Nullable Integer replacement) {

  /** The kinds. */
  public enum Kind {
    /** There is something new, and a build of it has begun. */
    BUILD,
    /** The index has all that there is. */
    UP_TO_DATE,
    /** Another build of it runs. */
    BUSY,
    /** Its data is bad, and has not changed since a build failed for it. */
    WAITS_FOR_DATA,
    /** There is no such object type, or no index in this role, any more. */
    GONE
  }
}
