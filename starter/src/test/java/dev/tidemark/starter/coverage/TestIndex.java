package dev.tidemark.starter.coverage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The tests by the rules that the comments above them name. */
final class TestIndex {
  private static final Pattern ID =
      Pattern.compile("\\b(c-[A-M]|[A-D]-g|[A-D]|W)(\\d{1,2})(?:\\.(\\d))?\\b");
  private static final Pattern RANGE =
      Pattern.compile("\\b(c-[A-M]|[A-D]-g|[A-D]|W)(\\d{1,2}) to \\1?(\\d{1,2})\\b");
  private static final Pattern COMMENT = Pattern.compile("^\\s*(//|/?\\*)(.*)");
  private static final Pattern METHOD =
      Pattern.compile("^  (?:public |private |protected |static )*void (\\w+)\\(.*");
  private static final Pattern TEST =
      Pattern.compile("^  @(Test|ParameterizedTest|RepeatedTest|TestFactory)\\b.*");
  private static final Pattern TYPE =
      Pattern.compile("^(?:public |abstract |final )*class (\\w+).*");

  private final Map<String, TreeSet<String>> tests = new TreeMap<>();

  /** Reads the test sources of all modules below the project's root. */
  static TestIndex of(Path root) throws IOException {
    TestIndex index = new TestIndex();
    for (String module : List.of("workflows", "activities", "worker", "starter")) {
      try (Stream<Path> files = Files.walk(root.resolve(module).resolve("src/test/java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          index.read(Files.readAllLines(file));
        }
      }
    }
    return index;
  }

  Collection<String> of(String rule) {
    return tests.getOrDefault(rule, new TreeSet<>());
  }

  Collection<String> rules() {
    return tests.keySet();
  }

  private void read(List<String> lines) {
    String type = "";
    StringBuilder comment = new StringBuilder();
    boolean test = false;
    for (String line : lines) {
      Matcher ofType = TYPE.matcher(line);
      Matcher ofMethod = METHOD.matcher(line);
      Matcher ofComment = COMMENT.matcher(line);
      if (ofComment.matches()) {
        comment.append(ofComment.group(2)).append(' ');
      } else if (TEST.matcher(line).matches()) {
        test = true;
      } else if (ofType.matches()) {
        type = ofType.group(1);
        add(comment, type);
        comment.setLength(0);
      } else if (ofMethod.matches()) {
        if (test) {
          add(comment, type + "." + ofMethod.group(1));
        }
        comment.setLength(0);
        test = false;
      } else if (line.isBlank() || line.startsWith("    ")) {
        // A comment inside a body says nothing of the next test.
        comment.setLength(test ? comment.length() : 0);
      }
    }
  }

  private void add(CharSequence comment, String test) {
    Matcher range = RANGE.matcher(comment);
    while (range.find()) {
      int last = Integer.parseInt(range.group(3));
      for (int i = Integer.parseInt(range.group(2)); i <= last; i++) {
        add(range.group(1) + i, test);
      }
    }
    Matcher id = ID.matcher(comment);
    while (id.find()) {
      String whole = id.group(1) + id.group(2);
      add(id.group(3) == null ? whole : whole + "." + id.group(3), test);
    }
  }

  private void add(String rule, String test) {
    tests.computeIfAbsent(rule, any -> new TreeSet<>()).add(test);
  }
}
