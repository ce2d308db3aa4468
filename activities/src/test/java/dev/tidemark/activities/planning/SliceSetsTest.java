package dev.tidemark.activities.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.SliceSet;
import dev.tidemark.workflows.planning.ExpectedSlice;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SliceSetsTest {
  private final LedgerTestDatabase database = LedgerTestDatabase.create();

  @AfterEach
  void close() {
    database.close();
  }

  private static List<String> expand(Connections connections, SliceSet... sets)
      throws SQLException {
    return new SliceSets(connections)
        .expand(TestPipeline.daily("weather").slices(sets).build()).stream()
            .map(
                slice -> slice.slice().canonical() + " since " + slice.since().label() + end(slice))
            .toList();
  }

  private static String end(ExpectedSlice slice) {
    Window until = slice.until();
    return until == null ? "" : " until " + until.label();
  }

  @Test
  void expectsTheEmptySliceWithoutSets() throws SQLException {
    assertThat(expand(Connections.NONE)).containsExactly(" since 2026-01-01");
  }

  // A16, A17, A21
  @Test
  void expandsProductsSortedAndOnce() throws SQLException {
    TreeMap<String, List<String>> rain =
        new TreeMap<>(Map.of("unit", List.of("b", "a"), "category", List.of("rain")));
    TreeMap<String, List<String>> late =
        new TreeMap<>(Map.of("unit", List.of("a"), "category", List.of("rain", "snow")));

    assertThat(
            expand(
                Connections.NONE,
                new SliceSet.Product(rain, null),
                new SliceSet.Product(late, "2026-03-01")))
        .containsExactly(
            "category=rain/unit=a since 2026-01-01",
            "category=rain/unit=b since 2026-01-01",
            "category=snow/unit=a since 2026-03-01");
  }

  // A19, A20: the expected set is read anew each time.
  @Test
  void readsTheRowsOfAQueryAsTheyAreNow() throws SQLException {
    Connections connections = new Connections(Map.of("shop", database.dataSource()));
    database.execute(
        "create table shop (unit text, since date, until date); insert into shop values ('a', null)");
    SliceSet query = new SliceSet.Query("select * from shop", "shop");

    assertThat(expand(connections, query)).containsExactly("unit=a since 2026-01-01");

    database.execute("insert into shop values ('b', '2026-02-03')");
    assertThat(expand(connections, query))
        .containsExactly("unit=a since 2026-01-01", "unit=b since 2026-02-03");

    database.execute("update shop set until = '2026-03-01' where unit = 'a'");
    assertThat(expand(connections, query))
        .containsExactly("unit=a since 2026-01-01 until 2026-03-01", "unit=b since 2026-02-03");
  }

  @Test
  void neverTakesAFailureForNoSlices() throws SQLException {
    Connections connections = new Connections(Map.of("shop", database.dataSource()));

    assertThatThrownBy(
            () -> expand(connections, new SliceSet.Query("select unit from gone", "shop")))
        .isInstanceOf(SQLException.class);
    assertThatThrownBy(
            () -> expand(connections, new SliceSet.Query("select null::text as unit", "shop")))
        .hasMessageContaining("unit is null");
    assertThatThrownBy(() -> expand(connections, new SliceSet.Query("select '' as unit", "shop")))
        .hasMessageContaining("unit is empty; leave such rows out");
  }
}
