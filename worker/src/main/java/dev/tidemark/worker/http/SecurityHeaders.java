package dev.tidemark.worker.http;

import com.sun.net.httpserver.Headers;
import java.util.Map;

/** What every answer tells the browser not to do. */
final class SecurityHeaders {
  private static final Map<String, String> VALUES =
      Map.of(
          // Own scripts, styles and images only, nothing inline, and no page may frame this one.
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src"
              + " 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "X-Frame-Options",
          "DENY",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cross-Origin-Resource-Policy",
          "same-origin");

  private SecurityHeaders() {}

  static void set(Headers headers) {
    VALUES.forEach(headers::set);
  }
}
