package dev.tidemark.activities.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HexFormat;

/** SHA-256, in hex. */
public final class Digests {
  private Digests() {}

  public static String sha256(String text) {
    return HexFormat.of().formatHex(Durably.sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** Reads the stream to its end; the caller closes it. */
  public static String sha256(InputStream content) throws IOException {
    MessageDigest digest = Durably.sha256();
    new DigestInputStream(content, digest).transferTo(OutputStream.nullOutputStream());
    return HexFormat.of().formatHex(digest.digest());
  }
}
