package dev.tidemark.worker.yaml;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** A value in a file: a text, a list or a section, and the place to report it at. */
public final class Value {
  private final Reading reading;
  private final String path;
  private final Node at;
  private final Node node;

  Value(Reading reading, String path, Node at, Node node) {
    this.reading = reading;
    this.path = path;
    this.at = at;
    this.node = node;
  }

  public boolean isText() {
    return node instanceof ScalarNode && !isNothing();
  }

  public boolean isList() {
    return node instanceof SequenceNode;
  }

  /** Whether the key has no value, or {@code ~}. */
  public boolean isNothing() {
    return node instanceof ScalarNode && Tag.NULL.equals(node.getTag());
  }

  /** The text as this type; null where it is not one, which is then reported. */
  public <T> @Nullable T as(Type<T> type) {
    if (!(node instanceof ScalarNode scalar) || isNothing()) {
      problem("must be " + type.expected() + ", and is " + kind());
      return null;
    }
    String text = reading.text(scalar, at, path);
    if (text == null) {
      return null;
    }
    // The text as written, not the variable's value: it may be a secret.
    String written = "'" + scalar.getValue() + "' ";
    try {
      T parsed = type.parser().apply(text);
      if (parsed == null) {
        problem(written + "is not " + type.expected());
      }
      return parsed;
    } catch (IllegalArgumentException refused) {
      problem(written + refused.getMessage());
      return null;
    }
  }

  /** The section; an empty one where it is none, which is then reported. */
  public Section section() {
    if (node instanceof MappingNode mapping) {
      return Section.of(reading, path, at, mapping);
    }
    if (isNothing()) {
      return Section.empty(reading, path, at);
    }
    problem("must be a section of keys and values, and is " + kind());
    return Section.broken(reading, path, at);
  }

  /** The elements; none where it is no list, which is then reported. */
  public List<Value> list() {
    List<Value> values = new ArrayList<>();
    if (node instanceof SequenceNode sequence) {
      for (Node element : sequence.getValue()) {
        String place = path + "[" + values.size() + "]";
        values.add(new Value(reading, place, element, element));
      }
    } else if (!isNothing()) {
      problem("must be a list, [a, b], and is " + kind());
    }
    return values;
  }

  /** The elements of this type; those that are not are reported and left out. */
  public <T> List<T> list(Type<T> type) {
    List<T> parsed = new ArrayList<>();
    for (Value element : list()) {
      T one = element.as(type);
      if (one != null) {
        parsed.add(one);
      }
    }
    return parsed;
  }

  /** Reports something about it. */
  public void problem(String message) {
    reading.findings().add(at, path, message);
  }

  private String kind() {
    if (node instanceof MappingNode) {
      return "a section of keys and values";
    }
    if (node instanceof SequenceNode) {
      return "a list";
    }
    return isNothing() ? "empty" : "the text '" + ((ScalarNode) node).getValue() + "'";
  }
}
