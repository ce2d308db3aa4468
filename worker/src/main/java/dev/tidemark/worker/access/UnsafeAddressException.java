package dev.tidemark.worker.access;

import java.net.InetAddress;

/** An address that others can reach, and nothing that keeps them out. */
public final class UnsafeAddressException extends Exception {
  private static final long serialVersionUID = 1L;

  UnsafeAddressException(InetAddress address) {
    super(
        "page.address "
            + address.getHostAddress()
            + " can be reached from other machines, and nothing says who may use the page: set"
            + " page.tokens, or page.access with page.identity, or use 127.0.0.1");
  }
}
