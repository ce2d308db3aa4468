package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.pipeline.Accounts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is. Accounts that have something due come one after the other in the order of their
 * names, round and round; in its turn one gets as many partitions as its weight. So between the
 * moment at which an account has something due and its next turn, every other account gets at most
 * its weight: the wait is bounded by the sum of the weights of the others, however much any of them
 * has due (B10, c-K1). A turn that an account has nothing for costs nothing (c-K3).
 */
public final class Turns {
  /** By code points, as PostgreSQL's collation "C" has it. */
  public static final Comparator<String> BY_NAME =
      (one, other) -> {
        int[] left = one.codePoints().toArray();
        int[] right = other.codePoints().toArray();
        return Arrays.compare(left, right);
      };

  private final Accounts accounts;
  private @Nullable Turn last;

  /**
   * The account served last, and how many it has had in that turn.
   *
   * @param taken at least 1
   */
  public record Turn(String account, int taken) {}

  /**
   * @param last null before the first turn
   */
  public Turns(Accounts accounts, @Nullable Turn last) {
    this.accounts = accounts;
    this.last = last;
  }

  /** Null before the first turn. */
  public @Nullable Turn last() {
    return last;
  }

  /** Whether the account served last may have more before the next one. */
  public boolean goesOn() {
    Turn turn = last;
    return turn != null && turn.taken() < accounts.weightOf(turn.account());
  }

  /** One partition of the account is taken; null, of none, takes no turn. */
  public void served(@Nullable String account) {
    Turn turn = last;
    if (account != null) {
      int taken = turn != null && turn.account().equals(account) && goesOn() ? turn.taken() : 0;
      last = new Turn(account, taken + 1);
    }
  }

  /**
   * These in the order in which they would be taken from now on. Of one account they keep their
   * order; those of none come first.
   */
  public <T> List<T> ordered(List<T> items, Function<T, @Nullable String> accountOf) {
    List<T> ordered = new ArrayList<>();
    NavigableMap<String, Deque<T>> waiting = new TreeMap<>(BY_NAME);
    for (T item : items) {
      String account = accountOf.apply(item);
      if (account == null) {
        ordered.add(item);
      } else {
        waiting.computeIfAbsent(account, first -> new ArrayDeque<>()).add(item);
      }
    }
    Turns ahead = new Turns(accounts, last);
    while (!waiting.isEmpty()) {
      Map.Entry<String, Deque<T>> next = ahead.next(waiting);
      ordered.add(next.getValue().remove());
      ahead.served(next.getKey());
      if (next.getValue().isEmpty()) {
        waiting.remove(next.getKey());
      }
    }
    return ordered;
  }

  private <T> Map.Entry<String, T> next(NavigableMap<String, T> waiting) {
    Turn turn = last;
    Map.Entry<String, T> next = null;
    if (turn != null) {
      next = goesOn() ? waiting.ceilingEntry(turn.account()) : waiting.higherEntry(turn.account());
    }
    return next == null ? waiting.firstEntry() : next;
  }
}
