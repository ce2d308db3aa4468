package dev.tidemark.activities.index.stage;

import dev.tidemark.activities.index.stage.TestIndex.Row;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.EditRules;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import dev.tidemark.workflows.index.Rhythm;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** An object type of one datasource, {@code rows}, with an id, a name and a flag. */
final class Kinds {
  static final Datasource.Kind APPEND = new Datasource.Append();
  static final Datasource.Kind SNAPSHOT = new Datasource.Snapshot();
  static final Datasource.Kind CDC = new Datasource.Cdc("seq", "gone");

  private Kinds() {}

  static ObjectType type(Datasource.Kind kind) {
    return type(kind, Rhythm.DEFAULT.fullAbove());
  }

  static ObjectType type(Datasource.Kind kind, double fullAbove) {
    List<String> names = List.of("id", "name", "is_deleted");
    return new ObjectType(
        "thing",
        List.of("id"),
        List.of(
            ObjectModel.property("id", ColumnType.Kind.BIGINT),
            new Property("name", ColumnType.of(ColumnType.Kind.STRING), true),
            ObjectModel.property("is_deleted", ColumnType.Kind.BOOLEAN)),
        List.of(new Datasource("rows", new Datasource.FromFiles("any"), kind, names)),
        EditRules.DEFAULT,
        new Rhythm(Rhythm.DEFAULT.every(), Rhythm.DEFAULT.persistEdits(), fullAbove, null),
        "objects");
  }

  /** A row; {@code seq} is heeded where rows are changes. */
  static Row row(long id, @Nullable String name, @Nullable Integer seq) {
    return new Row(
        Long.toString(id),
        seq == null ? null : BigDecimal.valueOf(seq),
        Arrays.asList(id, name, true));
  }

  static Row row(long id, @Nullable String name) {
    return row(id, name, null);
  }

  static Row deletion(long id, int seq) {
    return new Row(Long.toString(id), BigDecimal.valueOf(seq), null);
  }

  /** Rows of these ids, with one name. */
  static List<Row> rows(long from, long through, String name, @Nullable Integer seq) {
    return LongStream.rangeClosed(from, through).mapToObj(id -> row(id, name, seq)).toList();
  }
}
