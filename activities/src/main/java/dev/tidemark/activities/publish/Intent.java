package dev.tidemark.activities.publish;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What an attempt is about to publish, as recorded in the ledger before it does.
 *
 * @param output full address of the output
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record Intent(@JsonProperty("output") String output, @JsonProperty("manifest") Manifest manifest) {}
