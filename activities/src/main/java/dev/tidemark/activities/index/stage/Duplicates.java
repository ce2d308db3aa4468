package dev.tidemark.activities.index.stage;

import dev.tidemark.activities.index.source.BadRowsException;
import dev.tidemark.workflows.index.Datasource;
import java.util.Set;
import java.util.TreeSet;

/** Keys that came more often in one transaction than its kind allows: the first few, for people. */
final class Duplicates {
  private static final int NAMED = 10;

  private final Datasource datasource;
  private final Set<String> keys = new TreeSet<>();
  private boolean more;

  Duplicates(Datasource datasource) {
    this.datasource = datasource;
  }

  void add(String key) {
    if (keys.size() < NAMED) {
      keys.add(key);
    } else if (!keys.contains(key)) {
      more = true;
    }
  }

  /** Refuses the transaction if there are any (D15, D20). */
  void check() throws BadRowsException {
    if (!keys.isEmpty()) {
      String rule =
          datasource.kind() instanceof Datasource.Cdc cdc
              ? "different rows with the same '" + cdc.ordering() + "' in one transaction"
              : "more than one row in one transaction";
      throw new BadRowsException(
          "datasource '%s' gives these keys %s: %s%s; which one is newest cannot be known"
              .formatted(datasource.name(), rule, keys, more ? " and more" : ""));
    }
  }
}
