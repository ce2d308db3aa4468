package dev.tidemark.activities.ledger.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.inputs.InputVersions;
import dev.tidemark.activities.ledger.Ledger;
import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.Pipelines;
import dev.tidemark.activities.ledger.Slices;
import dev.tidemark.activities.ledger.Upstreams;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.Outputs;
import dev.tidemark.activities.planning.Plans;
import dev.tidemark.activities.planning.SliceSets;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.pipeline.Integration.Strategy;
import dev.tidemark.workflows.pipeline.Pace.Order;
import java.nio.file.Path;
import java.time.Instant;
import java.time.Period;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Accounts take turns: how long one of them waits, whatever the others have due. */
final class FairnessTest {
  private static final String APRIL = "2026-04-01T00:00:00Z";
  private static LedgerTestDatabase database;
  private static Ledger ledger;

  @BeforeAll
  static void open() {
    database = LedgerTestDatabase.create();
    ledger = new Ledger(database);
  }

  @AfterAll
  static void close() {
    database.close();
  }

  /** Claims and commits until nothing is left; the accounts in the order of their claims. */
  private static List<String> served(RegisteredPipeline pipeline, Scope scope, int want) {
    List<String> order = new ArrayList<>();
    for (List<Claim> got = ledger.claim(pipeline, scope, APRIL, want);
        !got.isEmpty();
        got = ledger.claim(pipeline, scope, APRIL, want)) {
      got.forEach(claim -> order.add(claim.slice().substring("customer=".length())));
      commit(got);
    }
    return order;
  }

  private static final Sql COMMIT =
      Sql.of(
          """
          update tidemark.partition_ledger
             set claim_id = null, lease_until = null, committed_token = id, done_gen = requested_gen,
                 processed_version = '', input_version = ''
           where id = any(:rows::bigint[])
          """);

  /** As far as a claim can tell; an attempt of each would be most of the time. */
  private static void commit(List<Claim> claims) {
    ledger.jdbc.roundTrip(
        connection ->
            COMMIT.on(connection).set("rows", claims.stream().map(Claim::row).toList()).update());
  }

  /** How many claims each account waits for at most, between any two of its own and before them. */
  private static Map<String, Integer> longestWaits(List<String> order) {
    Map<String, Integer> lastServed = new HashMap<>();
    Map<String, Integer> longest = new TreeMap<>();
    for (int i = 0; i < order.size(); i++) {
      String account = order.get(i);
      longest.merge(account, i - 1 - lastServed.getOrDefault(account, -1), Integer::max);
      lastServed.put(account, i);
    }
    return longest;
  }

  // B10, c-K1, c-K4
  @Test
  void threeMonthsOfOneAccountAndADayOfAThousand() {
    String[] thousand =
        IntStream.range(0, 1_000).mapToObj("b%04d"::formatted).toArray(String[]::new);
    RegisteredPipeline pipeline =
        ledger.ready(
            Pipelines.daily("thousand")
                .order(Order.OLDEST_FIRST)
                .parallel(20, 50)
                .slices(
                    "customer",
                    Slices.of("customer", "big"),
                    Slices.since("2026-03-31", "customer", thousand)),
            APRIL);
    database.execute("analyze tidemark.partition_ledger");

    List<String> order = served(pipeline, Scope.ALL, 20);
    assertThat(order).hasSize(1_090);
    Map<String, Integer> waits = longestWaits(order);
    // The bound: one claim of each other account. All of the thousand are done within one round.
    assertThat(waits).hasSize(1_001);
    assertThat(waits.values()).allMatch(wait -> wait <= 1_000);
    assertThat(order.subList(0, 1_001)).doesNotHaveDuplicates();
  }

  // B10, c-K1
  @Test
  void anAccountHasAsManyInARowAsItsWeight() {
    RegisteredPipeline pipeline =
        ledger.ready(
            Pipelines.daily("weights")
                .weight(Map.of("b", 3))
                .slices("customer", Slices.of("customer", "a", "b", "c")),
            "2026-01-08T00:00:00Z");

    List<String> order = new ArrayList<>();
    for (int i = 0; i < 21; i++) {
      List<Claim> one = ledger.claim(pipeline, "2026-01-08T00:00:00Z", 1);
      order.add(one.get(0).slice().substring("customer=".length()));
      commit(one);
    }
    assertThat(String.join("", order)).isEqualTo("abbbcabbbcabcacacacac");
  }

  @Test
  void anAccountThatADefinitionComesToNameHoldsForTheRowsThatAreThere() {
    Pipelines pipelines =
        Pipelines.daily("named-later").slices(null, Slices.of("customer", "a/1", "b"));
    ledger.ready(pipelines, "2026-01-04T00:00:00Z");
    RegisteredPipeline named =
        ledger.register(
            Pipelines.daily("named-later")
                .perAccountParallel(20, 1)
                .slices("customer", Slices.of("customer", "a/1", "b")));

    assertThat(ledger.claim(named, "2026-01-04T00:00:00Z", 20)).hasSize(2);
    assertThat(
            ledger.query(
                "select string_agg(distinct account, ' ' order by account) from"
                    + " tidemark.partition_ledger join tidemark.pipeline using (pipeline_id)"
                    + " where name = 'named-later'"))
        .isEqualTo("a/1 b");
  }

  // c-K3
  @Test
  void oneAccountAloneHasEverySlot() {
    RegisteredPipeline pipeline =
        ledger.ready(
            Pipelines.daily("alone")
                .parallel(20, 50)
                .slices("customer", Slices.of("customer", "a")),
            APRIL);
    assertThat(ledger.claim(pipeline, APRIL, 20)).hasSize(20);
  }

  /** Two days of fifty accounts under late-first, of which the last has its first day late. */
  private static RegisteredPipeline lateFar(String name) {
    String[] fifty = IntStream.range(0, 50).mapToObj("c%02d"::formatted).toArray(String[]::new);
    RegisteredPipeline pipeline =
        ledger.ready(
            Pipelines.daily(name)
                .late(Period.ofDays(60), Strategy.LATE_FIRST)
                .parallel(8, 50)
                .slices("customer", Slices.of("customer", fifty)),
            "2026-01-02T00:00:00Z");
    database.execute(
        """
        update tidemark.partition_ledger
           set committed_token = id, done_gen = 1, input_version = 'v2', processed_version = 'v1',
               input_seen_at = '2026-01-01T12:00:00Z'
         where slice = 'customer=c49' and pipeline_id = %d
        """
            .formatted(pipeline.id()));
    ledger.bringUpTo(pipeline, "2026-01-03T00:00:00Z");
    return pipeline;
  }

  // C3, B10: what the last account has late holds back the others, so it is what is found
  @Test
  void aLateOneOfAnAccountFarAwayIsFoundWhileItHoldsBackTheOthers() {
    RegisteredPipeline pipeline = lateFar("late-far");

    assertThat(ledger.claim(pipeline, "2026-01-03T00:00:00Z", 4))
        .extracting(Claim::slice)
        .containsExactly("customer=c49");
  }

  // C3, c-J9: nobody knows when its destination accepts again, so that the others do not wait
  @Test
  void whatIsLateOfAnAccountThatIsRefusedHoldsBackNobodyAlsoWhileItIsTriedAgain() {
    RegisteredPipeline pipeline = lateFar("late-alone");
    database.execute(
        """
        insert into tidemark.breaker
               (pipeline_id, account, refusals, refused_at, last_error, opened_at, until)
        values (%d, 'c49', 5, now(), 'denied', now(), now() + interval '1 hour')
        """
            .formatted(pipeline.id()));

    assertThat(ledger.claim(pipeline, "2026-01-03T00:00:00Z", 4))
        .extracting(Claim::slice)
        .containsExactly("customer=c00", "customer=c01", "customer=c02", "customer=c03");
    database.execute("update tidemark.breaker set until = now()");
    assertThat(ledger.claim(pipeline, "2026-01-03T00:00:00Z", 4))
        .as("four slots are free")
        .hasSize(4);
  }

  // B10: a plan is in the order in which it would run, whoever was served last
  @Test
  void aPlanBeginsWithTheAccountWhoseTurnItIs() {
    RegisteredPipeline pipeline =
        ledger.ready(
            Pipelines.daily("planned")
                .inputs()
                .weight(Map.of("b", 2))
                .slices("customer", Slices.of("customer", "a", "b", "c")),
            "2026-01-04T00:00:00Z");
    commit(ledger.claim(pipeline, "2026-01-04T00:00:00Z", 2));

    var source = database.dataSource();
    Plans plans =
        new Plans(
            new LedgerReader(source),
            new SliceSets(Connections.NONE),
            new InputVersions(
                Connections.NONE,
                Path.of("."),
                Map.of(),
                ledger.observations,
                new Upstreams(source)),
            new Outputs(source));
    List<String> planned =
        plans
            .plan(pipeline, Instant.parse("2026-01-04T00:00:00Z"), null, null)
            .partitions()
            .stream()
            .map(line -> line.slice().canonical() + " " + line.window().label())
            .toList();
    List<String> claimed =
        ledger.claim(pipeline, "2026-01-04T00:00:00Z", 20).stream()
            .map(claim -> claim.slice() + " " + claim.partition())
            .toList();

    assertThat(planned).startsWith("customer=b 2026-01-02", "customer=c 2026-01-03");
    assertThat(claimed).isEqualTo(planned);
  }
}
