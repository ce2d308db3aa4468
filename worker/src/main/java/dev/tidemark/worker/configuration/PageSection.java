package dev.tidemark.worker.configuration;

import dev.tidemark.worker.access.AccessSettings;
import dev.tidemark.worker.access.Grant;
import dev.tidemark.worker.access.Role;
import dev.tidemark.worker.yaml.Section;
import dev.tidemark.worker.yaml.Type;
import dev.tidemark.worker.yaml.Value;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code page}: an address that others can reach must say who may come in. */
final class PageSection {
  private static final int SHORTEST_TOKEN = 16;

  private static final Pattern NUMERIC =
      Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|[0-9a-fA-F:]*:[0-9a-fA-F:.]*");

  private static final Type<InetAddress> PROXY =
      new Type<>("an address by number, such as 10.0.0.7", PageSection::numeric);

  private static final Type<Role> ROLE = Types.choice(Role.class);

  private final Section section;
  private final Path folder;
  private final String address;
  private final List<AccessSettings.Entry> entries = new ArrayList<>();

  private PageSection(Section section, Path folder) {
    this.section = section;
    this.folder = folder;
    this.address = section.get("address", Type.TEXT, PageSettings.LOOPBACK);
  }

  /**
   * The settings.
   *
   * @param folder relative paths are relative to it
   */
  static PageSettings read(Section section, Path folder) {
    return new PageSection(section, folder).read();
  }

  private PageSettings read() {
    section.only(
        List.of("address", "port", "tokens", "access", "identity", "temporal-ui"), Later.KEYS);
    Integer port = section.get("port", Types.number(0, 65535));
    readTokens(section.section("tokens"));
    section.list("access").forEach(value -> readEntry(value.section()));
    AccessSettings.Proxy proxy =
        section.has("identity") ? proxy(section.section("identity")) : null;
    AccessSettings access = new AccessSettings(entries, proxy);
    requireSomebody(proxy);
    if (access.isEmpty() && !isLoopback(address)) {
      section.problem(
          section.has("address") ? "address" : "",
          "'"
              + address
              + "' can be reached from other machines, and nothing says who may use the page: set"
              + " tokens, or access with identity, or use "
              + PageSettings.LOOPBACK);
    }
    return new PageSettings(address, port, access, section.get("temporal-ui", Types.ENDPOINT));
  }

  /** Without a proxy nobody has a name: an entry without a token would let nobody in. */
  private void requireSomebody(AccessSettings.@Nullable Proxy proxy) {
    boolean named = entries.stream().anyMatch(entry -> entry.token() == null);
    if (named && proxy == null) {
      section.problem(
          "access", "names somebody without a token, and nothing says who comes: set identity");
    }
    if (proxy != null && !named) {
      section.problem("identity", "lets nobody in: say in access who may view and who may operate");
    }
  }

  private void readTokens(Section tokens) {
    tokens.only(List.of("view", "operate", "view-file", "operate-file"), Later.KEYS);
    for (Role role : Role.values()) {
      String name = role.name().toLowerCase(Locale.ROOT);
      String token = token(tokens, name, name + "-file");
      if (token != null) {
        entries.add(new AccessSettings.Entry("token " + name, token, Grant.everywhere(role)));
      }
    }
  }

  private void readEntry(Section entry) {
    entry.only(List.of("who", "token", "token-file", "role", "pipelines"), Later.KEYS);
    String who = entry.require("who", Type.TEXT);
    Role role = entry.require("role", ROLE);
    Set<String> pipelines = Set.copyOf(texts(entry, "pipelines", Type.TEXT));
    // The key with nothing after it must not be taken for no key: that grants every pipeline.
    if (entry.value("pipelines") != null && pipelines.isEmpty()) {
      entry.problem("pipelines", "names none; leave it out for every pipeline");
    }
    String token = token(entry, "token", "token-file");
    if (who != null && role != null) {
      entries.add(new AccessSettings.Entry(who, token, new Grant(role, pipelines)));
    }
  }

  /** A token, best by a reference such as ${VIEW_TOKEN}, or the first line of a file. */
  private @Nullable String token(Section at, String key, String fileKey) {
    if (at.has(key) && at.has(fileKey)) {
      at.problem(fileKey, "and " + key + " exclude each other; keep one");
      return null;
    }
    String file = at.get(fileKey, Type.TEXT);
    String token = file == null ? at.get(key, Type.TEXT) : firstLine(at, fileKey, file);
    if (token != null && token.length() < SHORTEST_TOKEN && !isLoopback(address)) {
      at.problem(
          file == null ? key : fileKey,
          "has "
              + token.length()
              + " characters; on an address that others can reach a token must have at least "
              + SHORTEST_TOKEN
              + ", such as those of `openssl rand -hex 32`");
    }
    return token;
  }

  private @Nullable String firstLine(Section at, String key, String file) {
    try {
      return Files.readString(folder.resolve(file)).lines().findFirst().orElse("").trim();
    } catch (IOException e) {
      at.problem(key, "'" + file + "' cannot be read: " + e);
      return null;
    }
  }

  private static AccessSettings.@Nullable Proxy proxy(Section identity) {
    identity.only(List.of("header", "from"), Later.KEYS);
    String header = identity.require("header", Type.TEXT);
    Set<InetAddress> from = Set.copyOf(texts(identity, "from", PROXY));
    if (from.isEmpty()) {
      identity.problem(
          "from", "must list the addresses of the proxy: from any other the header means nothing");
    }
    return header == null || from.isEmpty() ? null : new AccessSettings.Proxy(header, from);
  }

  private static <T> List<T> texts(Section section, String key, Type<T> type) {
    Value value = section.value(key);
    return value == null ? List.of() : value.list(type);
  }

  private static boolean isLoopback(String address) {
    InetAddress known = numeric(address);
    return known == null ? address.equals("localhost") : known.isLoopbackAddress();
  }

  /** Without asking a name server: reading a configuration connects to nothing. */
  private static @Nullable InetAddress numeric(String text) {
    if (!NUMERIC.matcher(text).matches()) {
      return null;
    }
    try {
      return InetAddress.getByName(text);
    } catch (IOException e) {
      return null;
    }
  }
}
