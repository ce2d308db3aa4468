package dev.tidemark.activities.publish;

import dev.tidemark.activities.placeholder.PartitionValues;
import dev.tidemark.activities.placeholder.Template;
import dev.tidemark.activities.store.StagingArea;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.OutputSpec;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where one partition's output goes, relative to its location (contracts, section 4). */
sealed interface Layout {

  /** Where attempts stage, and what prefix their targets have. */
  StagingArea stagingArea();

  /** The name that is the output for people: the partition's folder, or its file. */
  String output();

  /** The commit marker, or null where the atomic move of the file is the commit. */
  @Nullable String marker();

  static Layout of(
      OutputSpec output, String pipeline, Partitioning partitions, Window window, Slice slice) {
    if (output instanceof OutputSpec.File file) {
      return FileLayout.of(file, pipeline, new PartitionValues(window, slice, partitions.zone()));
    }
    String folder = slice.canonical().isEmpty() ? "" : slice.canonical() + "/";
    return new HiveLayout(
        pipeline, pipeline + "/" + folder + HiveLayout.timeFolders(window.label()));
  }

  /** A folder per partition, with parts and a manifest. */
  record HiveLayout(String pipeline, String output) implements Layout {
    private static final String MARKER = "_manifest.json";
    private static final Pattern PART = Pattern.compile("part-[0-9]{5,}-([0-9]{1,18})(\\..*)?");
    private static final Pattern COMPANION = Pattern.compile("_load_[a-z]+\\.[a-z]+");
    private static final Pattern TARGETS =
        Pattern.compile(
            ".*/(" + PART + "|" + COMPANION + "|" + Pattern.quote(MARKER) + ")", Pattern.DOTALL);
    private static final Pattern LABEL =
        Pattern.compile(
            "(?<date>\\d{4,}-\\d{2}-\\d{2})"
                + "(T(?<hour>\\d{2})(:(?<minute>\\d{2}))?(?<offset>[+-]\\d{4,6})?)?");

    /** The folders of a label: {@code dt=2026-09-05/hour=13}. */
    static String timeFolders(String label) {
      Matcher matcher = LABEL.matcher(label);
      if (matcher.matches()) {
        String hour = matcher.group("hour");
        if (hour == null) {
          return "dt=" + label;
        }
        String offset = matcher.group("offset") == null ? "" : matcher.group("offset");
        String minute = matcher.group("minute");
        return "dt="
            + matcher.group("date")
            + "/hour="
            + hour
            + offset
            + (minute == null ? "" : "/minute=" + minute);
      }
      String grain =
          label.contains("W")
              ? "week"
              : label.contains("Q") ? "quarter" : label.contains("-") ? "month" : "year";
      return grain + "=" + label;
    }

    @Override
    public StagingArea stagingArea() {
      return new StagingArea(pipeline + "/_staging", pipeline + "/", TARGETS);
    }

    @Override
    public String marker() {
      return output + "/" + MARKER;
    }

    /** The published name of the file at this place in name order. */
    String part(int index, long token, String extension) {
      return String.format("part-%05d-%d%s", index, token, extension);
    }

    /**
     * Whether a file of the folder is one that an attempt with this token replaces (B18): an
     * earlier part, or a text about the parts, which has no token.
     */
    static boolean isStale(String name, long token) {
      return COMPANION.matcher(name).matches() || (name.startsWith("part-") && token(name) < token);
    }

    /** The token that a part's name has, or -1 if it has none. */
    static long token(String name) {
      Matcher matcher = PART.matcher(name);
      return matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
    }
  }

  /**
   * One file per partition.
   *
   * @param template of the paths of all partitions
   */
  record FileLayout(String pipeline, Template template, String output, @Nullable String marker)
      implements Layout {
    private static final String MARKER = ".commit";

    static FileLayout of(OutputSpec.File file, String pipeline, PartitionValues values) {
      Template.Values encoded =
          placeholder -> {
            String value = values.of(placeholder);
            // A pattern's slashes are meant as folders; those of a value are not.
            return value == null || placeholder.pattern() != null
                ? value
                : OutputLocation.encode(value);
          };
      Template template = Template.parse(file.path());
      String path = template.fill(encoded);
      for (String segment : path.split("/", -1)) {
        if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
          throw new IllegalArgumentException(
              "output.path '" + file.path() + "' makes '" + path + "', which is not a plain path");
        }
      }
      return new FileLayout(
          pipeline,
          template,
          path,
          file.commit() == OutputSpec.Commit.MARKER ? path + MARKER : null);
    }

    @Override
    public StagingArea stagingArea() {
      return new StagingArea("_staging/" + pipeline, prefix(), targets(), marker != null);
    }

    /** What the paths of all partitions begin with. */
    private String prefix() {
      return template.parts().get(0) instanceof Template.Literal first ? first.text() : "";
    }

    /** What the paths of all partitions, and their markers, look like. */
    private Pattern targets() {
      StringBuilder targets = new StringBuilder();
      for (Template.Part part : template.parts()) {
        targets.append(
            part instanceof Template.Literal literal ? Pattern.quote(literal.text()) : ".+");
      }
      return Pattern.compile(targets + "(" + Pattern.quote(MARKER) + ")?", Pattern.DOTALL);
    }
  }
}
