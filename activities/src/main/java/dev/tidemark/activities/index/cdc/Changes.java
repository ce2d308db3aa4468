package dev.tidemark.activities.index.cdc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.tidemark.activities.index.object.Ordering;
import dev.tidemark.activities.index.sort.Entries;
import dev.tidemark.activities.index.sort.Entry;
import dev.tidemark.activities.index.sort.ExternalSort;
import dev.tidemark.activities.index.source.BadRowsException;
import dev.tidemark.activities.index.source.Duplicates;
import dev.tidemark.activities.store.Durably;
import dev.tidemark.activities.store.Scratch;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Changes of rows in files of a JSON object a line, of any size: sorted beyond memory. Refused are
 * rows without key, ordering or deletion flag, with the reserved column, and different rows of one
 * key that have its largest ordering both (D20).
 *
 * @param key the columns that tell rows apart
 * @param ordering the column that orders the changes of a key: a number, a time or a text
 * @param deletion the boolean column that marks a deletion
 */
public record Changes(List<String> key, String ordering, String deletion) {
  private static final long MEMORY = 48L * 1024 * 1024;
  private static final String RESERVED = "__latest_rank";
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .configure(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, false);

  public Changes {
    key = List.copyOf(key);
    if (key.isEmpty()) {
      throw new IllegalArgumentException("the key of changes must have a column");
    }
  }

  /**
   * The newest row of each key, deletions too: what appends these to earlier ones loses none (D21).
   *
   * @param output a new file, by key
   * @return how many rows it has
   */
  public long latestRows(List<Path> inputs, Path output) throws IOException {
    return reduce(inputs, output, true);
  }

  /**
   * The rows that are there now, out of the whole history: it replaces what was there before. Given
   * the newest changes only, or appended to, it would say nothing of deletions (D22, D23).
   *
   * @param output a new file, by key
   * @return how many rows it has
   */
  public long currentSnapshot(List<Path> wholeHistory, Path output) throws IOException {
    return reduce(wholeHistory, output, false);
  }

  private long reduce(List<Path> inputs, Path output, boolean keepsDeletions) throws IOException {
    Path scratch = Scratch.folder("changes");
    try (ExternalSort sort = new ExternalSort(scratch, MEMORY)) {
      for (Path input : inputs) {
        read(input, sort);
      }
      try (Entries sorted = sort.sorted();
          OutputStream out = new BufferedOutputStream(Files.newOutputStream(output))) {
        return write(sorted, out, keepsDeletions);
      }
    } finally {
      Durably.removeTree(scratch);
    }
  }

  private void read(Path input, ExternalSort sort) throws IOException {
    try (InputStream in = Files.newInputStream(input);
        MappingIterator<JsonNode> rows = JSON.readerFor(JsonNode.class).readValues(in)) {
      while (rows.hasNextValue()) {
        JsonNode row = rows.nextValue();
        sort.add(new BytesRef(keyOf(row)), new BytesRef(JSON.writeValueAsBytes(row)));
      }
    } catch (JsonProcessingException e) {
      throw new BadRowsException("'%s' is no JSON: %s".formatted(input, e.getOriginalMessage()));
    }
  }

  private String keyOf(JsonNode row) throws IOException {
    ArrayNode values = JSON.createArrayNode();
    for (String column : key) {
      values.add(present(row, column, "key"));
    }
    present(row, ordering, "ordering");
    if (!present(row, deletion, "deletion").isBoolean()) {
      throw new BadRowsException("'%s' is neither true nor false: %s".formatted(deletion, row));
    }
    if (row.has(RESERVED)) {
      throw new BadRowsException(
          "a row has the column " + RESERVED + ", which changes must not have; rename it");
    }
    return values.toString();
  }

  private static JsonNode present(JsonNode row, String column, String role) throws IOException {
    JsonNode value = row.path(column);
    if (value.isMissingNode() || value.isNull()) {
      throw new BadRowsException(
          "'%s' is null in a row; it is the %s column, which must not be: %s"
              .formatted(column, role, row));
    }
    return value;
  }

  private long write(Entries sorted, OutputStream out, boolean keepsDeletions) throws IOException {
    Duplicates duplicates =
        new Duplicates("different rows have the same '" + ordering + "', of the keys");
    long rows = 0;
    Entry entry = sorted.next();
    while (entry != null) {
      BytesRef of = entry.key();
      Newest newest = new Newest();
      for (; entry != null && entry.key().equals(of); entry = sorted.next()) {
        newest.add(entry.value());
      }
      if (newest.isTied) {
        duplicates.add(of.utf8ToString());
      }
      JsonNode row = newest.row;
      if (row != null && (keepsDeletions || !row.path(deletion).booleanValue())) {
        out.write(JSON.writeValueAsBytes(row));
        out.write('\n');
        rows++;
      }
    }
    duplicates.check();
    return rows;
  }

  /** The newest row of a key so far. */
  private final class Newest {
    private @Nullable JsonNode row;
    private boolean isTied;

    void add(BytesRef bytes) throws IOException {
      JsonNode other =
          JSON.readValue(bytes.bytes, bytes.offset, bytes.length, new TypeReference<>() {});
      int compared = row == null ? 1 : compare(other, row);
      if (compared > 0) {
        row = other;
        isTied = false;
      } else if (compared == 0) {
        isTied |= !other.equals(row);
      }
    }

    private int compare(JsonNode one, JsonNode other) throws IOException {
      try {
        return Ordering.compare(
            Ordering.parse(one.path(ordering).asText()),
            Ordering.parse(other.path(ordering).asText()));
      } catch (IllegalArgumentException e) {
        throw new BadRowsException(String.valueOf(e.getMessage()));
      }
    }
  }
}
