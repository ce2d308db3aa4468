package dev.tidemark.activities.index.stage;

import dev.tidemark.activities.index.object.Edit;
import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.index.stage.TestIndex.Row;
import dev.tidemark.activities.index.stage.TestIndex.Written;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.index.Conflicts;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.EditRules;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import dev.tidemark.workflows.index.Rhythm;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** What happens to an object type, and what is to be seen of it, by rules as plain as can be. */
final class ObjectModel {
  private static final int OBJECTS = 25;
  private static final Instant BEGIN = Instant.parse("2026-09-05T00:00:00Z");

  private final Random random;
  private final TestIndex index;
  private final boolean newestWins;
  private final boolean keepsEdited;
  private final double fullAbove;
  private boolean hasColor;
  private int identities;
  private int incremental;

  ObjectModel(long seed, Path folder) {
    random = new Random(seed);
    newestWins = random.nextBoolean();
    keepsEdited = random.nextBoolean();
    fullAbove = random.nextBoolean() ? 1 : 0.8;
    index = new TestIndex(type(), folder);
  }

  private ObjectType type() {
    List<Property> properties = new ArrayList<>();
    properties.add(property("id", ColumnType.Kind.BIGINT));
    properties.add(property("name", ColumnType.Kind.STRING));
    properties.add(property("at", ColumnType.Kind.TIMESTAMP));
    properties.add(property("score", ColumnType.Kind.INT));
    properties.add(property("status", ColumnType.Kind.STRING));
    List<String> appended = new ArrayList<>(List.of("id", "name", "at"));
    if (hasColor) {
      properties.add(property("color", ColumnType.Kind.STRING));
      appended.add("color");
    }
    Datasource.Origin any = new Datasource.FromFiles("any");
    return new ObjectType(
        "thing",
        List.of("id"),
        properties,
        List.of(
            new Datasource("appended", any, new Datasource.Append(), appended),
            new Datasource("scores", any, new Datasource.Snapshot(), List.of("id", "score")),
            new Datasource(
                "changes", any, new Datasource.Cdc("seq", "gone"), List.of("id", "status"))),
        new EditRules(
            newestWins ? new Conflicts.NewestWins("at") : new Conflicts.EditsWin(),
            keepsEdited,
            List.of()),
        new Rhythm(Rhythm.DEFAULT.every(), Rhythm.DEFAULT.persistEdits(), fullAbove, null),
        "objects");
  }

  static Property property(String name, ColumnType.Kind kind) {
    return new Property(name, ColumnType.of(kind), false);
  }

  /** A few random things happen. */
  void change() {
    for (int n = 1 + random.nextInt(4); n > 0; n--) {
      switch (random.nextInt(10)) {
        case 0, 1 -> index.write("appended", "day-" + identities++, appended());
        case 2 -> index.write("appended", "day-" + random.nextInt(identities + 1), appended());
        case 3 -> index.write("scores", "all", scores());
        case 4, 5 -> index.write("changes", "hour-" + identities++, changes());
        case 6 -> index.write("changes", "hour-" + random.nextInt(identities + 1), changes());
        case 7, 8 -> edit();
        default -> rarely();
      }
    }
  }

  private void rarely() {
    String source = random.nextBoolean() ? "appended" : "changes";
    List<Written> all = index.all(source);
    if (random.nextBoolean() && !all.isEmpty()) {
      index.remove(source, all.get(random.nextInt(all.size())).identity());
    } else {
      hasColor = !hasColor;
      index.redefine(type());
    }
  }

  void build() throws IOException {
    IndexManifest made = index.build();
    incremental += index.wasFull() ? 0 : 1;
    if (made.objects() != shown().size()) {
      throw new AssertionError(made.objects() + " are counted, " + shown().size() + " shown");
    }
  }

  /** How many builds were of changes only. */
  int incrementalBuilds() {
    return incremental;
  }

  SortedMap<String, List<@Nullable Object>> shown() throws IOException {
    return index.objects();
  }

  private SortedSet<Long> some(int most) {
    SortedSet<Long> ids = new TreeSet<>();
    for (int n = random.nextInt(most + 1); n > 0; n--) {
      ids.add(1L + random.nextInt(OBJECTS));
    }
    return ids;
  }

  private String word() {
    return "w" + random.nextInt(4);
  }

  private Instant time() {
    return BEGIN.plusSeconds(random.nextInt(100));
  }

  private List<Row> appended() {
    List<Row> rows = new ArrayList<>();
    for (long id : some(8)) {
      // More columns than a definition may want: it takes those that it names.
      rows.add(new Row(index.key(id), null, Arrays.asList(id, word(), time(), word())));
    }
    return rows;
  }

  private List<Row> scores() {
    List<Row> rows = new ArrayList<>();
    for (long id : some(OBJECTS)) {
      rows.add(new Row(index.key(id), null, List.of(id, (long) random.nextInt(3))));
    }
    return rows;
  }

  /** Several of one key, out of order; equal orderings only across transactions. */
  private List<Row> changes() {
    List<Row> rows = new ArrayList<>();
    for (long id : some(6)) {
      LongStream orderings = random.longs(1 + random.nextInt(3), 0, 12).distinct();
      orderings.forEach(
          ordering ->
              rows.add(
                  new Row(
                      index.key(id),
                      BigDecimal.valueOf(ordering),
                      random.nextInt(3) == 0 ? null : List.of(id, word()))));
    }
    return rows;
  }

  private void edit() {
    String key = index.key(1L + random.nextInt(OBJECTS));
    List<Edit.Action> actions = List.of(Edit.Action.values());
    Edit.Action action = actions.get(random.nextInt(actions.size()));
    Map<String, @Nullable Object> values = new HashMap<>();
    if (action != Edit.Action.DELETE) {
      values.put("name", random.nextInt(4) == 0 ? null : word());
      if (random.nextBoolean()) {
        values.put("color", word());
      }
    }
    index.edit(new Edit(index.edits().size() + 1L, key, action, values, time()));
  }

  /** What is to be seen, from everything that there is now. */
  SortedMap<String, List<@Nullable Object>> expected() {
    SortedMap<String, List<@Nullable Object>> expected = new TreeMap<>();
    Map<String, Row> appended = newest("appended");
    Map<String, Row> scores = newest("scores");
    Map<String, Row> changes = newest("changes");
    for (long id = 1; id <= OBJECTS; id++) {
      String key = index.key(id);
      List<@Nullable Object> values =
          expected(id, appended.get(key), scores.get(key), changes.get(key));
      if (values != null) {
        expected.put(key, values);
      }
    }
    return expected;
  }

  private Map<String, Row> newest(String datasource) {
    Map<String, Row> newest = new HashMap<>();
    for (Written written : index.all(datasource)) {
      for (Row row : written.rows()) {
        newest.merge(row.key(), row, (old, later) -> isOlder(later, old) ? old : later);
      }
    }
    return newest;
  }

  private static boolean isOlder(Row row, Row than) {
    return row.ordering() instanceof BigDecimal one
        && than.ordering() instanceof BigDecimal other
        && one.compareTo(other) < 0;
  }

  private @Nullable List<@Nullable Object> expected(
      long id, @Nullable Row appended, @Nullable Row score, @Nullable Row change) {
    List<@Nullable Object> base = appended == null ? null : appended.values();
    List<@Nullable Object> status = change == null ? null : change.values();
    List<@Nullable Object> points = score == null ? null : score.values();
    Instant rowTime = newestWins && base != null ? (Instant) base.get(2) : null;
    Boolean said = null;
    Map<String, @Nullable Object> edited = new HashMap<>();
    boolean wasEdited = false;
    Map<String, Instant> editedAt = new HashMap<>();
    Instant saidAt = Instant.MIN;
    for (Edit edit : index.edits()) {
      if (edit.key().equals(index.key(id))) {
        if (edit.action() != Edit.Action.SET) {
          said = edit.action() == Edit.Action.CREATE;
          saidAt = edit.madeAt();
        }
        for (Map.Entry<String, @Nullable Object> value : edit.values().entrySet()) {
          if (hasColor || !value.getKey().equals("color")) {
            edited.put(value.getKey(), value.getValue());
            editedAt.put(value.getKey(), edit.madeAt());
            wasEdited = true;
          }
        }
      }
    }
    boolean isThere = base != null || status != null || points != null;
    isThere |= keepsEdited && wasEdited;
    if (said != null && (rowTime == null || saidAt.isAfter(rowTime))) {
      isThere = said;
    }
    if (!isThere) {
      return null;
    }
    List<@Nullable Object> values = new ArrayList<>();
    values.add(id);
    values.add(base == null ? null : base.get(1));
    values.add(base == null ? null : base.get(2));
    values.add(points == null ? null : points.get(1));
    values.add(status == null ? null : status.get(1));
    if (hasColor) {
      values.add(base == null ? null : base.get(3));
    }
    edited.forEach(
        (name, value) -> {
          Instant at = editedAt.getOrDefault(name, Instant.MIN);
          if (rowTime == null || at.isAfter(rowTime)) {
            values.set(index.type().indexOf(name), value);
          }
        });
    return values;
  }
}
