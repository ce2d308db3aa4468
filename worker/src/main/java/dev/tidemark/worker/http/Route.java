package dev.tidemark.worker.http;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One kind of request, what it asks of its caller, and who answers.
 *
 * @param path such as {@code /api/pipelines/{pipeline}/slices}: what is in braces is any one step
 *     of a path, and is handed to the handler, decoded
 */
public record Route(Method method, String path, Need need, Handler handler) {
  static final String PIPELINE = "pipeline";

  /** The values of what is in braces, or empty where the path is another. */
  Optional<Map<String, String>> match(List<String> steps) {
    List<String> wanted = steps(path);
    if (wanted.size() != steps.size()) {
      return Optional.empty();
    }
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < wanted.size(); i++) {
      String step = wanted.get(i);
      if (step.startsWith("{")) {
        values.put(step.substring(1, step.length() - 1), steps.get(i));
      } else if (!step.equals(steps.get(i))) {
        return Optional.empty();
      }
    }
    return Optional.of(values);
  }

  static List<String> steps(String path) {
    return Arrays.stream(path.split("/", -1)).skip(1).toList();
  }
}
