package dev.tidemark.activities.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.activities.ledger.claim.Claims;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.OutputLedger;
import dev.tidemark.activities.ledger.output.Outputs;
import dev.tidemark.activities.store.ForwardingStore;
import dev.tidemark.activities.store.LocalStore;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.StoreException;
import dev.tidemark.activities.store.StoreException.Kind;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.SliceSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** One day of six accounts, each in a store of its own, of which some cannot be asked (A18). */
class AccountStoresTest {
  private static final Clock CLOCK = Clock.fixed(TestLedger.NOW, ZoneOffset.UTC);
  private static final List<String> ALL = List.of("a", "b", "c", "d", "e", "f");
  private static final OutputSpec OUTPUT = new OutputSpec.Hive("out-{slice.unit}");

  @TempDir Path folder;
  private TestLedger ledger;
  private RegisteredPipeline pipeline;
  private final ListAppender<ILoggingEvent> said = new ListAppender<>();
  private final AtomicInteger asked = new AtomicInteger();

  @BeforeEach
  void publish() throws Exception {
    ledger = new TestLedger(folder);
    pipeline =
        ledger.register(
            TestPipeline.daily("sales")
                .slices(new SliceSet.Product(new TreeMap<>(Map.of("unit", ALL)), null))
                .account("unit", null)
                .output(OUTPUT));
    for (Claim claim : due()) {
      Begun begun = (Begun) ledger.attempts.begin(claim, 1, "test");
      try (Publication publication = ledger.publisher.open(begun, OUTPUT)) {
        Files.writeString(publication.folder().resolve("x.csv"), begun.slice().canonical());
        ledger.attempts.commit(begun.token(), publication.publish(null, Contents.of(null)), null);
      }
    }
    said.start();
    logger().addAppender(said);
  }

  @AfterEach
  void close() {
    logger().detachAppender(said);
    ledger.close();
  }

  private static Logger logger() {
    return (Logger) LoggerFactory.getLogger(Verification.class);
  }

  private List<Claim> due() {
    return new Claims(ledger.database.dataSource())
        .claim(
            new ClaimRequest(
                UUID.randomUUID().toString(), "sales", Scope.ALL, TestLedger.NOW, 20, null))
        .claims();
  }

  /** The accounts' stores, of which these do not let themselves be listed. */
  private Stores stores(Predicate<String> broken, Kind how) {
    return location -> {
      OutputStore store = new LocalStore(folder.resolve(location), CLOCK);
      return broken.test(location)
          ? new ForwardingStore(store) {
            @Override
            public void walk(String prefix, @Nullable String after, Visitor visitor)
                throws IOException {
              asked.incrementAndGet();
              throw new StoreException(how, location + " says no", null);
            }
          }
          : store;
    };
  }

  private void lose(String... units) throws IOException {
    for (String unit : units) {
      PublishedDays.delete(
          folder.resolve("out-%s/sales/unit=%s/dt=2026-01-01".formatted(unit, unit)));
    }
  }

  private String lost() throws Exception {
    return ledger.query(
        "select coalesce(string_agg(account, ',' order by account), '')"
            + " from tidemark.partition_ledger where output_lost_at is not null");
  }

  private OutputLedger outputs() {
    return OutputLedger.of(ledger.database.dataSource());
  }

  // A18, B41, c-J9: of the one nothing is known, and it is said; the others are healed
  @Test
  void aMissingBucketOfOneAccountKeepsNoOtherFromBeingCompared() throws Exception {
    lose("a", "f");

    new Verification(outputs(), stores("out-a"::equals, Kind.ABSENT)).check(pipeline);

    assertThat(lost()).isEqualTo("f");
    assertThat(said.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .filteredOn(text -> text.contains("cannot be compared"))
        .singleElement()
        .asString()
        .contains("sales: what is at out-a (", "out-a says no", "nothing of it is taken for lost");
  }

  // A18: a person is told which, and what was done of the rest
  @Test
  void reconcileSaysWhichStoreItCouldNotAskAndHealsTheOthers() throws Exception {
    lose("a", "f");
    Reconciliation reconciliation =
        new Reconciliation(outputs(), stores("out-a"::equals, Kind.DENIED));

    assertThatThrownBy(() -> reconciliation.run(pipeline, Reconciliation.Request.ALL))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("out-a says no")
        .hasMessageContaining("the rest was compared and healed");
    assertThat(lost()).isEqualTo("f");
  }

  // A18: whoever was silent is asked last, so that each that answers has its turn
  @Test
  void placesThatStaySilentKeepNoOtherFromBeingComparedForEver() throws Exception {
    lose("f");
    Verification verification =
        new Verification(
            outputs(), stores(location -> !location.equals("out-f"), Kind.UNREACHABLE));

    verification.check(pipeline);
    assertThat(lost()).isEmpty();
    verification.check(pipeline);
    assertThat(lost()).isEqualTo("f");
    verification.check(pipeline);
    assertThat(asked).as("three a sweep").hasValue(9);
  }

  // A18: what a person has decided is decided, whatever store is away meanwhile
  @Test
  void aDoubtThatIsConfirmedIsGoneThoughOneStoreIsAway() throws Exception {
    lose("f");
    Outputs noted = new Outputs(ledger.database.dataSource());
    noted.noteAll(pipeline, 11);
    Reconciliation reconciliation =
        new Reconciliation(outputs(), stores("out-a"::equals, Kind.UNREACHABLE));

    assertThatThrownBy(
            () -> reconciliation.run(pipeline, new Reconciliation.Request(null, null, false, true)))
        .isInstanceOf(StoreException.class);
    assertThat(lost()).isEqualTo("f");
    assertThat(noted.missing(pipeline)).isEmpty();
  }

  // A18: each that does not answer costs its timeout
  @Test
  void afterAFewThatDoNotAnswerNoOtherIsAsked() throws Exception {
    new Verification(outputs(), stores(any -> true, Kind.UNREACHABLE)).check(pipeline);

    assertThat(asked).hasValue(3);
    assertThat(lost()).isEmpty();
    List<String> texts = new ArrayList<>();
    said.list.forEach(one -> texts.add(one.getFormattedMessage()));
    assertThat(texts)
        .anyMatch(text -> text.contains("out-c says no") && text.contains("out-f (not compared"));
  }
}
