package dev.tidemark.workflows.index;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
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
    @JsonProperty("kind") Kind kind,
    @JsonProperty("build") @Nullable Build build,
    @JsonProperty("detail") @Nullable String detail,
    @JsonProperty("replacement") @Nullable Integer replacement) {

  /** The kinds. */
  public enum Kind {
    /** There is something new, and a build of it has begun. */
    @JsonProperty("build")
    BUILD,
    /** The index has all that there is. */
    @JsonProperty("up_to_date")
    UP_TO_DATE,
    /** Another build of it runs. */
    @JsonProperty("busy")
    BUSY,
    /** Its data is bad, and has not changed since a build failed for it. */
    @JsonProperty("waits_for_data")
    WAITS_FOR_DATA,
    /** There is no such object type, or no index in this role, any more. */
    @JsonProperty("gone")
    GONE
  }
}
