package dev.tidemark.activities.export.load;

/** Writes the script of one engine. */
@FunctionalInterface
interface Dialect {
  String script(LoadJob job);
}
