package dev.tidemark.activities.index.source;

import java.util.Set;
import java.util.TreeSet;

/** Keys that came more often than may be: the first few, for people. */
public final class Duplicates {
  private static final int NAMED = 10;

  private final String rule;
  private final Set<String> keys = new TreeSet<>();
  private boolean more;

  /**
   * @param rule what gives which keys, up to the keys
   */
  public Duplicates(String rule) {
    this.rule = rule;
  }

  public void add(String key) {
    if (keys.size() < NAMED) {
      keys.add(key);
    } else if (!keys.contains(key)) {
      more = true;
    }
  }

  /** Refuses the rows if there are any (D15, D20). */
  public void check() throws BadRowsException {
    if (!keys.isEmpty()) {
      throw new BadRowsException(
          "%s %s%s; which one is newest cannot be known"
              .formatted(rule, keys, more ? " and more" : ""));
    }
  }
}
