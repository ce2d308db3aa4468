package dev.tidemark.workflows.ledger;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Says that the input of a partition changed: a push (contracts, section 2).
 *
 * @param partition label
 * @param slice dimensions that must be equal; null or empty for all slices
 * @param version that it has now; null is a new one
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record InputChange(
    @JsonProperty("partition") String partition,
    @JsonProperty("slice") @Nullable Map<String, String> slice,
    @JsonProperty("version") @Nullable String version) {
  /** A label that JSON leaves out is empty here, and refused like any other that is none. */
  public InputChange {
    partition = Objects.requireNonNullElse(partition, "");
  }
}
