package dev.tidemark.activities.account;

import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.AccountId;
import dev.tidemark.workflows.pipeline.Extent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Slices as outputs have them: in their names, manifests and load scripts something else stands for
 * the account. Whatever else names a slice, such as the ledger and the task, has the account
 * itself.
 */
public final class OutputSlices {
  private final UnaryOperator<Slice> naming;

  private OutputSlices(UnaryOperator<Slice> naming) {
    this.naming = naming;
  }

  /**
   * Those of a pipeline.
   *
   * @param keys the key with a check; it throws where this process has none such
   */
  public static OutputSlices of(Extent extent, Function<String, AccountKey> keys) {
    String account = extent.account();
    AccountId id = extent.accountId();
    if (account == null || id == null) {
      return new OutputSlices(slice -> slice);
    }
    if (id instanceof AccountId.Column by) {
      return new OutputSlices(slice -> byColumn(slice, account, by.column()));
    }
    AccountKey key = keys.apply(((AccountId.KeyedHash) id).check());
    return new OutputSlices(
        slice -> {
          Map<String, String> values = new TreeMap<>(slice.values());
          values.computeIfPresent(account, (dimension, value) -> key.of(value));
          return Slice.of(values);
        });
  }

  /** A row of before there was such a column stays what it was. */
  private static Slice byColumn(Slice slice, String account, String column) {
    Map<String, String> values = new TreeMap<>(slice.values());
    String id = values.remove(column);
    if (id != null) {
      values.put(account, id);
    }
    return Slice.of(values);
  }

  /** The slice as outputs have it. */
  public Slice of(Slice slice) {
    return naming.apply(slice);
  }

  /**
   * Refuses slices whose outputs would be in one place.
   *
   * @throws IllegalArgumentException naming two of them
   */
  public static void requireApart(Extent extent, List<Slice> slices) {
    if (!(extent.accountId() instanceof AccountId.Column by)) {
      return;
    }
    String account = String.valueOf(extent.account());
    Map<Slice, Slice> seen = new HashMap<>();
    for (Slice slice : slices) {
      Slice other = seen.putIfAbsent(byColumn(slice, account, by.column()), slice);
      if (other != null) {
        throw new IllegalArgumentException(
            "slices: %s and %s have the same %s, so that the outputs of one would replace the other's; give each account its own"
                .formatted(other.canonical(), slice.canonical(), by.column()));
      }
    }
  }
}
