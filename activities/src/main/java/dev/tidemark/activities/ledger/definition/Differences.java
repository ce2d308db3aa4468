package dev.tidemark.activities.ledger.definition;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** How two definitions differ, for people. */
public final class Differences {
  /** Groups of the record that people do not see in the configuration. */
  private static final Set<String> GROUPS =
      Set.of("extent", "integration", "pace", "volume", "accounts");

  private Differences() {}

  /** One line for each value that differs: {@code limits.parallel: 20 -> 10}. */
  public static List<String> of(JsonNode before, JsonNode after) {
    List<String> differences = new ArrayList<>();
    compare("", before, after, differences);
    return differences;
  }

  private static void compare(
      String path, JsonNode before, JsonNode after, List<String> differences) {
    if (before.equals(after)) {
      return;
    }
    if (before.isObject() && after.isObject()) {
      Set<String> names = new TreeSet<>();
      before.fieldNames().forEachRemaining(names::add);
      after.fieldNames().forEachRemaining(names::add);
      for (String name : names) {
        compare(below(path, name), before.path(name), after.path(name), differences);
      }
    } else {
      differences.add(path + ": " + text(before) + " -> " + text(after));
    }
  }

  private static String below(String path, String name) {
    if (GROUPS.contains(name)) {
      return path;
    }
    String key = name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    return path.isEmpty() ? key : path + "." + key;
  }

  private static String text(JsonNode value) {
    if (value.isMissingNode() || value.isNull()) {
      return "none";
    }
    return value.isTextual() ? value.textValue() : value.toString();
  }
}
