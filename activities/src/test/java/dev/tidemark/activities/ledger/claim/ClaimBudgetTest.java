package dev.tidemark.activities.ledger.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.planning.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How the slots of a pipeline are shared out. */
final class ClaimBudgetTest {
  private static final List<ActiveBackfill> ONE_BACKFILL =
      List.of(new ActiveBackfill("b", null, null, 0));

  private static Limits limits(int parallel, @Nullable Integer perAccount, int share) {
    return new Limits(1000, Duration.ofMinutes(10), parallel, null, perAccount, share);
  }

  private static List<Candidate> candidates(int live, int backfill) {
    List<Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < live; i++) {
      candidates.add(candidate(i, null, true, List.of()));
    }
    for (int i = 0; i < backfill; i++) {
      candidates.add(candidate(1000 + i, null, false, List.of("b")));
    }
    return candidates;
  }

  private static Candidate candidate(
      long id, @Nullable String account, boolean live, List<String> backfills) {
    return new Candidate(
        new Candidate.Read(id, ""), Instant.EPOCH, "", account, Reason.MISSING, live, backfills);
  }

  private static LiveWork held(int live, int backfill) {
    return LiveWork.of(
        List.of(new LiveWork.Group(true, null, live), new LiveWork.Group(false, null, backfill)),
        Map.of(),
        List.of());
  }

  private static String chosen(
      Limits limits, LiveWork held, boolean servedLive, int live, int backfill) {
    List<Candidate> chosen =
        new ClaimBudget(limits, held, ONE_BACKFILL, servedLive, 100)
            .choose(candidates(live, backfill));
    long ofLive = chosen.stream().filter(Candidate::live).count();
    return ofLive + " live, " + (chosen.size() - ofLive) + " backfill";
  }

  // c-B2, c-C7
  @Test
  void backfillsGetTheirShareWhileLiveWorkWaits() {
    assertThat(chosen(limits(20, null, 50), held(0, 0), false, 50, 50))
        .isEqualTo("10 live, 10 backfill");
    assertThat(chosen(limits(5, null, 50), held(0, 0), false, 50, 50))
        .isEqualTo("3 live, 2 backfill");
    assertThat(chosen(limits(20, null, 0), held(0, 0), false, 50, 50))
        .isEqualTo("20 live, 0 backfill");
  }

  // c-K3
  @Test
  void whatOneClassCannotUseGoesToTheOther() {
    assertThat(chosen(limits(20, null, 50), held(0, 0), false, 2, 50))
        .isEqualTo("2 live, 18 backfill");
    assertThat(chosen(limits(20, null, 50), held(0, 0), false, 50, 0))
        .isEqualTo("20 live, 0 backfill");
  }

  // c-C12
  @Test
  void whatIsHeldCountsAgainstTheCap() {
    assertThat(chosen(limits(20, null, 50), held(3, 15), false, 50, 50))
        .isEqualTo("2 live, 0 backfill");
    assertThat(chosen(limits(20, null, 50), held(15, 10), false, 50, 50))
        .isEqualTo("0 live, 0 backfill");
  }

  @Test
  void oneAtATimeServesTheClassServedLongestAgo() {
    assertThat(chosen(limits(1, null, 50), held(0, 0), true, 5, 5)).isEqualTo("0 live, 1 backfill");
    assertThat(chosen(limits(1, null, 50), held(0, 0), false, 5, 5))
        .isEqualTo("1 live, 0 backfill");
  }

  // B10
  @Test
  void anAccountGetsNoMoreThanItsCap() {
    List<Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      candidates.add(candidate(i, "big", true, List.of()));
    }
    candidates.add(candidate(10, "small", true, List.of()));
    ClaimBudget budget = new ClaimBudget(limits(20, 2, 50), held(0, 0), List.of(), false, 100);

    assertThat(budget.choose(candidates)).extracting(Candidate::id).containsExactly(0L, 10L, 1L);
    assertThat(budget.fullAccounts()).containsExactly("big");
  }

  @Test
  void aBackfillRunsNoMoreAtOnceThanItAskedFor() {
    var backfills = List.of(new ActiveBackfill("b", null, 3, 1));
    ClaimBudget budget =
        new ClaimBudget(
            limits(20, null, 50),
            LiveWork.of(List.of(), Map.of(), backfills),
            backfills,
            false,
            100);

    assertThat(budget.choose(candidates(0, 10))).hasSize(2);
    assertThat(budget.hasRoom("b")).isFalse();
  }
}
