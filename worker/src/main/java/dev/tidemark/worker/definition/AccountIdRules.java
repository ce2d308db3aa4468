package dev.tidemark.worker.definition;

import dev.tidemark.activities.account.OutputSlices;
import dev.tidemark.activities.connection.BucketLocation;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.pipeline.AccountId;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.SliceSet;
import dev.tidemark.workflows.planning.ExpectedSlice;
import dev.tidemark.workflows.planning.ExpectedSlices;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules of what stands for an account in outputs: nothing of them tells which account it is. */
final class AccountIdRules {
  private static final String KEY = "account-id";
  private static final String COLUMN = KEY + ".column";

  private AccountIdRules() {}

  static void check(Draft draft, Dimensions dimensions, List<Violation> found) {
    AccountId id = draft.space().accountId();
    if (id == null) {
      return;
    }
    String account = draft.space().account();
    if (account == null) {
      found.add(new Violation(KEY, "needs an account: the dimension that it stands for"));
    }
    if (draft.output() == null) {
      found.add(
          new Violation(
              KEY, "stands for the account in outputs, and the pipeline has none; remove it"));
    } else if (account != null) {
      location(draft.output(), account, found);
    }
    if (account != null && id instanceof AccountId.Column by) {
      column(draft, by.column(), account, dimensions, found);
    }
  }

  /** Which bucket it is may be found by the account; what is in it may not be named after it. */
  private static void location(OutputSpec output, String account, List<Violation> found) {
    String inside =
        BucketLocation.of(output.location()).map(BucketLocation::prefix).orElse(output.location());
    if (inside.contains(placeholder(account))) {
      found.add(
          new Violation(
              "output.location",
              "has %s in a folder's name, and account-id keeps the account out of it; leave it out: each account has a folder by its id"
                  .formatted(placeholder(account))));
    }
  }

  private static void column(
      Draft draft, String column, String account, Dimensions dimensions, List<Violation> found) {
    if (column.equals(account)) {
      found.add(
          new Violation(
              COLUMN, "'" + column + "' is the account itself; name another column of the slices"));
    } else if (!dimensions.has(column)) {
      found.add(
          new Violation(
              COLUMN,
              "'"
                  + column
                  + "' is not a column of the slices; "
                  + dimensions.list()
                  + Nearest.hint(column, dimensions.names())));
    } else if (draft.partitions() != null && found.isEmpty()) {
      apart(draft, draft.partitions(), found);
    }
    if (draft.output() instanceof OutputSpec.File file
        && file.path().contains(placeholder(column))) {
      found.add(
          new Violation(
              "output.path",
              "'%s' has %s, which stands for the account; write %s, which is its value there"
                  .formatted(file.path(), placeholder(column), placeholder(account))));
    }
  }

  /** Of slices that are written down; a query's are looked at when it is run. */
  private static void apart(Draft draft, Partitioning partitions, List<Violation> found) {
    List<SliceSet.Product> lines = new ArrayList<>();
    for (SliceSet set : draft.space().slices()) {
      if (set instanceof SliceSet.Product line) {
        lines.add(line);
      }
    }
    try {
      OutputSlices.requireApart(
          draft.space().extent(partitions),
          ExpectedSlices.ofProducts(partitions, lines).stream().map(ExpectedSlice::slice).toList());
    } catch (IllegalArgumentException refused) {
      found.add(
          new Violation(
              "slices", String.valueOf(refused.getMessage()).replaceFirst("^slices: ", "")));
    }
  }

  /** The column that is in no output by itself; null where there is none. */
  static @Nullable String column(Draft draft) {
    return draft.space().accountId() instanceof AccountId.Column by ? by.column() : null;
  }

  private static String placeholder(String dimension) {
    return "{slice." + dimension + "}";
  }
}
