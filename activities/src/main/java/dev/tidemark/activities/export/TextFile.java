package dev.tidemark.activities.export;

import dev.tidemark.workflows.export.ColumnType;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Base64;

/** A file of lines in UTF-8, each ended by one line feed. */
final class TextFile implements Closeable {
  private static final int BUFFER = 64 * 1024;
  private static final DateTimeFormatter MICROS =
      new DateTimeFormatterBuilder().appendInstant(6).toFormatter();

  private final OutputStream out;
  private final StringBuilder line = new StringBuilder();
  private long bytes;

  TextFile(Path file) throws IOException {
    out = new BufferedOutputStream(Files.newOutputStream(file), BUFFER);
  }

  /** The line that is being written. */
  StringBuilder line() {
    return line;
  }

  void endLine() throws IOException {
    byte[] encoded = line.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    out.write(encoded);
    bytes += encoded.length;
    line.setLength(0);
  }

  long bytes() {
    return bytes;
  }

  /**
   * A value as CSV and NDJSON both spell it: instants in ISO-8601 with microseconds and {@code Z},
   * numbers in full, bytes in base64.
   */
  static String text(Object value, ColumnType type) {
    return switch (type.kind()) {
      case DECIMAL -> ((BigDecimal) value).toPlainString();
      case TIMESTAMP -> MICROS.format((Instant) value);
      case BYTES -> Base64.getEncoder().encodeToString((byte[]) value);
      default -> value.toString();
    };
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
