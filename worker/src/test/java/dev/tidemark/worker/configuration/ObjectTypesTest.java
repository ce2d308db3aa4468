package dev.tidemark.worker.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.index.Conflicts;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.EditMigration;
import dev.tidemark.workflows.index.ObjectType;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The object types of a configuration, and what is wrong with bad ones. */
class ObjectTypesTest {
  private static final String PIPELINES =
      """
      connections:
        shop: {jdbc: "jdbc:postgresql://db/shop"}
        lake: {s3: {bucket: lake}}
      pipelines:
        - name: customers
          partitions: {every: day, start: 2026-01-01}
          slices: [{region: [eu, us]}]
          task: {command: [sh]}
          output: {location: out}
        - name: silent
          partitions: {every: day, start: 2026-01-01}
          task: {command: [sh]}
      object-types:
      """;

  private static final List<String> GOOD =
      List.of(
          "name: customer",
          "primary-key: id",
          "properties: [{name: id, type: bigint}, {name: name, type: string, text: true}, {name: city, type: string}, {name: at, type: timestamp}]",
          "datasources: [{name: crm, pipeline: customers, slice: {region: eu}, kind: snapshot}]",
          "location: objects");

  @TempDir Path folder;

  /**
   * One bad line in an object type that is good otherwise.
   *
   * @param line takes the place of the good line with the same key, or is added
   */
  record Case(String line, String key, List<String> words) {
    Case(String line, String key, String... words) {
      this(line, key, List.of(words));
    }

    @Override
    public String toString() {
      return line;
    }

    String yaml() {
      StringBuilder yaml = new StringBuilder(PIPELINES).append("  -\n");
      String replaced = line.substring(0, line.indexOf(':') + 1);
      for (String good : GOOD) {
        if (!good.startsWith(replaced)) {
          yaml.append("    ").append(good).append('\n');
        }
      }
      return yaml.append("    ").append(line).append('\n').toString();
    }
  }

  static Stream<Case> keysAndProperties() {
    return Stream.of(
        new Case("name: Customer", "name", "'Customer'", "a-z, 0-9"),
        new Case("nmae: customer2", "nmae", "not a known key", "did you mean 'name'"),
        new Case("primary-key: idd", "primary-key", "'idd' is no property", "did you mean 'id'"),
        new Case("primary-key: [id, id]", "primary-key", "'id' is in it twice"),
        new Case("primary-key: []", "primary-key", "at least one"),
        new Case(
            "properties: [{name: id, type: double}, {name: name, type: string}]",
            "primary-key",
            "'id' is double",
            "double, json, bytes"),
        new Case(
            "properties: [{name: id, type: bigint}, {name: id, type: string}]",
            "properties[1].name",
            "'id' is there twice"),
        new Case(
            "properties: [{name: id, type: bigint, text: true}]",
            "properties[0].text",
            "'id' is bigint",
            "string"),
        new Case("properties: [{name: id, type: big}]", "properties[0].type", "'big'"),
        new Case("properties: []", "properties", "at least one"),
        new Case("location: \"connection:shop/x\"", "location", "'shop' is a database"),
        new Case("full-reindex-above: 101%", "full-reindex-above", "'101%'", "0% to 100%"),
        new Case("live: {every: 0s}", "live.every", "at least 1s"),
        new Case("live: {evry: 1m}", "live.evry", "did you mean 'every'"),
        new Case("sync-within: 0s", "sync-within", "longer than nothing"));
  }

  // D16, D19, D20: who gives what, and what a cdc datasource has to name
  static Stream<Case> datasources() {
    return Stream.of(
        new Case("datasources: []", "datasources", "at least one"),
        new Case(
            "datasources: [{name: crm, pipeline: customer, kind: snapshot}]",
            "datasources[0].pipeline",
            "'customer' is no pipeline here",
            "did you mean 'customers'"),
        new Case(
            "datasources: [{name: crm, pipeline: silent, kind: snapshot}]",
            "datasources[0].pipeline",
            "'silent' has no output"),
        new Case(
            "datasources: [{name: crm, pipeline: customers, kind: snapshot}]",
            "datasources[0]",
            "one slice of 'customers'",
            "region"),
        new Case(
            "datasources: [{name: crm, sql: select 1, connection: lake, kind: snapshot}]",
            "datasources[0].connection",
            "'lake' is an object store"),
        new Case(
            "datasources: [{name: crm, sql: select 1, files: x, connection: shop, kind: snapshot}]",
            "datasources[0]",
            "sql and files"),
        new Case(
            "datasources: [{name: crm, files: \"*.csv\", connection: shop, kind: snapshot}]",
            "datasources[0].connection",
            "belongs to sql"),
        new Case(
            "datasources: [{name: crm, files: \"*.csv\", kind: changes}]",
            "datasources[0].kind",
            "'changes'",
            "snapshot, append, cdc"),
        new Case(
            "datasources: [{name: crm, files: \"*.csv\", kind: cdc}]",
            "datasources[0].ordering",
            "is missing"),
        new Case(
            "datasources: [{name: crm, files: \"*.csv\", kind: append, deletion: is_deleted}]",
            "datasources[0].deletion",
            "belongs to kind: cdc"),
        new Case(
            "datasources: [{name: crm, files: \"*.csv\", kind: cdc, ordering: __latest_rank}]",
            "datasources[0].ordering",
            "'__latest_rank' is reserved"),
        new Case(
            "datasources: [{name: crm, files: \"*.csv\", kind: cdc, ordering: seq, deletion: city}]",
            "datasources[0].deletion",
            "'city' is string",
            "boolean"),
        new Case(
            "datasources: [{name: crm, files: \"*.csv\", kind: cdc, ordering: seq, deletion: seq}]",
            "datasources[0].deletion",
            "two columns"),
        new Case(
            "datasources: [{name: a, files: a, kind: append, properties: [name, city, at]}, {name: b, files: b, kind: append, properties: [city]}]",
            "datasources[1].properties",
            "'city' is given by datasource 'a' too"),
        new Case(
            "datasources: [{name: a, files: a, kind: append, properties: [name, city, att]}]",
            "datasources[0].properties",
            "'att' is no property",
            "did you mean 'at'"),
        new Case(
            "datasources: [{name: a, files: a, kind: append, properties: [name, city]}]",
            "properties",
            "'at' is given by no datasource"),
        new Case(
            "datasources: [{name: a, files: a, kind: append}, {name: b, files: b, kind: append, properties: [name, city, at]}]",
            "datasources[0]",
            "each says which properties"));
  }

  static Stream<Case> edits() {
    return Stream.of(
        new Case("conflicts: newest", "conflicts", "'newest'", "edits-win"),
        new Case("conflicts: {newest-wins: city}", "conflicts.newest-wins", "'city' is string"),
        new Case("conflicts: {newest-wins: att}", "conflicts.newest-wins", "did you mean 'at'"),
        new Case("deletes: never", "deletes", "'never'", "source-wins, keep-edited"),
        new Case("migrate-edits: [drop]", "migrate-edits[0]", "'drop'", "drop-all"),
        new Case(
            "migrate-edits: [{move: {from: fax, to: cty}}]",
            "migrate-edits[0].move.to",
            "'cty' is no property",
            "did you mean 'city'"),
        new Case(
            "migrate-edits: [{move: {from: fax, to: id}}]",
            "migrate-edits[0].move.to",
            "primary key"),
        new Case("migrate-edits: [{move: {from: fax}}]", "migrate-edits[0].move.to", "is missing"));
  }

  // D8, D15, D19, D20
  @ParameterizedTest
  @MethodSource({"keysAndProperties", "datasources", "edits"})
  void aBadLineIsReportedWithItsPlaceAndTheRule(Case bad) throws IOException {
    List<Problem> problems = ConfigurationFile.in(folder).problems(bad.yaml());

    assertThat(problems)
        .as("%s", problems)
        .anySatisfy(
            problem -> {
              assertThat(problem.key()).startsWith("object-types[0]." + bad.key());
              assertThat(problem.message()).contains(bad.words());
            });
  }

  // D1, D6, D16, D19, D27, D30
  @Test
  void everythingThatIsSaidIsRead() throws Exception {
    ObjectType type =
        ConfigurationFile.in(folder)
            .load(
                PIPELINES
                    + """
                  - name: order-line
                    primary-key: [order_id, line]
                    properties:
                      - {name: line, type: int}
                      - {name: order_id, type: bigint}
                      - {name: note, type: string, text: true}
                      - {name: price, type: "decimal(10,2)"}
                      - {name: at, type: timestamp}
                    datasources:
                      - {name: lines, pipeline: customers, slice: {region: us}, kind: cdc, ordering: seq, deletion: gone, properties: [price, at]}
                      - {name: notes, sql: select 1, connection: shop, version: select 2, kind: snapshot, properties: [note]}
                    conflicts: {newest-wins: at}
                    deletes: keep-edited
                    live: {every: 30s, persist-edits: 2h}
                    full-reindex-above: 50%
                    sync-within: 10m
                    migrate-edits: [{move: {from: text, to: note}}, {drop: fax}, drop-all]
                    location: connection:lake/objects
                """)
            .objectTypes()
            .get(0);

    assertThat(type.primaryKey()).containsExactly("order_id", "line");
    assertThat(type.properties().get(3).type()).isEqualTo(ColumnType.decimal(10, 2));
    assertThat(type.properties().get(2).text()).isTrue();
    assertThat(type.datasources())
        .containsExactly(
            new Datasource(
                "lines",
                new Datasource.FromPipeline("customers", Map.of("region", "us")),
                new Datasource.Cdc("seq", "gone"),
                List.of("order_id", "line", "price", "at")),
            new Datasource(
                "notes",
                new Datasource.FromSql("shop", "select 1", "select 2"),
                new Datasource.Snapshot(),
                List.of("order_id", "line", "note")));
    assertThat(type.edits().conflicts()).isEqualTo(new Conflicts.NewestWins("at"));
    assertThat(type.edits().keepsEdited()).isTrue();
    assertThat(type.edits().migrations())
        .containsExactly(
            new EditMigration.Move("text", "note"),
            new EditMigration.Drop("fax"),
            new EditMigration.DropAll());
    assertThat(type.rhythm().every()).isEqualTo(Duration.ofSeconds(30));
    assertThat(type.rhythm().persistEdits()).isEqualTo(Duration.ofHours(2));
    assertThat(type.rhythm().fullAbove()).isEqualTo(0.5);
    assertThat(type.rhythm().syncWithin()).isEqualTo(Duration.ofMinutes(10));
    assertThat(type.location()).isEqualTo("connection:lake/objects");
  }

  // D6, D16, D27: six hours, 80 %, edits win
  @Test
  void whatIsNotSaidHasADefault() throws Exception {
    String good = PIPELINES + "  - {" + String.join(", ", GOOD) + "}\n";

    ObjectType type = ConfigurationFile.in(folder).load(good).objectTypes().get(0);

    assertThat(type.datasources().get(0).properties()).containsExactly("id", "name", "city", "at");
    assertThat(type.edits().conflicts()).isEqualTo(new Conflicts.EditsWin());
    assertThat(type.edits().keepsEdited()).isFalse();
    assertThat(type.rhythm().persistEdits()).isEqualTo(Duration.ofHours(6));
    assertThat(type.rhythm().fullAbove()).isEqualTo(0.8);
    assertThat(type.rhythm().syncWithin()).isNull();
  }
}
