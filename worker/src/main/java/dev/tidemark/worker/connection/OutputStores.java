package dev.tidemark.worker.connection;

import dev.tidemark.activities.connection.BucketLocation;
import dev.tidemark.worker.definition.OutputLocations;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The locations that the outputs of pipelines go to. Where a location names the slice, one of each
 * connection stands for all.
 *
 * @param folders folders
 * @param buckets locations of object stores, by the connection's name
 */
public record OutputStores(SortedSet<String> folders, Map<String, SortedSet<String>> buckets) {

  /** Those of these pipelines. */
  public static OutputStores of(List<PipelineDefinition> pipelines) {
    OutputStores all = new OutputStores(new TreeSet<>(), new LinkedHashMap<>());
    for (PipelineDefinition pipeline : pipelines) {
      OutputSpec output = pipeline.output();
      if (output != null) {
        all.add(OutputLocations.of(output.location(), pipeline.extent().slices()));
      }
    }
    return all;
  }

  private void add(Set<String> locations) {
    Map<String, String> samples = new LinkedHashMap<>();
    for (String location : locations) {
      samples.putIfAbsent(
          BucketLocation.of(location).map(BucketLocation::connection).orElse(""), location);
    }
    samples.forEach(
        (connection, location) -> {
          if (connection.isEmpty()) {
            folders.add(location);
          } else {
            buckets.computeIfAbsent(connection, any -> new TreeSet<>()).add(location);
          }
        });
  }
}
