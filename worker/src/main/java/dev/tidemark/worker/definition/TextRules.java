package dev.tidemark.worker.definition;

import java.util.List;

/** Rules of the texts with placeholders in them. */
final class TextRules {
  private TextRules() {}

  static void check(Draft draft, Dimensions dimensions, List<Violation> found) {}
}
