package dev.tidemark.worker.configuration;

import dev.tidemark.worker.access.AccessSettings;
import org.jspecify.annotations.Nullable;

/**
 * Where the page is served, and to whom.
 *
 * @param address of this machine, by number or name
 * @param port null where not written: {@value #DEFAULT_PORT}, or another in {@code dev} if that is
 *     taken; 0 is any that is free
 * @param temporalUi address of Temporal's Web UI, for links; null where not written
 */
public record PageSettings(
    String address, @Nullable Integer port, AccessSettings access, @Nullable String temporalUi) {
  public static final int DEFAULT_PORT = 8080;
  static final String LOOPBACK = "127.0.0.1";

  /** On this machine, for this machine. */
  public static final PageSettings LOCAL =
      new PageSettings(LOOPBACK, null, AccessSettings.NONE, null);
}
