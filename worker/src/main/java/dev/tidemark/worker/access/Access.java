package dev.tidemark.worker.access;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who asks. Open where nothing is configured, and that only on the loopback address: on
 * any other it does not start.
 */
public final class Access {
  private static final String BEARER = "Bearer ";
  private static final int LONGEST_NAME = 200;

  private final AccessSettings settings;
  private final String localUser;

  private Access(AccessSettings settings, String localUser) {
    this.settings = settings;
    this.localUser = localUser;
  }

  /**
   * The access to an address.
   *
   * @param localUser who asks on a loopback address that is open, for the record
   * @throws UnsafeAddressException if others can reach the address and nothing keeps them out
   */
  public static Access to(InetAddress address, AccessSettings settings, String localUser)
      throws UnsafeAddressException {
    if (settings.isEmpty() && !address.isLoopbackAddress()) {
      throw new UnsafeAddressException(address);
    }
    return new Access(settings, localUser);
  }

  /** Whether everyone who reaches the address is let in. */
  public boolean isOpen() {
    return settings.isEmpty();
  }

  /** Who sent this; {@link Caller#NOBODY} where they show nothing that is known. */
  public Caller identify(Presented presented) {
    if (isOpen()) {
      return new Caller(localUser, List.of(Grant.everywhere(Role.OPERATE)));
    }
    Caller byToken = byToken(presented.header("Authorization"));
    return byToken.equals(Caller.NOBODY) ? byProxy(presented) : byToken;
  }

  private Caller byToken(@Nullable String authorization) {
    if (authorization == null || !authorization.startsWith(BEARER)) {
      return Caller.NOBODY;
    }
    byte[] shown = digest(authorization.substring(BEARER.length()).trim());
    List<Grant> grants = new ArrayList<>();
    String who = null;
    // All are compared, each in constant time: how long it takes says nothing about any.
    for (AccessSettings.Entry entry : settings.entries()) {
      if (entry.token() != null && MessageDigest.isEqual(digest(entry.token()), shown)) {
        who = who == null ? entry.who() : who;
        grants.add(entry.grant());
      }
    }
    return who == null ? Caller.NOBODY : new Caller(who, grants);
  }

  private Caller byProxy(Presented presented) {
    AccessSettings.Proxy proxy = settings.proxy();
    if (proxy == null || !proxy.from().contains(presented.peer())) {
      return Caller.NOBODY;
    }
    String name = presented.header(proxy.header());
    if (name == null || name.isBlank() || name.length() > LONGEST_NAME) {
      return Caller.NOBODY;
    }
    List<Grant> grants =
        settings.entries().stream()
            .filter(entry -> entry.token() == null)
            .filter(entry -> entry.who().equals(name) || isEveryone(entry))
            .map(AccessSettings.Entry::grant)
            .toList();
    return new Caller(name, grants);
  }

  private static boolean isEveryone(AccessSettings.Entry entry) {
    return entry.who().equals(AccessSettings.EVERYONE);
  }

  private static byte[] digest(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
