package dev.tidemark.worker.http;

import org.jspecify.annotations.Nullable;

/** An answer other than what was asked for. */
public final class HttpFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String code;
  private final @Nullable String field;

  /**
   * @param status of HTTP
   * @param code as in the command's errors: {@code usage}, {@code refused}, {@code unreachable}
   * @param field the parameter that is wrong, or null
   * @param message names the thing, the value, the rule and the way out
   */
  public HttpFailure(int status, String code, @Nullable String field, String message) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }

  /** The request is malformed. */
  public static HttpFailure invalid(@Nullable String field, String message) {
    return new HttpFailure(400, "usage", field, message);
  }

  /** There is no such thing. */
  public static HttpFailure notFound(String message) {
    return new HttpFailure(404, "not_found", null, message);
  }

  /** The caller is not allowed to. */
  public static HttpFailure forbidden(String message) {
    return new HttpFailure(403, "forbidden", null, message);
  }

  public int status() {
    return status;
  }

  Response response() {
    String message = getMessage();
    return Response.json(new Body(new Details(code, message == null ? "" : message, field)))
        .withStatus(status);
  }

  /** As the command prints it (contracts, section 1). */
  private record Body(Details error) {}

  private record Details(String code, String message, @Nullable String field) {}
}
