package dev.tidemark.worker.yaml;

import dev.tidemark.worker.definition.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** Keys and values in a file, read by name. What is wrong is reported, and reading goes on. */
public final class Section {
  private static final Pattern STEP = Pattern.compile("([^.\\[\\]]+)|\\[(\\d+)]");

  private final Reading reading;
  private final String path;
  private final Node at;
  private final Map<String, NodeTuple> entries = new LinkedHashMap<>();

  /** It is no section, and that is reported: what it lacks is not worth a report of its own. */
  private final boolean broken;

  private Section(Reading reading, String path, Node at, boolean broken) {
    this.reading = reading;
    this.path = path;
    this.at = at;
    this.broken = broken;
  }

  static Section of(Reading reading, String path, Node at, MappingNode mapping) {
    Section section = new Section(reading, path, at, false);
    section.addAll(mapping);
    return section;
  }

  static Section empty(Reading reading, String path, Node at) {
    return new Section(reading, path, at, false);
  }

  static Section broken(Reading reading, String path, Node at) {
    return new Section(reading, path, at, true);
  }

  private void addAll(MappingNode mapping) {
    List<Node> merged = new ArrayList<>();
    for (NodeTuple entry : mapping.getValue()) {
      if (!(entry.getKeyNode() instanceof ScalarNode key)) {
        reading.findings().add(entry.getKeyNode(), path, "has a key that is not a text");
      } else if (Tag.MERGE.equals(key.getTag())) {
        merged.add(entry.getValueNode());
      } else {
        NodeTuple first = entries.putIfAbsent(key.getValue(), entry);
        if (first != null) {
          int line = first.getKeyNode().getStartMark().getLine() + 1;
          reading
              .findings()
              .add(
                  key,
                  below(key.getValue()),
                  "is there twice, first in line " + line + "; keep one");
        }
      }
    }
    merged.forEach(this::merge);
  }

  /** What {@code <<: *anchor} brings along; the section's own keys win. */
  private void merge(Node from) {
    if (from instanceof MappingNode mapping) {
      for (NodeTuple entry : mapping.getValue()) {
        if (entry.getKeyNode() instanceof ScalarNode key) {
          entries.putIfAbsent(key.getValue(), entry);
        }
      }
    } else if (from instanceof SequenceNode several) {
      several.getValue().stream().filter(MappingNode.class::isInstance).forEach(this::merge);
    } else {
      reading.findings().add(from, below("<<"), "must name a section by its anchor: *name");
    }
  }

  /** The keys of the section, in the file's order. */
  public Set<String> keys() {
    return entries.keySet();
  }

  /**
   * Reports every key that is not known.
   *
   * @param later known names that are not built yet
   */
  public void only(List<String> known, Set<String> later) {
    for (String key : entries.keySet()) {
      if (later.contains(key)) {
        problem(key, "is not built yet; remove it");
      } else if (!known.contains(key)) {
        String hint = Nearest.hint(key, known);
        problem(
            key,
            "is not a known key"
                + (hint.isEmpty() ? "; known here are " + String.join(", ", known) : hint));
      }
    }
  }

  /** Whether the key is there, with a value. */
  public boolean has(String key) {
    Value value = value(key);
    return value != null && !value.isNothing();
  }

  /** The value of the key, or null where the key is not there. */
  public @Nullable Value value(String key) {
    NodeTuple entry = entries.get(key);
    return entry == null
        ? null
        : new Value(reading, below(key), entry.getKeyNode(), entry.getValueNode());
  }

  /** The value as this type, or null where it is not there or is none, which is then reported. */
  public <T> @Nullable T get(String key, Type<T> type) {
    Value value = value(key);
    return value == null ? null : value.as(type);
  }

  /** The value as this type, or the default. */
  public <T> T get(String key, Type<T> type, T otherwise) {
    T value = get(key, type);
    return value == null ? otherwise : value;
  }

  /** The value as this type; reported where it is not there. */
  public <T> @Nullable T require(String key, Type<T> type) {
    if (!entries.containsKey(key)) {
      problem(key, "is missing; it must be " + type.expected());
    }
    return get(key, type);
  }

  /** The section below the key; an empty one where it is not there. */
  public Section section(String key) {
    Value value = value(key);
    return value == null ? empty(reading, below(key), at) : value.section();
  }

  /** The list below the key; none where it is not there. */
  public List<Value> list(String key) {
    Value value = value(key);
    return value == null ? List.of() : value.list();
  }

  /**
   * Reports something about what is below this section at a path such as {@code slices[1].since},
   * or at as much of the path as there is. An empty path is the section itself.
   */
  public void problem(String below, String message) {
    if (broken) {
      return;
    }
    Node place = at;
    Node node = null;
    Matcher steps = STEP.matcher(below);
    for (boolean first = true; steps.find(); first = false) {
      NodeTuple entry = first ? entries.get(steps.group()) : entry(node, steps.group(1));
      Node element = element(node, steps.group(2));
      if (entry != null) {
        place = entry.getKeyNode();
        node = entry.getValueNode();
      } else if (element != null) {
        place = element;
        node = element;
      } else {
        break;
      }
    }
    reading.findings().add(place, below.isEmpty() ? path : below(below), message);
  }

  private static @Nullable NodeTuple entry(@Nullable Node node, @Nullable String key) {
    if (node instanceof MappingNode mapping) {
      for (NodeTuple entry : mapping.getValue()) {
        if (entry.getKeyNode() instanceof ScalarNode name && name.getValue().equals(key)) {
          return entry;
        }
      }
    }
    return null;
  }

  private static @Nullable Node element(@Nullable Node node, @Nullable String index) {
    if (node instanceof SequenceNode sequence && index != null) {
      int i = Integer.parseInt(index);
      return i < sequence.getValue().size() ? sequence.getValue().get(i) : null;
    }
    return null;
  }

  private String below(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }
}
