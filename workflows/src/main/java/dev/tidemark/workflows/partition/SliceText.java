package dev.tidemark.workflows.partition;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * A value of a slice as text that is safe in a path, a URL and a listing: the unreserved characters
 * of RFC 3986 stand for themselves, every other is its UTF-8 bytes as {@code %XX}. Three values
 * would not survive as a folder's name. The empty one is written as Hive writes it; {@code .} and
 * {@code ..}, and the value that is Hive's word itself, have their first character encoded.
 */
final class SliceText {
  private static final String EMPTY_VALUE = "__HIVE_DEFAULT_PARTITION__";
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private SliceText() {}

  static String encode(String value) {
    if (value.isEmpty()) {
      return EMPTY_VALUE;
    }
    boolean reserved = value.equals(".") || value.equals("..") || value.equals(EMPTY_VALUE);
    StringBuilder text = new StringBuilder(value.length());
    for (byte octet : value.getBytes(StandardCharsets.UTF_8)) {
      boolean first = text.isEmpty();
      if (isUnreserved(octet) && !(reserved && first)) {
        text.append((char) octet);
      } else {
        HEX.toHexDigits(text.append('%'), octet);
      }
    }
    return text.toString();
  }

  /** The value whose encoding this is; what no encoding can be is not always refused. */
  static String decode(String text) {
    if (text.equals(EMPTY_VALUE)) {
      return "";
    }
    ByteArrayOutputStream octets = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (character != '%') {
        octets.writeBytes(String.valueOf(character).getBytes(StandardCharsets.UTF_8));
      } else if (i + 2 < text.length()
          && HexFormat.isHexDigit(text.charAt(i + 1))
          && HexFormat.isHexDigit(text.charAt(i + 2))) {
        octets.write(HexFormat.fromHexDigits(text, i + 1, i + 3));
        i += 2;
      } else {
        throw new IllegalArgumentException(
            "slice value '" + text + "': % must be followed by two hexadecimal digits");
      }
    }
    return octets.toString(StandardCharsets.UTF_8);
  }

  static boolean isWellFormed(String value) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(value);
  }

  private static boolean isUnreserved(byte octet) {
    return (octet >= 'a' && octet <= 'z')
        || (octet >= 'A' && octet <= 'Z')
        || (octet >= '0' && octet <= '9')
        || octet == '-'
        || octet == '.'
        || octet == '_'
        || octet == '~';
  }
}
