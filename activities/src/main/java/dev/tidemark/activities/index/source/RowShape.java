package dev.tidemark.activities.index.source;

import dev.tidemark.activities.index.object.ObjectKey;
import dev.tidemark.activities.index.object.Ordering;
import dev.tidemark.activities.index.object.SourceRow;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.IndexWriter;
import org.jspecify.annotations.Nullable;

/**
 * What a row of a datasource must have, and what it says then (D17, D19, D20): the roles of columns
 * are those that the datasource names, whatever the columns are called.
 */
final class RowShape {
  /** No input may have it (D20): the functions that D20 is about add a column of that name. */
  private static final String RESERVED = "__latest_rank";

  /** Of a key that is too long, in the message. */
  private static final int SHOWN = 60;

  private final ObjectType type;
  private final Datasource datasource;
  private final Datasource.@Nullable Cdc cdc;
  private final List<Property> properties;
  private final @Nullable Property deletion;

  RowShape(ObjectType type, Datasource datasource) {
    this.type = type;
    this.datasource = datasource;
    this.cdc = datasource.kind() instanceof Datasource.Cdc changes ? changes : null;
    this.properties =
        datasource.properties().stream()
            .map(name -> type.properties().get(type.indexOf(name)))
            .toList();
    String flag = cdc == null ? null : cdc.deletion();
    this.deletion =
        flag == null ? null : new Property(flag, ColumnType.of(ColumnType.Kind.BOOLEAN), false);
  }

  /** Gives a row to the sink, or refuses it. */
  void accept(RawRow raw, long transaction, RowReader.Sink sink) throws IOException {
    try {
      boolean isDeleted = isDeleted(raw);
      Map<String, @Nullable Object> byName = new HashMap<>();
      List<@Nullable Object> values = new ArrayList<>();
      for (Property property : properties) {
        boolean isKey = type.primaryKey().contains(property.name());
        if (isKey || !isDeleted) {
          Object value = raw.value(property);
          values.add(value);
          if (isKey) {
            byName.put(property.name(), value);
          }
        }
      }
      String key = ObjectKey.of(type, byName);
      if (key.length() > IndexWriter.MAX_TERM_LENGTH) {
        throw new IllegalArgumentException(
            "the key %s… has %d characters; an index holds keys of up to %d, give it shorter ones"
                .formatted(key.substring(0, SHOWN), key.length(), IndexWriter.MAX_TERM_LENGTH));
      }
      Comparable<?> ordering = ordering(raw, key);
      sink.row(key, new SourceRow(transaction, ordering, isDeleted ? null : values));
    } catch (IllegalArgumentException e) {
      throw new BadRowsException(
          "datasource '%s' of '%s': %s".formatted(datasource.name(), type.name(), e.getMessage()));
    }
  }

  private boolean isDeleted(RawRow raw) {
    if (cdc != null && raw.has(RESERVED)) {
      throw new IllegalArgumentException(
          "it has the column " + RESERVED + ", which changes must not have; rename it");
    }
    if (deletion == null) {
      return false;
    }
    Object flag = raw.value(deletion);
    if (flag == null) {
      throw missing(deletion.name(), "deletion");
    }
    return (Boolean) flag;
  }

  private @Nullable Comparable<?> ordering(RawRow raw, String key) {
    if (cdc == null) {
      return null;
    }
    String text = raw.text(cdc.ordering());
    if (text == null) {
      throw missing(cdc.ordering(), "ordering");
    }
    try {
      return Ordering.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the ordering column '%s' of key %s: %s".formatted(cdc.ordering(), key, e.getMessage()),
          e);
    }
  }

  private static IllegalArgumentException missing(String column, String role) {
    return new IllegalArgumentException(
        "'%s' is null in a row; it is the %s column, which must not be".formatted(column, role));
  }
}
