package dev.tidemark.worker.configuration;

import dev.tidemark.worker.definition.Defaults;
import dev.tidemark.worker.yaml.Section;
import dev.tidemark.worker.yaml.Type;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.SliceSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code output}. The location stays as written: a relative one is resolved against the
 * configuration's folder at run time, so that a definition is the same on every machine.
 */
final class OutputSection {
  private enum Layout {
    HIVE,
    FILE
  }

  private OutputSection() {}

  /** The output, or null where there is none or it cannot be read, which is then reported. */
  static @Nullable OutputSpec read(
      Section pipeline, ConnectionsSection connections, List<SliceSet> slices) {
    if (!pipeline.has("output")) {
      return null;
    }
    Section section = pipeline.section("output");
    section.only(List.of("location", "layout", "path", "commit"), Later.KEYS);
    String location = section.require("location", Type.TEXT);
    Layout layout = section.get("layout", Types.choice(Layout.class), Layout.HIVE);
    OutputSpec.Commit commit =
        section.get("commit", Types.choice(OutputSpec.Commit.class), Defaults.COMMIT);
    String path = section.get("path", Type.TEXT);
    if (location != null) {
      OutputConnection.check(section, location, connections, slices);
    }
    if (layout == Layout.HIVE) {
      for (String key : List.of("path", "commit")) {
        if (section.has(key)) {
          section.problem(key, "belongs to layout: file, and this layout is hive; remove it");
        }
      }
    } else if (!section.has("path")) {
      section.problem("path", "is missing; layout: file needs one, such as \"{partition}.json\"");
    }
    if (location == null) {
      return null;
    }
    // Without a path, which is reported, the rules of the location still apply.
    return layout == Layout.HIVE || path == null
        ? new OutputSpec.Hive(location)
        : new OutputSpec.File(location, path, commit);
  }
}
