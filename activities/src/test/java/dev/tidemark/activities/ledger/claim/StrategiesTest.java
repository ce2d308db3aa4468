package dev.tidemark.activities.ledger.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.ledger.Ledger;
import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.Pipelines;
import dev.tidemark.activities.ledger.attempt.Attempts.FailureKind;
import dev.tidemark.activities.ledger.attempt.Begin;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.pipeline.Integration.Strategy;
import dev.tidemark.workflows.pipeline.Pace;
import java.time.Instant;
import java.time.Period;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which goes first, and that nothing is done twice. */
class StrategiesTest {
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

  // C3, C4, C5: late ones of the 1st and 3rd, a hole on the 2nd, and the 6th is new
  @ParameterizedTest
  @CsvSource({
    "LATE_FIRST, 1, 03 01 06 02",
    "LATE_FIRST, 4, 03 01 06 02",
    "CURRENT_FIRST, 1, 06 02 03 01",
    "CURRENT_FIRST, 4, 06 02 03 01",
    "PARALLEL, 1, 06 03 02 01",
    "PARALLEL, 4, 06 03 02 01"
  })
  void theStrategySaysWhatGoesFirst(Strategy strategy, int parallel, String order) {
    String now = "2026-01-07T00:00:00Z";
    RegisteredPipeline pipeline =
        ledger.ready(
            Pipelines.daily("order-%s-%d".formatted(nameOf(strategy), parallel))
                .late(Period.ofDays(60), strategy)
                .parallel(parallel, 50),
            now);
    ledger.request(pipeline, pipeline.name(), false, days("01 03 04 05"));
    for (List<Claim> asked = claimAsked(pipeline, now);
        !asked.isEmpty();
        asked = claimAsked(pipeline, now)) {
      asked.forEach(ledger::commit);
    }
    ledger.observe(pipeline, "2026-01-01", "v2");
    ledger.observe(pipeline, "2026-01-03", "v2");

    assertThat(drain(pipeline, now, parallel)).containsExactly(days(order));
  }

  private static List<Claim> claimAsked(RegisteredPipeline pipeline, String now) {
    return ledger.claim(pipeline, Scope.REQUESTED, now, 10);
  }

  private static String[] days(String numbers) {
    return Arrays.stream(numbers.split(" ", -1))
        .map(day -> "2026-01-" + day)
        .toArray(String[]::new);
  }

  private static String nameOf(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static List<String> drain(RegisteredPipeline pipeline, String now, int want) {
    List<String> order = new ArrayList<>();
    for (List<Claim> got = ledger.claim(pipeline, now, want);
        !got.isEmpty();
        got = ledger.claim(pipeline, now, want)) {
      order.addAll(Ledger.labels(got));
      got.forEach(StrategiesTest::commitWhatIsThere);
    }
    return order;
  }

  private static void commitWhatIsThere(Claim claim) {
    Begin.Begun begun = ledger.begin(claim);
    ledger.attempts.observed(
        begun.token(), begun.context().inputVersion(), ledger.observations.now());
    ledger.attempts.commit(begun.token(), Ledger.NOTHING, null);
  }

  // C1, C9, C10, c-D3: with every strategy, order, width and lookback, whatever fails meanwhile
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void eachWindowIsMadeOnceForEachCause(int parallel) {
    List<List<Integer>> lookbacks = List.of(List.of(), List.of(1, 2), List.of(1, 3));
    for (Strategy strategy : Strategy.values()) {
      for (Pace.Order order : Pace.Order.values()) {
        for (List<Integer> lookback : lookbacks) {
          String name =
              "once-%d-%s-%s-%d"
                  .formatted(
                      parallel, nameOf(strategy), nameOf(order), lookbacks.indexOf(lookback));
          Map<String, Integer> made =
              dayByDay(
                  Pipelines.daily(name)
                      .late(Period.ofDays(60), strategy)
                      .order(order)
                      .lookback(lookback.toArray(Integer[]::new))
                      .parallel(parallel, 50)
                      .retry(1, 9),
                  new Random(name.hashCode()));
          for (int day = 1; day <= 6; day++) {
            int last = day;
            int again = (int) lookback.stream().filter(distance -> last + distance <= 6).count();
            assertThat(made.get("2026-01-0" + day))
                .as("%s, day %d", name, day)
                .isEqualTo(1 + again);
          }
        }
      }
    }
  }

  /** Six days, each run until nothing is due, with failures; how often each window was made. */
  private static Map<String, Integer> dayByDay(Pipelines definition, Random random) {
    Map<String, Integer> made = new TreeMap<>();
    for (int day = 2; day <= 7; day++) {
      String now = "2026-01-0%dT00:00:00Z".formatted(day);
      RegisteredPipeline pipeline = ledger.ready(definition, now);
      int quiet = 0;
      while (quiet < 2) {
        List<Claim> got = ledger.claim(pipeline, now, 1 + random.nextInt(3));
        quiet = got.isEmpty() ? quiet + 1 : 0;
        for (Claim claim : got) {
          if (random.nextInt(4) == 0) {
            ledger.attempts.fail(ledger.begin(claim).token(), FailureKind.ERROR, "by chance", null);
          } else {
            ledger.commit(claim);
            made.merge(claim.partition(), 1, Integer::sum);
          }
        }
        ledger.pass(pipeline, "12 hours");
      }
    }
    return made;
  }

  // C1, c-D2, c-D8: distances are windows of the pipeline's own length
  @ParameterizedTest
  @CsvSource({
    "QUARTER_HOUR, 2026-01-01T00:00, 2026-01-01T05:00",
    "HOUR, 2026-01-01T00, 2026-01-01T20",
    "WEEK, 2026-W02, 2026-W20",
    "MONTH, 2026-01, 2027-08"
  })
  void aSparseLookbackCountsWindows(Grain grain, String first, String newest) {
    Pipelines definition =
        Pipelines.daily("grain-" + grain.code())
            .partitions(grain, "America/New_York", first, null)
            .lookback(2, 5)
            .parallel(50, 50);
    RegisteredPipeline pipeline = ledger.register(definition);
    var partitions = pipeline.definition().extent().partitions();
    var asking = partitions.parse(newest);
    String before = asking.start().toString();
    ledger.bringUpTo(pipeline, before);
    ledger.run(pipeline, before);

    String now = asking.end().toString();
    ledger.bringUpTo(pipeline, now);
    assertThat(ledger.run(pipeline, now))
        .containsExactlyInAnyOrder(
            newest, partitions.plus(asking, -2).label(), partitions.plus(asking, -5).label());
  }

  // C3; design, gates: on the database's clock, what became late before it closed, and no parked
  // one
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void underLateFirstACurrentWindowWaitsForWhatBecameLateBeforeItClosed(int parallel) {
    Instant hour = ledger.observations.now().truncatedTo(ChronoUnit.HOURS);
    RegisteredPipeline pipeline =
        ledger.ready(
            Pipelines.daily("gate-" + parallel)
                .partitions(
                    Grain.HOUR,
                    "UTC",
                    hour.minus(6, ChronoUnit.HOURS).toString().substring(0, 13),
                    null)
                .late(Period.ofDays(60), Strategy.LATE_FIRST)
                .parallel(parallel, 50),
            hour.minus(2, ChronoUnit.HOURS).toString());
    ledger.run(pipeline, hour.minus(2, ChronoUnit.HOURS).toString());
    String late = hour.minus(4, ChronoUnit.HOURS).toString().substring(0, 13);
    ledger.observe(pipeline, late, "v2");
    database.execute(
        "update tidemark.partition_ledger set input_seen_at = '%s' where input_version = 'v2' and pipeline_id = %d"
            .formatted(hour.minus(30, ChronoUnit.MINUTES), pipeline.id()));
    ledger.bringUpTo(pipeline, hour.toString());

    List<Claim> first = ledger.claim(pipeline, Scope.ALL, null, 4);
    String before = hour.minus(2, ChronoUnit.HOURS).toString().substring(0, 13);
    assertThat(Ledger.labels(first))
        .as("the late one, and with room for it the one that had closed before it was seen")
        .isEqualTo(parallel == 1 ? List.of(late) : List.of(late, before));
    Begin.Begun begun = ledger.begin(first.get(0));
    assertThat(ledger.claim(pipeline, Scope.ALL, null, 4)).isEmpty();
    ledger.attempts.fail(begun.token(), FailureKind.BAD_DATA, "no good", null);
    assertThat(Ledger.labels(ledger.claim(pipeline, Scope.ALL, null, 4)))
        .as("it is parked")
        .contains(hour.minus(1, ChronoUnit.HOURS).toString().substring(0, 13));
  }

  // C14, C21: what is too late is counted, kept, and runs when it is asked for
  @Test
  void whatIsTooLateIsRecordedAndRunsOnRequest() {
    String now = "2026-01-07T00:00:00Z";
    RegisteredPipeline pipeline =
        ledger.ready(
            Pipelines.daily("too-late").late(Period.ofDays(2), Strategy.CURRENT_FIRST), now);
    ledger.run(pipeline, now);
    ledger.observe(pipeline, "2026-01-01", "v2");

    assertThat(ledger.run(pipeline, now)).isEmpty();
    assertThat(
            new LedgerReader(database.dataSource()).status(pipeline, Instant.parse(now)).counts())
        .containsEntry("too_late", 1);
    ledger.request(pipeline, "too-late-asked", false, "2026-01-01");
    List<Claim> claims = ledger.claim(pipeline, now, 10);
    assertThat(Ledger.labels(claims)).containsExactly("2026-01-01");
    claims.forEach(StrategiesTest::commitWhatIsThere);
    assertThat(
            new LedgerReader(database.dataSource()).status(pipeline, Instant.parse(now)).counts())
        .containsEntry("too_late", 0);
  }
}
