package dev.tidemark.worker.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.worker.access.AccessSettings;
import dev.tidemark.worker.access.UnsafeAddressException;
import dev.tidemark.worker.configuration.PageSettings;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Where the page is served. */
class PageServerTest {
  private static PageSettings at(String address, @Nullable Integer port) {
    return new PageSettings(address, port, AccessSettings.NONE, null);
  }

  @Test
  void aConfiguredPortThatIsTakenIsNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      PageSettings settings = at("127.0.0.1", taken.getLocalPort());

      assertThatThrownBy(() -> PageServer.start(settings, "root", List.of()))
          .isInstanceOf(BindException.class)
          .hasMessageContaining(String.valueOf(taken.getLocalPort()))
          .hasMessageContaining("page.port");
    }
  }

  @Test
  void whereNoPortIsConfiguredTwoAreServedSideBySide() throws Exception {
    try (PageServer one = PageServer.start(at("127.0.0.1", null), "root", List.of());
        PageServer other = PageServer.start(at("127.0.0.1", null), "root", List.of())) {
      assertThat(one.url()).startsWith("http://127.0.0.1:").isNotEqualTo(other.url());
    }
  }

  // A worker takes its port before it works, and is asked only when it can answer
  @Test
  void anAddressIsTakenBeforeItIsServed() throws Exception {
    try (PageServer bound = PageServer.bind(at("127.0.0.1", 0), "root")) {
      int port = URI.create(bound.url()).getPort();

      assertThatThrownBy(() -> PageServer.bind(at("127.0.0.1", port), "root"))
          .isInstanceOf(BindException.class);
      bound.serve(StaticFiles.routes());
      try (InputStream icon = URI.create(bound.url() + "/page/icon.svg").toURL().openStream()) {
        assertThat(icon.readAllBytes()).isNotEmpty();
      }
    }
  }

  @Test
  void aPageThatWasNeverServedGivesItsPortBack() throws Exception {
    PageServer bound = PageServer.bind(at("127.0.0.1", 0), "root");
    int port = URI.create(bound.url()).getPort();
    bound.close();

    try (PageServer again = PageServer.bind(at("127.0.0.1", port), "root")) {
      assertThat(again.url()).endsWith(":" + port);
    }
  }

  @Test
  void anAddressThatOthersReachIsNotServedWithoutAnyAccess() {
    assertThatThrownBy(() -> PageServer.start(at("0.0.0.0", 0), "root", List.of()))
        .isInstanceOf(UnsafeAddressException.class)
        .hasMessageContaining("0.0.0.0");
  }
}
