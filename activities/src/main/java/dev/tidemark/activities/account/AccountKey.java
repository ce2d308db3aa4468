package dev.tidemark.activities.account;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key of keyed hashes of accounts. It is kept in memory alone: the ledger, manifests and logs
 * know its {@link #check}.
 */
public final class AccountKey {
  /** Shorter, all keys can be tried on one account that is known. */
  public static final int LEAST = 32;

  private static final String ALGORITHM = "HmacSHA256";

  /** No account: an account's value is not empty. */
  private static final String NOBODY = "";

  private final SecretKeySpec key;

  /**
   * @param text at least {@link #LEAST} characters
   * @throws IllegalArgumentException if it is shorter; the message does not have it
   */
  public AccountKey(String text) {
    if (text.length() < LEAST) {
      throw new IllegalArgumentException(
          "is a key of %d characters, and must have at least %d; make one with: openssl rand -hex 32"
              .formatted(text.length(), LEAST));
    }
    this.key = new SecretKeySpec(text.getBytes(StandardCharsets.UTF_8), ALGORITHM);
  }

  /** What tells it from other keys, 16 hex digits; it says nothing of the key or of an account. */
  public String check() {
    return of(NOBODY).substring(0, 16);
  }

  /** What stands for an account: HMAC-SHA-256 of its UTF-8, as 64 hex digits. */
  public String of(String account) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return HexFormat.of().formatHex(mac.doFinal(account.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }

  @Override
  public String toString() {
    return "AccountKey[" + check() + "]";
  }
}
