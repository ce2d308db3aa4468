package dev.tidemark.worker.definition;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** The known name that someone probably meant. */
public final class Nearest {
  private Nearest() {}

  /** The known name with the least edits to {@code given}, if they are few for its length. */
  public static Optional<String> of(String given, Collection<String> known) {
    String best = null;
    int least = Math.max(1, given.length() / 3) + 1;
    for (String name : known) {
      int distance = edits(given.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
      if (distance < least) {
        least = distance;
        best = name;
      }
    }
    return Optional.ofNullable(best);
  }

  /** {@code "; did you mean 'x'?"}, or nothing. */
  public static String hint(String given, Collection<String> known) {
    return of(given, known).map(name -> "; did you mean '" + name + "'?").orElse("");
  }

  /**
   * Insertions, deletions, substitutions and swaps of neighbours that lead from one to the other.
   */
  private static int edits(String from, String to) {
    int[][] cost = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int change = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
        cost[i][j] =
            Math.min(cost[i - 1][j - 1] + change, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
        if (i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1)) {
          cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
      }
    }
    return cost[from.length()][to.length()];
  }
}
