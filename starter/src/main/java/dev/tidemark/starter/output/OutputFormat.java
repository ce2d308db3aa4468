package dev.tidemark.starter.output;

/** What a command writes to standard output. */
public enum OutputFormat {
  /** Tables and sentences for people. */
  TEXT,
  /** One JSON document, and nothing else. */
  JSON
}
