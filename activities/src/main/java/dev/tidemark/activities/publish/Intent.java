package dev.tidemark.activities.publish;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.tidemark.activities.store.StagedUpload;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt is about to publish, as recorded in the ledger before it does.
 *
 * @param output full address of the output
 * @param uploads what a later attempt needs to take the staging away; absent in older intents
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record Intent(
    @JsonProperty("output") String output,
    @JsonProperty("manifest") Manifest manifest,
    @JsonProperty("uploads") @Nullable List<StagedUpload> uploads) {
  /** As recorded; empty if a version recorded it that wrote intents in another way. */
  static Optional<Intent> parse(String json) {
    try {
      return Optional.of(Json.read(json, Intent.class));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  List<StagedUpload> staged() {
    return uploads == null ? List.of() : uploads;
  }
}
