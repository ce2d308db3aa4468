package dev.tidemark.starter.output;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of text in aligned columns. */
public final class Table {
  private static final String GAP = "  ";

  /** A longer cell moves the rest of its own line only. */
  private static final int MAX_WIDTH = 80;

  private final List<List<String>> lines = new ArrayList<>();

  /** A table with these headings. */
  public Table(String... headings) {
    lines.add(List.of(headings));
  }

  /** Adds a row, of as many cells as there are headings; null is shown as a dash. */
  public Table row(@Nullable Object... cells) {
    if (cells.length != lines.get(0).size()) {
      throw new IllegalArgumentException(
          "a row of " + cells.length + " cells under " + lines.get(0).size() + " headings");
    }
    List<String> line = new ArrayList<>();
    for (Object cell : cells) {
      line.add(cell == null || cell.toString().isEmpty() ? "-" : cell.toString());
    }
    lines.add(line);
    return this;
  }

  /** The lines, each ended. */
  public String render() {
    int[] widths = new int[lines.get(0).size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        int width = line.get(i).length();
        widths[i] = width > MAX_WIDTH ? widths[i] : Math.max(widths[i], width);
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      StringBuilder row = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        int padding = Math.max(0, widths[i] - line.get(i).length());
        row.append(line.get(i)).append(" ".repeat(padding)).append(GAP);
      }
      text.append(row.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
