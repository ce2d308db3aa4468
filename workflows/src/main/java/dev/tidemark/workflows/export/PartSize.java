package dev.tidemark.workflows.export;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** Where one file of a partition ends and the next one begins. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = PartSize.Rows.class, name = "rows"),
  @JsonSubTypes.Type(value = PartSize.Bytes.class, name = "bytes")
})
public sealed interface PartSize {
  int MAX_ROWS = 100_000_000;
  long MIN_BYTES = 1_000;
  long MAX_BYTES = 5_000_000_000L;

  PartSize DEFAULT = new Rows(1_000_000);

  /** After so many rows. */
  record Rows(int rows) implements PartSize {
    public Rows {
      if (rows < 1 || rows > MAX_ROWS) {
        throw new IllegalArgumentException("part-rows must be from 1 to " + MAX_ROWS);
      }
    }
  }

  /** After the row with which the file has so many bytes. */
  record Bytes(long bytes) implements PartSize {
    public Bytes {
      if (bytes < MIN_BYTES || bytes > MAX_BYTES) {
        throw new IllegalArgumentException("part-bytes must be from 1KB to 5GB");
      }
    }
  }
}
