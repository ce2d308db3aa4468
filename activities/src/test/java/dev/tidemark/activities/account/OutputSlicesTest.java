package dev.tidemark.activities.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.workflows.closure.Closure;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.AccountId;
import dev.tidemark.workflows.pipeline.Extent;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What stands for an account (B24). */
class OutputSlicesTest {
  private static final AccountKey KEY = new AccountKey("0123456789abcdef0123456789abcdef");
  private static final Slice ACME = Slice.of(Map.of("customer", "42", "public_id", "8f14"));

  private static Extent extent(@Nullable AccountId id) {
    return new Extent(
        new Partitioning(Grain.DAY, ZoneId.of("UTC"), "2026-01-01", null),
        List.of(),
        "customer",
        id,
        new Closure.AfterDelay(Duration.ZERO),
        null);
  }

  private static AccountKey key(String check) {
    assertThat(check).isEqualTo(KEY.check());
    return KEY;
  }

  // B24: as openssl and pgcrypto have it, so that whoever has the key can tell whose folder it is
  @Test
  void aKeyedHashIsTheHmacOfTheAccount() {
    Slice outside =
        OutputSlices.of(extent(new AccountId.KeyedHash(KEY.check())), OutputSlicesTest::key)
            .of(ACME);

    assertThat(outside.values())
        .isEqualTo(
            Map.of(
                "customer",
                "3b12d0412db185c98ff58825ed4c81cfbc7bdabcf33ac48bdaaae5f39fc65445",
                "public_id",
                "8f14"));
  }

  // B24
  @Test
  void aColumnTakesTheAccountsPlace() {
    OutputSlices slices =
        OutputSlices.of(extent(new AccountId.Column("public_id")), OutputSlicesTest::key);

    assertThat(slices.of(ACME).canonical()).isEqualTo("customer=8f14");
    Slice before = Slice.of(Map.of("customer", "42"));
    assertThat(slices.of(before)).isEqualTo(before);
  }

  @Test
  void withoutOneTheAccountIsItself() {
    assertThat(OutputSlices.of(extent(null), OutputSlicesTest::key).of(ACME)).isEqualTo(ACME);
  }

  @Test
  void twoAccountsOfOneIdAreRefused() {
    Slice other = Slice.of(Map.of("customer", "43", "public_id", "8f14"));
    Slice apart = Slice.of(Map.of("customer", "43", "public_id", "c0de"));

    assertThatThrownBy(
            () ->
                OutputSlices.requireApart(
                    extent(new AccountId.Column("public_id")), List.of(ACME, other)))
        .hasMessageContaining("customer=42/public_id=8f14 and customer=43/public_id=8f14")
        .hasMessageContaining("give each account its own");
    assertThatCode(
            () ->
                OutputSlices.requireApart(
                    extent(new AccountId.Column("public_id")), List.of(ACME, apart)))
        .doesNotThrowAnyException();
  }

  // B40: of a key nothing is said but what tells it from others
  @Test
  void aKeyIsNotInItsTexts() {
    assertThat(KEY.toString()).isEqualTo("AccountKey[796cd3078af14636]");
    assertThatThrownBy(() -> new AccountKey("too-short-a-key"))
        .hasMessageContaining("15 characters, and must have at least 32")
        .hasMessageNotContaining("too-short-a-key");
  }
}
