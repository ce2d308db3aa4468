package dev.tidemark.worker.access;

import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who is let in.
 *
 * @param entries of those who have a token or are known to the reverse proxy
 * @param proxy null where there is none that is trusted
 */
public record AccessSettings(List<Entry> entries, @Nullable Proxy proxy) {
  /** Nobody has to say who they are; only for an address that others cannot reach. */
  public static final AccessSettings NONE = new AccessSettings(List.of(), null);

  /** Who the reverse proxy knows and no entry names: everyone. */
  public static final String EVERYONE = "*";

  public AccessSettings {
    entries = List.copyOf(entries);
  }

  /** Whether anybody has to say who they are. */
  public boolean isEmpty() {
    return entries.isEmpty() && proxy == null;
  }

  /**
   * One who is let in.
   *
   * @param who the proxy's name of them, {@link #EVERYONE}, or the name of the token
   * @param token what they show; null where the proxy has seen to it
   */
  public record Entry(String who, @Nullable String token, Grant grant) {
    /** Without the token. */
    @Override
    public String toString() {
      return "Entry[who=" + who + ", grant=" + grant + "]";
    }
  }

  /**
   * A reverse proxy that says in a header who asks.
   *
   * @param from its addresses: from any other the header means nothing
   */
  public record Proxy(String header, Set<InetAddress> from) {
    public Proxy {
      from = Set.copyOf(from);
    }
  }
}
