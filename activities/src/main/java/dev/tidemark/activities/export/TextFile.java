package dev.tidemark.activities.export;

import com.fasterxml.jackson.core.io.NumberOutput;
import dev.tidemark.activities.export.row.Row;
import dev.tidemark.workflows.export.ColumnType;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Base64;

/**
 * A file of text in UTF-8, and values as CSV and NDJSON both spell them: instants in ISO-8601 with
 * microseconds and {@code Z}, numbers in full, bytes in base64. Bytes are written, never
 * characters: what the database sends is UTF-8 already.
 */
final class TextFile implements Closeable {
  private static final int BUFFER = 64 * 1024;

  /** More than any value has that is put digit by digit. */
  private static final int ROOM = 64;

  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final long SECONDS_PER_DAY = 86_400;
  private static final long MICROS_PER_DAY = SECONDS_PER_DAY * MICROS_PER_SECOND;

  private final OutputStream out;
  private final byte[] buffer = new byte[BUFFER];
  private int used;
  private long flushed;

  /** The day that was spelled last: times that follow each other are mostly of one. */
  private long day = Long.MIN_VALUE;

  private byte[] daySpelled = {};

  TextFile(Path file) throws IOException {
    out = Files.newOutputStream(file);
  }

  void put(char ascii) throws IOException {
    if (used == BUFFER) {
      flush();
    }
    buffer[used++] = (byte) ascii;
  }

  void put(byte[] bytes) throws IOException {
    put(bytes, 0, bytes.length);
  }

  void put(byte[] bytes, int offset, int length) throws IOException {
    if (length > BUFFER - used) {
      flush();
      if (length > BUFFER) {
        out.write(bytes, offset, length);
        flushed += length;
        return;
      }
    }
    System.arraycopy(bytes, offset, buffer, used, length);
    used += length;
  }

  /** A value that is no text, and not null. */
  void put(Row row, int column) throws IOException {
    ColumnType type = row.type(column);
    switch (type.kind()) {
      case BOOLEAN -> ascii(row.number(column) == 0 ? "false" : "true");
      case INT, BIGINT -> integer(row.number(column));
      case DOUBLE -> ascii(NumberOutput.toString(row.real(column), true));
      case DECIMAL -> decimal(row, column, type);
      case DATE -> date(row.number(column));
      case TIMESTAMP -> time(row.number(column));
      case BYTES ->
          put(
              Base64.getEncoder()
                  .encode(
                      ByteBuffer.wrap(row.bytes(column), row.offset(column), row.length(column)))
                  .array());
      case STRING, JSON -> throw new IllegalArgumentException(type + " is a text");
    }
  }

  private void ascii(String text) throws IOException {
    put(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private void integer(long value) throws IOException {
    makeRoom();
    used = NumberOutput.outputLong(value, buffer, used);
  }

  private void decimal(Row row, int column, ColumnType type) throws IOException {
    if (type.precision() > Row.LONG_DIGITS) {
      ascii(new BigDecimal(row.large(column), type.scale()).toPlainString());
      return;
    }
    makeRoom();
    long digits = row.number(column);
    if (digits < 0) {
      buffer[used++] = '-';
      digits = -digits;
    }
    if (type.scale() == 0) {
      used = NumberOutput.outputLong(digits, buffer, used);
      return;
    }
    long unit = Row.power(type.scale());
    used = NumberOutput.outputLong(digits / unit, buffer, used);
    buffer[used++] = '.';
    padded(digits % unit, type.scale());
  }

  private void date(long days) throws IOException {
    if (days != day) {
      daySpelled = LocalDate.ofEpochDay(days).toString().getBytes(StandardCharsets.ISO_8859_1);
      day = days;
    }
    put(daySpelled);
  }

  private void time(long micros) throws IOException {
    date(Math.floorDiv(micros, MICROS_PER_DAY));
    makeRoom();
    long inDay = Math.floorMod(micros, MICROS_PER_DAY);
    int second = (int) (inDay / MICROS_PER_SECOND);
    buffer[used++] = 'T';
    padded(second / 3600, 2);
    buffer[used++] = ':';
    padded(second / 60 % 60, 2);
    buffer[used++] = ':';
    padded(second % 60, 2);
    buffer[used++] = '.';
    padded(inDay % MICROS_PER_SECOND, 6);
    buffer[used++] = 'Z';
  }

  /** The number in so many digits, with zeros before it; there is room. */
  private void padded(long number, int digits) {
    long left = number;
    for (int at = used + digits - 1; at >= used; at--) {
      buffer[at] = (byte) ('0' + left % 10);
      left /= 10;
    }
    used += digits;
  }

  private void makeRoom() throws IOException {
    if (BUFFER - used < ROOM) {
      flush();
    }
  }

  private void flush() throws IOException {
    out.write(buffer, 0, used);
    flushed += used;
    used = 0;
  }

  long bytes() {
    return flushed + used;
  }

  @Override
  public void close() throws IOException {
    try (out) {
      flush();
    }
  }
}
