package dev.tidemark.worker.access;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** What a request says of who sent it. */
public interface Presented {
  /** The address that the connection came from: a reverse proxy's, if there is one. */
  InetAddress peer();

  /** The first header of this name, or null. */
  @Nullable String header(String name);
}
