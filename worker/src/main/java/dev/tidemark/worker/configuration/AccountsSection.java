package dev.tidemark.worker.configuration;

import dev.tidemark.worker.yaml.Section;
import dev.tidemark.workflows.pipeline.Accounts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code weight} and {@code breaker}. */
final class AccountsSection {
  private AccountsSection() {}

  /** How accounts share the pipeline; null where nothing is said of it. */
  static @Nullable Accounts read(Section pipeline) {
    if (!pipeline.has("weight") && !pipeline.has("breaker")) {
      return null;
    }
    return new Accounts(weight(pipeline.section("weight")), breaker(pipeline.section("breaker")));
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
