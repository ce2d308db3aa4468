package dev.tidemark.activities.inputs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.inputs.ChangeDetector.Range;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SqlDetectorTest {
  private static final ZoneId ZONE = ZoneId.of("Europe/Istanbul");
  private static final Partitioning DAYS = new Partitioning(Grain.DAY, ZONE, "2026-09-01", null);

  private final LedgerTestDatabase database = LedgerTestDatabase.create();
  private final DataSource shop = database.dataSource();

  @AfterEach
  void close() {
    database.close();
  }

  @BeforeEach
  void makeShop() {
    database.execute(
        """
        create table orders (day date, at timestamptz, local timestamp, unit text,
                             changed timestamptz, n numeric);
        insert into orders values
          ('2026-08-31', '2026-08-31 20:00Z', '2026-08-31 23:00', 'a', '2026-09-01 00:00Z', 1),
          ('2026-09-01', '2026-08-31 21:00Z', '2026-09-01 00:00', 'a', '2026-09-01 10:00Z', 2.50),
          ('2026-09-01', '2026-09-01 20:00Z', '2026-09-01 23:00', 'b', '2026-09-01 11:00Z', 3),
          ('2026-09-02', '2026-09-01 21:00Z', '2026-09-02 00:00', 'a', '2026-09-02 10:00Z', 40)
        """);
  }

  /** The versions by partition and slice, of the days from 1 to 2 September inclusive. */
  private Map<String, String> scan(String sql, String... dimensions) throws Exception {
    SqlDetector detector =
        new SqlDetector(shop, sql, Optional.of(new TreeSet<>(List.of(dimensions))));
    Range range =
        new Range("p", DAYS, DAYS.first().start(), DAYS.parse("2026-09-03").start(), null);
    Map<String, String> versions = new TreeMap<>();
    detector.scan(
        range,
        found ->
            versions.put(found.partition() + " " + found.slice().canonical(), found.version()));
    return versions;
  }

  @Test
  void readsTheContractsQuery() throws Exception {
    assertThat(
            scan(
                """
                select day as partition, max(changed) as version from orders
                 where day >= :from and day < :to group by day
                """))
        .isEqualTo(
            Map.of("2026-09-01 ", "2026-09-01T11:00:00Z", "2026-09-02 ", "2026-09-02T10:00:00Z"));
  }

  @Test
  void bindsTheRangeAsTheColumnNeedsIt() throws Exception {
    for (String column : new String[] {"at", "local"}) {
      assertThat(
              scan(
                  """
                  select to_char(day, 'YYYY-MM-DD') as partition, count(*) as version from orders
                   where COLUMN >= :from and COLUMN < :to group by day
                  """
                      .replace("COLUMN", column)))
          .as(column)
          .isEqualTo(Map.of("2026-09-01 ", "2", "2026-09-02 ", "1"));
    }
  }

  @Test
  void takesPartitionsAsDatesTimesAndLabels() throws Exception {
    for (String partition : new String[] {"day", "min(at)", "min(local)", "day::text"}) {
      assertThat(
              scan(
                  "select PARTITION as partition, max(n) as version from orders group by day"
                      .replace("PARTITION", partition)))
          .as(partition)
          .isEqualTo(Map.of("2026-09-01 ", "3", "2026-09-02 ", "40"));
    }
  }

  @Test
  void writesOneVersionInOneWay() throws Exception {
    assertThat(scan("select day as partition, min(n) as version from orders group by day"))
        .containsEntry("2026-09-01 ", "2.5");
  }

  @Test
  void tellsTheDimensionsApartThatItReturns() throws Exception {
    assertThat(
            scan(
                "select day as partition, unit, max(n) as version from orders group by 1, 2",
                "unit"))
        .containsOnlyKeys("2026-09-01 unit=a", "2026-09-01 unit=b", "2026-09-02 unit=a");
  }

  @Test
  void refusesWhatItCannotUnderstand() {
    refuses("select day from orders", "must return the columns partition and version");
    refuses(
        "select day as partition, unit as untit, max(n) as version from orders group by 1, 2",
        "[untit]");
    refuses("select day as partition, n as version from orders", "2026-09-01", "twice");
    refuses("select 'soon' as partition, 1 as version", "'soon'");
    refuses("select null as partition, 1 as version", "partition is null");
    refuses("select date '2026-09-01' as partition, null as version", "no version");
  }

  private void refuses(String sql, String... parts) {
    assertThatThrownBy(() -> scan(sql, "unit")).as(sql).hasMessageContainingAll(parts);
  }

  @Test
  void changesNothing() {
    assertThatThrownBy(() -> scan("delete from orders returning day as partition, 1 as version"))
        .hasMessageContaining("read-only");
  }
}
