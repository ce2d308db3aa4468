package dev.tidemark.worker.configuration;

import dev.tidemark.activities.connection.BucketLocation;
import dev.tidemark.worker.definition.OutputLocations;
import dev.tidemark.worker.yaml.Section;
import dev.tidemark.workflows.pipeline.SliceSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The connections that an output is on: one, or one for each value of the slices in its name. */
final class OutputConnection {
  /** So that one slip of the pen does not fill the screen. */
  private static final int MOST = 3;

  private OutputConnection() {}

  /** Reports the connections that an output cannot be on, the first few of them. */
  static void check(
      Section output, String location, ConnectionsSection connections, List<SliceSet> slices) {
    Optional<BucketLocation> place = BucketLocation.of(location);
    if (place.isEmpty()) {
      return;
    }
    Set<String> names;
    try {
      names = OutputLocations.of(place.get().connection(), slices);
    } catch (IllegalArgumentException reportedAsText) {
      // The rules of a pipeline say what is wrong with a placeholder or a dimension.
      return;
    }
    names.stream()
        .filter(name -> !connections.takesOutputs(name))
        .map(ConnectionsSection::named)
        .distinct()
        .limit(MOST)
        .forEach(name -> connections.refuse(output, "location", "outputs", name));
  }
}
