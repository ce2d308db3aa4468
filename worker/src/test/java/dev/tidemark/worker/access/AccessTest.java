package dev.tidemark.worker.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.worker.access.AccessSettings.Entry;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Issue 7, access: who is let in, and as whom. */
class AccessTest {
  private static final String HERE = "127.0.0.1";
  private static final String PROXY = "10.0.0.7";
  private static final String TOKEN = "0123456789abcdef";

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private static Presented presented(String peer, Map<String, String> headers) {
    return new Presented() {
      @Override
      public InetAddress peer() {
        return address(peer);
      }

      @Override
      public @Nullable String header(String name) {
        return headers.get(name);
      }
    };
  }

  private static Access at(String address, AccessSettings settings) {
    try {
      return Access.to(address(address), settings, "root");
    } catch (UnsafeAddressException e) {
      throw new AssertionError(e);
    }
  }

  private static AccessSettings tokens() {
    return new AccessSettings(
        List.of(
            new Entry("viewer", "view-" + TOKEN, Grant.everywhere(Role.VIEW)),
            new Entry("sales", "sales-" + TOKEN, new Grant(Role.OPERATE, Set.of("sales")))),
        null);
  }

  private static AccessSettings proxy() {
    return new AccessSettings(
        List.of(
            new Entry("alice", null, Grant.everywhere(Role.OPERATE)),
            new Entry(AccessSettings.EVERYONE, null, new Grant(Role.VIEW, Set.of("sales")))),
        new AccessSettings.Proxy("X-User", Set.of(address(PROXY))));
  }

  @Test
  void theOwnMachineIsLetInWhereNothingIsConfigured() {
    Caller caller = at(HERE, AccessSettings.NONE).identify(presented(HERE, Map.of()));

    assertThat(caller.name()).isEqualTo("root");
    assertThat(caller.may(Role.OPERATE, "any")).isTrue();
    assertThat(at("::1", AccessSettings.NONE).isOpen()).isTrue();
  }

  @Test
  void anAddressThatOthersReachIsNotServedWithoutTokenOrProxy() {
    for (String reachable : List.of("0.0.0.0", "10.1.2.3", "::")) {
      assertThatThrownBy(() -> Access.to(address(reachable), AccessSettings.NONE, "root"))
          .isInstanceOf(UnsafeAddressException.class)
          .hasMessageContaining("page.tokens");
    }
    assertThat(at("0.0.0.0", tokens()).isOpen()).isFalse();
  }

  @Test
  void aTokenIsItsRoleOnItsPipelines() {
    Access access = at(HERE, tokens());
    Caller sales =
        access.identify(presented(HERE, Map.of("Authorization", "Bearer sales-" + TOKEN)));

    assertThat(sales.name()).isEqualTo("sales");
    assertThat(sales.may(Role.OPERATE, "sales")).isTrue();
    assertThat(sales.may(Role.VIEW, "sales")).isTrue();
    assertThat(sales.may(Role.VIEW, "stock")).isFalse();
    assertThat(sales.mayEverywhere(Role.VIEW)).isFalse();
    Caller viewer =
        access.identify(presented(HERE, Map.of("Authorization", "Bearer view-" + TOKEN)));
    assertThat(viewer.may(Role.VIEW, "stock")).isTrue();
    assertThat(viewer.may(Role.OPERATE)).isFalse();
  }

  @Test
  void whoShowsNothingThatIsKnownIsNobodyAlsoOnTheOwnMachine() {
    Access access = at(HERE, tokens());

    assertThat(access.identify(presented(HERE, Map.of()))).isEqualTo(Caller.NOBODY);
    for (String shown : List.of("Bearer " + TOKEN, "Bearer ", "sales-" + TOKEN, "Basic sales")) {
      assertThat(access.identify(presented(HERE, Map.of("Authorization", shown))))
          .as(shown)
          .isEqualTo(Caller.NOBODY);
    }
  }

  @Test
  void theProxysWordCountsOnlyFromItsOwnAddress() {
    Access access = at("0.0.0.0", proxy());
    Map<String, String> alice = Map.of("X-User", "alice");

    assertThat(access.identify(presented(PROXY, alice)).may(Role.OPERATE, "stock")).isTrue();
    assertThat(access.identify(presented("10.0.0.8", alice))).isEqualTo(Caller.NOBODY);
    assertThat(access.identify(presented(PROXY, Map.of()))).isEqualTo(Caller.NOBODY);
  }

  @Test
  void whomTheProxyKnowsAndNoEntryNamesMayWhatEveryoneMay() {
    Caller bob = at(HERE, proxy()).identify(presented(PROXY, Map.of("X-User", "bob")));

    assertThat(bob.name()).isEqualTo("bob");
    assertThat(bob.may(Role.VIEW, "sales")).isTrue();
    assertThat(bob.may(Role.VIEW, "stock")).isFalse();
    assertThat(bob.may(Role.OPERATE)).isFalse();
  }

  @Test
  void aTokenIsNotPrinted() {
    assertThat(tokens().toString()).contains("sales").doesNotContain(TOKEN);
  }
}
