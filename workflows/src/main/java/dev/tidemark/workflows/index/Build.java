package dev.tidemark.workflows.index;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * A build of an index that has begun. What it takes in is in the ledger, under its token.
 *
 * @param index the ledger's id of it
 * @param generation that it makes
 * @param token of the build: only the newest of an index may write
 * @param full whether all is read anew; else only what has changed
 * @param datasources of each of which a changelog is made
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Build(
    @JsonProperty("object_type") String objectType,
    @JsonProperty("index") long index,
    @JsonProperty("generation") long generation,
    @JsonProperty("token") long token,
    @JsonProperty("full") boolean full,
    @JsonProperty("datasources") List<String> datasources) {
  public Build {
    datasources = List.copyOf(datasources);
  }
}
