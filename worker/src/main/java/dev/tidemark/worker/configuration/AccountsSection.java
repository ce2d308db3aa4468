package dev.tidemark.worker.configuration;

import dev.tidemark.activities.account.AccountKey;
import dev.tidemark.worker.yaml.Section;
import dev.tidemark.worker.yaml.Type;
import dev.tidemark.workflows.pipeline.AccountId;
import dev.tidemark.workflows.pipeline.Accounts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code weight}, {@code breaker} and {@code account-id}. */
final class AccountsSection {
  private static final String COLUMN = "column";
  private static final String KEYED_HASH = "keyed-hash";

  private static final Type<AccountKey> KEY =
      new Type<>("a key of at least " + AccountKey.LEAST + " characters", AccountKey::new);

  private AccountsSection() {}

  /** How accounts share the pipeline; null where nothing is said of it. */
  static @Nullable Accounts read(Section pipeline) {
    if (!pipeline.has("weight") && !pipeline.has("breaker")) {
      return null;
    }
    return new Accounts(weight(pipeline.section("weight")), breaker(pipeline.section("breaker")));
  }

  /** What stands for accounts in outputs; null for their own values, or where it is reported. */
  static @Nullable AccountId id(Section pipeline, ConnectionsSection connections) {
    if (!pipeline.has("account-id")) {
      return null;
    }
    Section section = pipeline.section("account-id");
    section.only(List.of(COLUMN, KEYED_HASH), Later.KEYS);
    if (section.has(COLUMN) == section.has(KEYED_HASH)) {
      section.problem("", "must have either column or keyed-hash");
      return null;
    }
    if (section.has(COLUMN)) {
      String column = section.get(COLUMN, Type.TEXT);
      return column == null ? null : new AccountId.Column(column);
    }
    AccountKey key = section.get(KEYED_HASH, KEY);
    String name = pipeline.get("name", Type.TEXT);
    if (key == null || name == null) {
      return null;
    }
    connections.hash(name, key);
    return new AccountId.KeyedHash(key.check());
  }

  private static Map<String, Integer> weight(Section section) {
    Map<String, Integer> weight = new LinkedHashMap<>();
    for (String account : section.keys()) {
      Integer turns = section.get(account, Types.number(1, Accounts.MAX_WEIGHT));
      if (turns != null) {
        weight.put(account, turns);
      }
    }
    return weight;
  }

  private static Accounts.Breaker breaker(Section section) {
    section.only(List.of("after", "pause"), Later.KEYS);
    Accounts.Breaker otherwise = Accounts.Breaker.DEFAULT;
    return new Accounts.Breaker(
        section.get("after", Types.number(1, 1_000_000), otherwise.after()),
        section.get("pause", Types.POSITIVE_DURATION, otherwise.pause()));
  }
}
