package dev.tidemark.workflows.pipeline;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How the accounts of a pipeline share it, and when one of them is left alone (B10, c-J9, c-K1).
 *
 * @param weight how many partitions an account may have in its turn, by account; 1 where none is
 *     given
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Accounts(Map<String, Integer> weight, Breaker breaker) {
  /** More would be a turn that the others wait too long for. */
  public static final int MAX_WEIGHT = 100;

  public static final Accounts DEFAULT = new Accounts(Map.of(), Breaker.DEFAULT);

  public Accounts {
    SortedMap<String, Integer> sorted = new TreeMap<>(weight);
    sorted.forEach(
        (account, turns) -> {
          if (turns < 1 || turns > MAX_WEIGHT) {
            throw new IllegalArgumentException(
                "weight.%s must be from 1 to %d: %d".formatted(account, MAX_WEIGHT, turns));
          }
        });
    weight = Collections.unmodifiableMap(sorted);
  }

  /** How many partitions in a row the account may have. */
  public int weightOf(String account) {
    return weight.getOrDefault(account, 1);
  }

  /**
   * When an account whose destination refuses it is left alone.
   *
   * @param after refusals in a row, with no commit of the account between them
   * @param pause for how long nothing of it is tried; then one partition is
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Breaker(int after, Duration pause) {
    public static final Breaker DEFAULT = new Breaker(5, Duration.ofHours(1));

    public Breaker {
      if (after < 1) {
        throw new IllegalArgumentException("breaker.after must be at least 1: " + after);
      }
      if (pause.isNegative() || pause.isZero()) {
        throw new IllegalArgumentException("breaker.pause must be positive: " + pause);
      }
    }
  }
}
