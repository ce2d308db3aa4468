package dev.tidemark.worker.configuration;

import dev.tidemark.worker.yaml.Section;
import dev.tidemark.worker.yaml.Type;
import dev.tidemark.worker.yaml.Value;
import dev.tidemark.workflows.pipeline.SliceSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads {@code slices}. */
final class SlicesSection {
  private static final String SINCE = "since";
  private static final String UNTIL = "until";

  /** Stands for slices that could not be read: their dimensions are not known. */
  private static final List<SliceSet> UNREADABLE = List.of(new SliceSet.Query("", ""));

  private SlicesSection() {}

  static List<SliceSet> read(Section pipeline, ConnectionsSection connections) {
    Value value = pipeline.value("slices");
    if (value == null || value.isNothing()) {
      return List.of();
    }
    if (!value.isList()) {
      return query(value.section(), connections);
    }
    List<SliceSet> lines = new ArrayList<>();
    boolean readable = true;
    for (Value line : value.list()) {
      SliceSet product = product(line.section());
      readable &= product != null;
      if (product != null) {
        lines.add(product);
      }
    }
    return readable ? lines : UNREADABLE;
  }

  private static List<SliceSet> query(Section section, ConnectionsSection connections) {
    section.only(List.of("sql", "connection"), Later.KEYS);
    String sql = section.require("sql", Type.TEXT);
    String connection = connections.database(section);
    return sql == null || connection == null
        ? UNREADABLE
        : List.of(new SliceSet.Query(sql, connection));
  }

  private static @Nullable SliceSet product(Section line) {
    SortedMap<String, List<String>> values = new TreeMap<>();
    boolean readable = true;
    for (String dimension : line.keys()) {
      Value value = line.value(dimension);
      if (value == null || dimension.equals(SINCE) || dimension.equals(UNTIL)) {
        continue;
      }
      List<Value> elements = value.list();
      List<String> texts = value.isList() ? value.list(Type.TEXT) : List.of();
      readable &= value.isList() && texts.size() == elements.size();
      values.put(dimension, texts);
    }
    String since = line.get(SINCE, Type.TEXT);
    String until = line.get(UNTIL, Type.TEXT);
    if (values.isEmpty()) {
      line.problem("", "must name at least one dimension and its values: {unit: [a, b]}");
      return null;
    }
    return readable
        ? new SliceSet.Product(Collections.unmodifiableSortedMap(values), since, until)
        : null;
  }
}
