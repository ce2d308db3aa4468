package dev.tidemark.worker.definition;

import dev.tidemark.workflows.pipeline.Accounts;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.SliceSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Rules of accounts: which dimension they are, and what is said of them. */
final class AccountRules {
  private static final String NEEDED = "needs an account: the dimension to count by";

  private AccountRules() {}

  static void check(Draft draft, Dimensions dimensions, List<Violation> found) {
    String account = draft.space().account();
    Limits limits = draft.pace().limits();
    Accounts accounts = draft.pace().accounts();
    if (account == null) {
      needed("limits.per-account", limits.perAccount(), found);
      needed("limits.per-account-parallel", limits.perAccountParallel(), found);
      needed(
          accounts == null || accounts.weight().isEmpty() ? "breaker" : "weight", accounts, found);
    } else if (!dimensions.has(account)) {
      found.add(
          new Violation(
              "account",
              "'"
                  + account
                  + "' is not a dimension of the slices; "
                  + dimensions.list()
                  + Nearest.hint(account, dimensions.names())));
    } else if (accounts != null) {
      weight(draft, account, accounts, found);
    }
  }

  private static void needed(String key, @Nullable Object said, List<Violation> found) {
    if (said != null) {
      found.add(new Violation(key, NEEDED));
    }
  }

  /** A weight of nobody is a slip of the pen; what a query will return is not known. */
  private static void weight(
      Draft draft, String account, Accounts accounts, List<Violation> found) {
    Set<String> known = new TreeSet<>();
    for (SliceSet set : draft.space().slices()) {
      if (!(set instanceof SliceSet.Product line)) {
        return;
      }
      known.addAll(line.values().getOrDefault(account, List.of()));
    }
    for (String name : accounts.weight().keySet()) {
      if (!known.contains(name)) {
        found.add(
            new Violation(
                "weight." + name,
                "'" + name + "' is not a value of " + account + Nearest.hint(name, known)));
      }
    }
  }
}
