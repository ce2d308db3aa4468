package dev.tidemark.activities.index.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.index.object.Ordering;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.EditRules;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import dev.tidemark.workflows.index.Rhythm;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowShapeTest {
  @TempDir Path folder;

  private static ObjectType type(Datasource.Kind kind) {
    return new ObjectType(
        "thing",
        List.of("id"),
        List.of(
            new Property("id", ColumnType.of(ColumnType.Kind.BIGINT), false),
            new Property("price", ColumnType.decimal(10, 2), false),
            new Property("at", ColumnType.of(ColumnType.Kind.TIMESTAMP), false)),
        List.of(
            new Datasource(
                "rows", new Datasource.FromFiles("in/*"), kind, List.of("id", "price", "at"))),
        EditRules.DEFAULT,
        Rhythm.DEFAULT,
        "objects");
  }

  /** What a file says, as text. */
  private List<String> read(Datasource.Kind kind, String name, String content) throws IOException {
    Files.createDirectories(folder.resolve("in"));
    Files.writeString(folder.resolve("in").resolve(name), content);
    ObjectType type = type(kind);
    Datasource datasource = type.datasources().get(0);
    RowShape shape = new RowShape(type, datasource);
    FileSource source =
        new FileSource(datasource, (Datasource.FromFiles) datasource.origin(), folder);
    List<String> rows = new ArrayList<>();
    for (Found found : source.find()) {
      source.read(
          new Transaction(1, found.identity(), found.version(), List.of()),
          row ->
              shape.accept(
                  row,
                  1,
                  (key, said) -> rows.add(key + " " + said.ordering() + " " + said.values())));
    }
    return rows;
  }

  // D19
  @Test
  void theColumnsThatAreNamedHaveTheRolesInEveryFormat() throws IOException {
    Datasource.Kind cdc = new Datasource.Cdc("version", "removed");
    String expected = "7 12 [7, 1.50, 2026-09-05T10:00:00Z]";

    assertThat(
            read(
                cdc,
                "a.ndjson",
                """
                {"id":7,"price":"1.50","at":"2026-09-05T12:00:00+02:00","version":12,"removed":false}
                {"id":8,"version":13,"removed":true}
                """))
        .containsExactly(expected, "8 13 null");
    Files.delete(folder.resolve("in/a.ndjson"));
    assertThat(
            read(
                cdc,
                "a.csv",
                """
                id,price,at,version,removed
                7,1.5,2026-09-05T10:00:00Z,12,false
                8,,,13,true
                """))
        .containsExactly(expected, "8 13 null");
  }

  // D20
  @Test
  void changesWithoutKeyOrderingOrFlagAreRefusedAndSoIsTheReservedColumn() {
    Datasource.Kind cdc = new Datasource.Cdc("version", "removed");

    assertRefused(cdc, "{\"id\":null,\"version\":1,\"removed\":false}", "property 'id' is null");
    assertRefused(cdc, "{\"id\":1,\"removed\":false}", "'version' is null in a row");
    assertRefused(cdc, "{\"id\":1,\"version\":1}", "'removed' is null in a row");
    assertRefused(
        cdc, "{\"id\":1,\"version\":1,\"removed\":false,\"__latest_rank\":1}", "__latest_rank");
  }

  @Test
  void valuesThatAreNoneOfTheirTypeAreRefusedByName() {
    assertRefused(new Datasource.Append(), "{\"id\":1,\"price\":\"1.505\"}", "'1.505'");
    assertRefused(new Datasource.Append(), "{\"id\":1", "is no JSON");
    assertRefused(new Datasource.Append(), "[1]", "no JSON object");
  }

  private void assertRefused(Datasource.Kind kind, String row, String because) {
    assertThatThrownBy(() -> read(kind, "bad.ndjson", row))
        .isInstanceOf(BadRowsException.class)
        .hasMessageContaining(because);
  }

  @Test
  void orderingsAreNumbersElseTimesElseTexts() {
    assertThat(Ordering.parse("10")).isEqualTo(new BigDecimal(10));
    assertThat(Ordering.parse("2026-09-05T12:00:00+02:00"))
        .isEqualTo(Instant.parse("2026-09-05T10:00:00Z"));
    assertThat(Ordering.parse("v7")).isEqualTo("v7");
  }

  // D21: refused where it comes in, not where it is kept or compared
  @ParameterizedTest
  @ValueSource(
      strings = {
        "+10000-01-01T00:00:00Z",
        "+294277-01-10T04:00:54.775808Z",
        "+999999999-12-31T23:59:59Z",
        "9999-12-31T23:59:59-01:00",
        "0000-12-31T23:59:59.999999999Z",
        "-0001-01-01T00:00:00Z"
      })
  void anOrderingOutsideTheYearsThatAreKeptIsRefusedNamingItsRow(String time) {
    assertThatThrownBy(
            () ->
                read(
                    new Datasource.Cdc("version", "removed"),
                    "a.ndjson",
                    "{\"id\":8,\"version\":\"%s\",\"removed\":true}\n".formatted(time)))
        .isInstanceOf(BadRowsException.class)
        .hasMessageContaining("'version' of key 8")
        .hasMessageContaining(time)
        .hasMessageContaining("years 1 to 9999");
  }

  // D24
  @Test
  void aViewWithADeletionColumnIsAlwaysReindexedAsAWhole() {
    Datasource.Origin view = new Datasource.FromSql("shop", "select 1", null);

    assertThat(Sources.isAlwaysFull(view(view, new Datasource.Cdc("seq", "gone")))).isTrue();
    assertThat(Sources.isAlwaysFull(view(view, new Datasource.Cdc("seq", null)))).isFalse();
    assertThat(Sources.isAlwaysFull(view(view, new Datasource.Snapshot()))).isFalse();
    assertThat(
            Sources.isAlwaysFull(
                view(new Datasource.FromFiles("*.csv"), new Datasource.Cdc("seq", "gone"))))
        .isFalse();
  }

  private static Datasource view(Datasource.Origin origin, Datasource.Kind kind) {
    return new Datasource("rows", origin, kind, List.of("id"));
  }

  // D26: a volume that is not mounted is not a datasource that is empty
  @Test
  void aFolderThatIsNotThereIsAFaultAndNotAnEmptyDatasource() throws IOException {
    Datasource datasource = type(new Datasource.Append()).datasources().get(0);
    FileSource source =
        new FileSource(datasource, (Datasource.FromFiles) datasource.origin(), folder);

    assertThatThrownBy(source::find)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("folder of datasource 'rows' is not there");
    Files.createDirectories(folder.resolve("in"));
    assertThat(source.find()).isEmpty();
  }

  // D15, D20
  @Test
  void aKeyThatNoIndexHoldsIsRefused() {
    ObjectType numbers = type(new Datasource.Append());
    ObjectType texts =
        new ObjectType(
            "thing",
            List.of("id"),
            List.of(new Property("id", ColumnType.of(ColumnType.Kind.STRING), false)),
            List.of(view(numbers.datasources().get(0).origin(), new Datasource.Append())),
            EditRules.DEFAULT,
            Rhythm.DEFAULT,
            "objects");
    RowShape shape = new RowShape(texts, texts.datasources().get(0));
    FileSource source =
        new FileSource(
            texts.datasources().get(0),
            (Datasource.FromFiles) texts.datasources().get(0).origin(),
            folder);

    assertThatThrownBy(
            () -> {
              Files.createDirectories(folder.resolve("in"));
              Files.writeString(
                  folder.resolve("in/long.ndjson"), "{\"id\":\"" + "k".repeat(32_767) + "\"}");
              source.read(
                  new Transaction(1, "in/long.ndjson", "1", List.of()),
                  row -> shape.accept(row, 1, (key, said) -> {}));
            })
        .isInstanceOf(BadRowsException.class)
        .hasMessageContaining("has 32767 characters");
  }
}
