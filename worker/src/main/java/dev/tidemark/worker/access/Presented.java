package dev.tidemark.worker.access;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** What a request says of who sent it. */
public interface Presented {
  /** The address that the connection came from: a reverse proxy's, if there is one. */
  InetAddress peer();

  /**
   * The header of this name; null where there is none, and where it is said twice: one of the two
   * may be the caller's own, beside the proxy's.
   */
  @Nullable String header(String name);
}
