package dev.tidemark.activities.task;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The last lines that a task printed: at most 200, and 32 KB. For use by several threads. */
final class TaskLog {
  private static final int MAX_LINES = 200;
  private static final int MAX_CHARS = 32 * 1024;
  static final int MAX_LINE = 4 * 1024;

  private final Deque<String> lines = new ArrayDeque<>();
  private int chars;

  synchronized void add(String line) {
    String kept = Texts.clean(Texts.head(line, MAX_LINE));
    lines.addLast(kept);
    chars += kept.length() + 1;
    while (lines.size() > MAX_LINES || chars > MAX_CHARS) {
      chars -= lines.removeFirst().length() + 1;
    }
  }

  /** All lines kept, or null if there is none. */
  synchronized @Nullable String text() {
    return lines.isEmpty() ? null : String.join("\n", lines);
  }

  /** The last lines, for an error. */
  synchronized String last(int count) {
    List<String> all = new ArrayList<>(lines);
    return String.join("\n", all.subList(Math.max(0, all.size() - count), all.size()));
  }
}
