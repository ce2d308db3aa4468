package dev.tidemark.activities.inputs;

import dev.tidemark.activities.placeholder.Template;
import dev.tidemark.activities.placeholder.Template.Literal;
import dev.tidemark.activities.placeholder.Template.Part;
import dev.tidemark.activities.placeholder.Template.Placeholder;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A glob with its placeholders filled in, cut into the segments of a path. {@code *} and {@code ?}
 * stay within a segment, {@code **} is any number of folders; all else is itself. As in a shell, a
 * leading wildcard does not match a leading dot. A {@code {slice.<dim>}} without a value captures
 * one.
 */
record Glob(List<Segment> segments) {

  /**
   * One segment.
   *
   * @param prefix the text that every match starts with; all of it where there is no pattern
   * @param pattern null where the segment is plain text
   * @param captures the dimensions that the pattern's groups capture, in order
   */
  record Segment(String prefix, @Nullable Pattern pattern, List<String> captures) {
    boolean isRoot() {
      return pattern == null && prefix.isEmpty();
    }

    boolean isDeep() {
      return pattern == null && prefix.equals("**");
    }
  }

  /**
   * Fills in the values.
   *
   * @throws IllegalArgumentException for a placeholder that is none of a partition
   */
  static Glob of(Template template, Template.Values values) {
    List<Segment> segments = new ArrayList<>();
    Builder segment = new Builder();
    for (Part part : template.parts()) {
      String text;
      boolean isGlob = part instanceof Literal;
      if (part instanceof Placeholder placeholder) {
        String value = values.of(placeholder);
        if (value == null) {
          segment.capture(dimension(template, placeholder));
          continue;
        }
        text = value;
      } else {
        text = ((Literal) part).text();
      }
      for (int i = 0; i < text.length(); i++) {
        if (text.charAt(i) == '/') {
          segments.add(segment.build());
          segment = new Builder();
        } else {
          segment.add(text.charAt(i), isGlob);
        }
      }
    }
    segments.add(segment.build());
    return new Glob(List.copyOf(segments));
  }

  /** The text that the whole path of every match starts with. */
  String prefix() {
    StringBuilder prefix = new StringBuilder();
    for (int i = 0; i < segments.size(); i++) {
      Segment segment = segments.get(i);
      if (segment.isDeep()) {
        return prefix.toString();
      }
      prefix.append(segment.prefix());
      if (segment.pattern() != null) {
        return prefix.toString();
      }
      prefix.append(i + 1 < segments.size() ? "/" : "");
    }
    return prefix.toString();
  }

  /** All segments as one, for paths that are keys and in no folders. */
  Segment whole() {
    StringBuilder regex = new StringBuilder();
    List<String> captures = new ArrayList<>();
    for (int i = 0; i < segments.size(); i++) {
      Segment segment = segments.get(i);
      captures.addAll(segment.captures());
      if (segment.isDeep()) {
        regex.append("(?:(?!\\.)[^/]+/)*");
        continue;
      }
      Pattern pattern = segment.pattern();
      regex.append(pattern == null ? Pattern.quote(segment.prefix()) : pattern.pattern());
      regex.append(i + 1 < segments.size() ? "/" : "");
    }
    return new Segment(prefix(), Pattern.compile(regex.toString()), List.copyOf(captures));
  }

  private static String dimension(Template template, Placeholder placeholder) {
    String key = placeholder.key();
    if (key == null || !placeholder.name().startsWith("slice.")) {
      throw new IllegalArgumentException(
          "'"
              + template
              + "' has the placeholder "
              + placeholder
              + "; a glob knows {partition}, {start:PATTERN}, {end:PATTERN} and {slice.<dim>}");
    }
    return key;
  }

  /** Builds one segment. */
  private static final class Builder {
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder regex = new StringBuilder();
    private final List<String> captures = new ArrayList<>();
    private int prefix = -1;

    void add(char c, boolean isGlob) {
      if (isGlob && (c == '*' || c == '?')) {
        wild(c == '*' ? "[^/]*" : "[^/]");
      } else {
        regex.append(Pattern.quote(String.valueOf(c)));
      }
      text.append(c);
    }

    void capture(String dimension) {
      wild("([^/]+)");
      captures.add(dimension);
    }

    private void wild(String pattern) {
      if (prefix < 0) {
        prefix = text.length();
        if (prefix == 0) {
          regex.append("(?!\\.)");
        }
      }
      regex.append(pattern);
    }

    Segment build() {
      String plain = text.toString();
      if (prefix < 0 || plain.equals("**")) {
        return new Segment(plain, null, List.of());
      }
      return new Segment(
          plain.substring(0, prefix), Pattern.compile(regex.toString()), List.copyOf(captures));
    }
  }
}
