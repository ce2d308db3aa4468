package dev.tidemark.starter.session;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Arguments of the form K=V. */
public final class Pairs {
  private Pairs() {}

  /** The pairs, each key once. */
  public static SortedMap<String, String> parse(String option, List<String> arguments) {
    SortedMap<String, String> pairs = new TreeMap<>();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      if (equals < 1) {
        throw CommandFailure.usage(option, option + " '" + argument + "' must be KEY=VALUE");
      }
      String key = argument.substring(0, equals);
      if (pairs.put(key, argument.substring(equals + 1)) != null) {
        throw CommandFailure.usage(option, option + " gives '" + key + "' twice");
      }
    }
    return pairs;
  }
}
