package dev.tidemark.workflows.index;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where properties of an object type come from.
 *
 * @param name of the datasource, once per object type
 * @param properties that it gives, the primary key among them; each other property comes from one
 *     datasource only
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Datasource(String name, Origin origin, Kind kind, List<String> properties) {
  public Datasource {
    properties = List.copyOf(properties);
  }

  /** What is read. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "from")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = FromPipeline.class, name = "pipeline"),
    @JsonSubTypes.Type(value = FromSql.class, name = "sql"),
    @JsonSubTypes.Type(value = FromFiles.class, name = "files")
  })
  public sealed interface Origin {}

  /**
   * The committed partitions of a pipeline of one slice. A commit is a transaction; a snapshot is
   * the newest committed partition.
   *
   * @param slice empty where the pipeline has none
   */
  public record FromPipeline(String pipeline, Map<String, String> slice) implements Origin {
    public FromPipeline {
      slice = Map.copyOf(slice);
    }
  }

  /**
   * All rows of a query, read as one transaction each time that the version differs.
   *
   * @param version a query of one value; null reads the rows each time and compares them
   */
  public record FromSql(String connection, String sql, @Nullable String version)
      implements Origin {}

  /** Local files that match a glob; NDJSON or CSV by their names' ends. */
  public record FromFiles(String glob) implements Origin {}

  /** What a transaction of a datasource says. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Snapshot.class, name = "snapshot"),
    @JsonSubTypes.Type(value = Append.class, name = "append"),
    @JsonSubTypes.Type(value = Cdc.class, name = "cdc")
  })
  public sealed interface Kind {}

  /** All rows that there are: a key that is not in it has no row any more. */
  public record Snapshot() implements Kind {}

  /** Rows that are new or changed; a key may come again in a later transaction (D14, D15). */
  public record Append() implements Kind {}

  /**
   * Changes of rows (D19). The columns are named here and nowhere else: one that is merely called
   * is_deleted means nothing (D17).
   *
   * @param ordering the column that orders the changes of a key: a number, a time or a text
   * @param deletion the boolean column that marks a deletion; null where nothing is ever deleted
   */
  public record Cdc(String ordering, @Nullable String deletion) implements Kind {}
}
