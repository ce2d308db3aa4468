package dev.tidemark.workflows.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.workflows.pipeline.Accounts;
import dev.tidemark.workflows.planning.Turns.Turn;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whose turn it is, as a pure rule. */
final class TurnsTest {

  private static String ordered(Map<String, Integer> weight, @Nullable Turn last, String... items) {
    Turns turns = new Turns(new Accounts(weight, Accounts.Breaker.DEFAULT), last);
    return String.join(" ", turns.ordered(List.of(items), item -> item.substring(0, 1)));
  }

  // c-K1
  @Test
  void accountsComeOneAfterTheOtherEachInItsOwnOrder() {
    assertThat(ordered(Map.of(), null, "b1", "b2", "a1", "b3", "c1", "a2"))
        .isEqualTo("a1 b1 c1 a2 b2 b3");
    assertThat(ordered(Map.of("b", 2), null, "b1", "b2", "a1", "b3", "c1", "a2"))
        .isEqualTo("a1 b1 b2 c1 a2 b3");
  }

  @Test
  void theRoundGoesOnAfterTheAccountServedLast() {
    assertThat(ordered(Map.of(), new Turn("b", 1), "a1", "b1", "c1")).isEqualTo("c1 a1 b1");
    assertThat(ordered(Map.of(), new Turn("x", 1), "a1", "b1")).isEqualTo("a1 b1");
    assertThat(ordered(Map.of("b", 3), new Turn("b", 1), "a1", "b1", "b2", "b3", "c1"))
        .isEqualTo("b1 b2 c1 a1 b3");
  }

  @Test
  void namesAreOrderedByCodePointsAsTheDatabaseDoes() {
    List<String> names = new ArrayList<>(List.of("\uFF5E", "\uD83D\uDE00", "é", "Z", "a"));
    names.sort(Turns.BY_NAME);
    assertThat(names).containsExactly("Z", "a", "é", "\uFF5E", "\uD83D\uDE00");
  }

  // B10, c-K1: the bound, whatever comes when
  @Test
  void betweenTwoTurnsOfAnAccountEachOtherHasAtMostItsWeight() {
    Random random = new Random(7);
    Map<String, Integer> weight = Map.of("a", 1, "b", 5, "c", 2, "d", 1, "e", 3);
    Accounts accounts = new Accounts(weight, Accounts.Breaker.DEFAULT);
    Turns turns = new Turns(accounts, null);
    Map<String, Integer> due = new TreeMap<>();
    Map<String, Map<String, Integer>> servedWhileWaiting = new HashMap<>();
    for (int claim = 0; claim < 5_000; claim++) {
      if (random.nextInt(6) == 0) {
        String account = String.valueOf((char) ('a' + random.nextInt(5)));
        due.merge(account, 1 + random.nextInt(9), Integer::sum);
      }
      List<String> items = new ArrayList<>();
      due.forEach((account, count) -> items.addAll(Collections.nCopies(count, account)));
      if (items.isEmpty()) {
        continue;
      }
      String next = turns.ordered(items, item -> item).get(0);
      turns.served(next);
      due.merge(next, -1, Integer::sum);
      due.values().removeIf(count -> count == 0);
      servedWhileWaiting.remove(next);
      for (String waiting : due.keySet()) {
        if (!waiting.equals(next)) {
          Map<String, Integer> others =
              servedWhileWaiting.computeIfAbsent(waiting, any -> new HashMap<>());
          others.merge(next, 1, Integer::sum);
          assertThat(others.get(next))
              .as("claims of %s while %s waits", next, waiting)
              .isLessThanOrEqualTo(accounts.weightOf(next));
        }
      }
      servedWhileWaiting.keySet().retainAll(due.keySet());
    }
  }
}
