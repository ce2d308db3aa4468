package dev.tidemark.activities.index.source;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rows of a file, in the format that its name ends with. */
final class RowFile {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .configure(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, false);

  private RowFile() {}

  /**
   * Reads all rows.
   *
   * @param name of the file where it comes from, for its end and for messages
   */
  static void read(Path file, String name, RawRow.Sink sink) throws IOException {
    if (name.endsWith(".ndjson") || name.endsWith(".jsonl") || name.endsWith(".json")) {
      readJson(file, name, sink);
    } else if (name.endsWith(".csv")) {
      readCsv(file, name, sink);
    } else if (name.endsWith(".parquet")) {
      ParquetRows.read(file, sink);
    } else {
      throw new BadRowsException(
          "'%s' has no format that is known: .ndjson, .csv or .parquet".formatted(name));
    }
  }

  private static void readJson(Path file, String name, RawRow.Sink sink) throws IOException {
    try (InputStream in = Files.newInputStream(file);
        MappingIterator<JsonNode> rows = JSON.readerFor(JsonNode.class).readValues(in)) {
      while (rows.hasNextValue()) {
        JsonNode row = rows.nextValue();
        if (!row.isObject()) {
          throw new BadRowsException(
              "'%s' has a row that is no JSON object: line %d"
                  .formatted(name, rows.getCurrentLocation().getLineNr()));
        }
        sink.row(new RawRow.OfJson(row));
      }
    } catch (JsonProcessingException e) {
      throw new BadRowsException(
          "'%s' is no JSON: %s, line %d"
              .formatted(
                  name,
                  e.getOriginalMessage(),
                  e.getLocation() == null ? 0 : e.getLocation().getLineNr()));
    }
  }

  private static void readCsv(Path file, String name, RawRow.Sink sink) throws IOException {
    try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      CsvRecords records = new CsvRecords(in, name);
      List<@Nullable String> header = records.next();
      if (header == null) {
        return;
      }
      Map<String, Integer> columns = new HashMap<>();
      for (int i = 0; i < header.size(); i++) {
        columns.put(String.valueOf(header.get(i)), i);
      }
      for (List<@Nullable String> row = records.next(); row != null; row = records.next()) {
        if (row.size() != header.size()) {
          throw new BadRowsException(
              "'%s' has %d columns, and a row with %d of them: line %d"
                  .formatted(name, header.size(), row.size(), records.line()));
        }
        sink.row(new RawRow.OfColumns(columns, row));
      }
    }
  }
}
