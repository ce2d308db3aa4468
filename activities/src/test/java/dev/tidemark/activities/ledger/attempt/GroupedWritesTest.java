package dev.tidemark.activities.ledger.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.ledger.database.LedgerException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests of one moment, written together. What a request is about are its last three digits. */
@Timeout(60)
final class GroupedWritesTest {
  private static final long REFUSED = 313;
  private static final long OUTAGE = 317;
  private static final long LOCKED = 319;
  private static final long SLOW = 323;

  private final List<List<Long>> groups = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch firstMayEnd = new CountDownLatch(1);
  private final CountDownLatch firstBegan = new CountDownLatch(1);
  private final Crowd crowd = new Crowd();
  private final GroupedWrites<Long, String> writes =
      new GroupedWrites<>(request -> request % 1000, this::write);

  private List<String> write(List<Long> requests, GroupedWrites.Patience patience) {
    groups.add(requests);
    if (groups.size() == 1) {
      firstBegan.countDown();
      awaitQuietly(firstMayEnd);
    }
    if (requests.contains(LOCKED) && patience == GroupedWrites.Patience.GROUP) {
      throw new LedgerException(new SQLException("locked", "55P03"));
    }
    if (requests.contains(SLOW)) {
      throw new LedgerException(new SQLException("canceled", "57014"));
    }
    if (requests.contains(REFUSED)) {
      throw new LedgerException(new SQLException("refused", "22021"));
    }
    if (requests.contains(OUTAGE)) {
      throw new LedgerException(new SQLException("the connection is gone", "08006"));
    }
    return requests.stream().map(request -> "written " + request).toList();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** While the first request is being written, the others queue; then it ends. */
  private List<FutureTask<String>> during(FutureTask<String> first, LongStream others) {
    awaitQuietly(firstBegan);
    List<FutureTask<String>> queued = new ArrayList<>(List.of(first));
    others.forEach(request -> queued.add(crowd.queue(() -> writes.submit(request))));
    firstMayEnd.countDown();
    return queued;
  }

  private FutureTask<String> first() {
    return crowd.start(() -> writes.submit(1L));
  }

  @Test
  void aLoneRequestIsWrittenAtOnce() {
    firstMayEnd.countDown();

    assertThat(writes.submit(1L)).isEqualTo("written 1");
    assertThat(writes.submit(2L)).isEqualTo("written 2");
    assertThat(groups).containsExactly(List.of(1L), List.of(2L));
  }

  @Test
  void whoComesDuringAWriteSharesTheNextOne() throws Exception {
    for (FutureTask<String> asked : during(first(), LongStream.rangeClosed(2, 6))) {
      assertThat(asked.get()).startsWith("written ");
    }
    assertThat(groups).containsExactly(List.of(1L), List.of(2L, 3L, 4L, 5L, 6L));
  }

  @Test
  void twoAboutTheSameAreWrittenOneAfterTheOther() throws Exception {
    for (FutureTask<String> asked : during(first(), LongStream.of(2, 1002, 3, 2002))) {
      assertThat(asked.get()).startsWith("written ");
    }
    assertThat(groups)
        .containsExactly(List.of(1L), List.of(2L, 3L), List.of(1002L), List.of(2002L));
  }

  @Test
  void aGroupIsBounded() throws Exception {
    for (FutureTask<String> asked : during(first(), LongStream.rangeClosed(2, 101))) {
      assertThat(asked.get()).startsWith("written ");
    }
    assertThat(groups).extracting(List::size).containsExactly(1, 64, 36);
  }

  // A distance that never passes: only company ends the waiting.
  @Test
  void whereManyComeGroupsKeepTheirDistance() throws Exception {
    GroupedWrites<Long, String> distant =
        new GroupedWrites<>(request -> request, this::write, Duration.ofDays(1));
    List<FutureTask<String>> asked = new ArrayList<>();
    asked.add(crowd.start(() -> distant.submit(1L)));
    awaitQuietly(firstBegan);
    LongStream.rangeClosed(2, 3)
        .forEach(request -> asked.add(crowd.queue(() -> distant.submit(request))));
    firstMayEnd.countDown();
    for (FutureTask<String> each : asked) {
      assertThat(each.get()).startsWith("written ");
    }

    List<FutureTask<String>> next =
        LongStream.rangeClosed(4, 67)
            .mapToObj(request -> crowd.start(() -> distant.submit(request)))
            .toList();
    for (FutureTask<String> each : next) {
      assertThat(each.get()).startsWith("written ");
    }
    assertThat(groups).extracting(List::size).containsExactly(1, 2, 64);
  }

  @Test
  void whoComesAloneIsFollowedAtOnce() throws Exception {
    GroupedWrites<Long, String> distant =
        new GroupedWrites<>(request -> request, this::write, Duration.ofDays(1));
    FutureTask<String> first = crowd.start(() -> distant.submit(1L));
    awaitQuietly(firstBegan);
    FutureTask<String> second = crowd.queue(() -> distant.submit(2L));
    firstMayEnd.countDown();

    assertThat(first.get()).isEqualTo("written 1");
    assertThat(second.get()).isEqualTo("written 2");
    assertThat(distant.submit(3L)).isEqualTo("written 3");
    assertThat(groups).extracting(List::size).containsExactly(1, 1, 1);
  }

  @Test
  void oneThatIsRefusedDoesNotFailTheOthers() throws Exception {
    List<FutureTask<String>> asked = during(first(), LongStream.of(2, REFUSED, 3));

    assertThat(asked.get(1).get()).isEqualTo("written 2");
    assertThatThrownBy(asked.get(2)::get).hasRootCauseMessage("refused");
    assertThat(asked.get(3).get()).isEqualTo("written 3");
  }

  // Invariant 10: who must wait for a row waits by itself, in a group or not.
  @Test
  void oneWhoseRowIsLockedWaitsOutsideTheQueue() throws Exception {
    List<FutureTask<String>> asked = during(first(), LongStream.of(2, LOCKED, 3));

    for (FutureTask<String> each : asked) {
      assertThat(each.get()).startsWith("written ");
    }
    assertThat(groups.subList(0, 2)).containsExactly(List.of(1L), List.of(2L, LOCKED, 3L));
    assertThat(groups.subList(2, 5))
        .containsExactlyInAnyOrder(List.of(2L), List.of(LOCKED), List.of(3L));
    assertThat(writes.submit(LOCKED)).isEqualTo("written " + LOCKED);
  }

  @Test
  void whereTheDatabaseDoesNotAnswerInTimeAllFailTogether() throws Exception {
    List<FutureTask<String>> asked = during(first(), LongStream.of(2, SLOW));

    assertThatThrownBy(asked.get(1)::get).hasRootCauseMessage("canceled");
    assertThatThrownBy(asked.get(2)::get).hasRootCauseMessage("canceled");
    assertThat(groups).containsExactly(List.of(1L), List.of(2L, SLOW));
  }

  // Each of them would wait as long again for a database that is not there.
  @Test
  void whereTheDatabaseIsGoneAllFailTogether() throws Exception {
    List<FutureTask<String>> asked = during(first(), LongStream.of(2, OUTAGE, 3));

    for (FutureTask<String> each : asked.subList(1, 4)) {
      assertThatThrownBy(each::get).hasRootCauseMessage("the connection is gone");
    }
    assertThat(groups).containsExactly(List.of(1L), List.of(2L, OUTAGE, 3L));
  }
}
