package dev.tidemark.activities.index.source;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** CSV as RFC 4180 has it; nothing at all is null, {@code ""} is the empty text. */
final class CsvRecords {
  private static final int END = -1;

  private final Reader in;
  private final String name;
  private int line = 1;
  private int next;

  /**
   * Reads from the begin.
   *
   * @param name of what is read, for messages
   */
  CsvRecords(Reader in, String name) throws IOException {
    this.in = in;
    this.name = name;
    this.next = in.read();
    if (next == '\uFEFF') {
      next = in.read();
    }
  }

  /** The line at which it is, from 1. */
  int line() {
    return line;
  }

  /** The next record, null after the last. */
  @Nullable List<@Nullable String> next() throws IOException {
    if (next == END) {
      return null;
    }
    List<@Nullable String> fields = new ArrayList<>();
    fields.add(field());
    while (next == ',') {
      advance();
      fields.add(field());
    }
    if (next == '\r') {
      advance();
    }
    if (next != END && next != '\n') {
      throw new BadRowsException(
          "'%s' has a quoted value that goes on after its quote: line %d".formatted(name, line));
    }
    line++;
    advance();
    return fields;
  }

  private void advance() throws IOException {
    next = in.read();
  }

  private @Nullable String field() throws IOException {
    if (next == '"') {
      return quoted();
    }
    StringBuilder text = new StringBuilder();
    while (next != END && next != ',' && next != '\n' && next != '\r') {
      text.append((char) next);
      advance();
    }
    return text.isEmpty() ? null : text.toString();
  }

  private String quoted() throws IOException {
    StringBuilder text = new StringBuilder();
    advance();
    while (true) {
      if (next == END) {
        throw new BadRowsException(
            "'%s' ends inside of a quoted value: line %d".formatted(name, line));
      }
      if (next == '"') {
        advance();
        if (next != '"') {
          return text.toString();
        }
      }
      line += next == '\n' ? 1 : 0;
      text.append((char) next);
      advance();
    }
  }
}
