package dev.tidemark.activities.publish;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a task knows of the files that it left, and the files do not say themselves.
 *
 * @param rows all together, null where not known
 * @param rowsByFile of those files of which they are known, by the name in the task's folder
 * @param schema for the manifest, null where not known
 * @param source where the rows came from, for the manifest (B17); null where not known
 */
public record Contents(
    @Nullable Long rows,
    Map<String, Long> rowsByFile,
    @Nullable JsonNode schema,
    @Nullable JsonNode source,
    Companions companions) {

  /** Texts about the files, published with them and listed nowhere as data. */
  @FunctionalInterface
  public interface Companions {
    /**
     * Texts by their names, which are of the form {@code _load_name.sql}.
     *
     * @param folder the partition's full address
     * @param output with the files' published names
     */
    Map<String, String> of(String folder, PublishedOutput output);
  }

  public Contents {
    rowsByFile = Map.copyOf(rowsByFile);
  }

  /** Nothing but the number of rows, null where not even that. */
  public static Contents of(@Nullable Long rows) {
    return new Contents(rows, Map.of(), null, null, (folder, output) -> Map.of());
  }
}
