package dev.tidemark.worker.yaml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * One reading of a file.
 *
 * @param folder what the path in {@code ${file:path}} is relative to
 * @param environment what {@code ${NAME}} stands for
 */
record Reading(Path folder, Map<String, String> environment, Findings findings) {
  private static final Pattern VARIABLE =
      Pattern.compile("(?<escape>\\$)?\\$\\{(?<name>[^}:]*)(:-(?<fallback>[^}]*))?(?<rest>[^}]*)}");
  private static final int MAX_BYTES = 64_000;
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /**
   * The text with {@code ${NAME}}, {@code ${NAME:-default}} and {@code ${file:path}} filled in,
   * {@code $${NAME}} made {@code ${NAME}}; null where a variable is missing or a file cannot be
   * read, which is then reported.
   */
  @Nullable String text(ScalarNode scalar, Node at, String path) {
    boolean whole = true;
    StringBuilder filled = new StringBuilder();
    Matcher variable = VARIABLE.matcher(scalar.getValue());
    while (variable.find()) {
      String name = variable.group("name");
      String value = environment.get(name);
      if (variable.group("escape") != null) {
        value = variable.group().substring(1);
      } else if (name.equals("file") && variable.group("rest").startsWith(":")) {
        value = content(variable.group("rest").substring(1), at, path);
        whole &= value != null;
      } else if (!NAME.matcher(name).matches() || !variable.group("rest").isEmpty()) {
        findings.add(
            at,
            path,
            "'"
                + variable.group()
                + "' is not a variable; write ${NAME} or ${NAME:-default}, or $"
                + variable.group()
                + " for the text itself");
        whole = false;
      } else if (value == null && variable.group("fallback") == null) {
        findings.add(
            at,
            path,
            "the environment has no variable "
                + name
                + "; set it, or give a default: ${"
                + name
                + ":-...}");
        whole = false;
      } else if (value == null) {
        value = variable.group("fallback");
      }
      variable.appendReplacement(filled, Matcher.quoteReplacement(value == null ? "" : value));
    }
    variable.appendTail(filled);
    return whole ? filled.toString() : null;
  }

  /** What a file holds, such as a mounted secret, without the line's end. */
  private @Nullable String content(String file, Node at, String path) {
    Path named = folder.resolve(file);
    try {
      if (Files.size(named) > MAX_BYTES) {
        findings.add(at, path, "the file " + named + " has more than " + MAX_BYTES + " bytes");
        return null;
      }
      return Files.readString(named).stripTrailing();
    } catch (IOException | InvalidPathException unreadable) {
      findings.add(
          at, path, "the file " + named + " cannot be read; it must be there, and be UTF-8 text");
      return null;
    }
  }
}
