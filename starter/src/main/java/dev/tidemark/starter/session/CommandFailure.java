package dev.tidemark.starter.session;

import org.jspecify.annotations.Nullable;

/** Ends a command with an exit code and a message for people. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ExitCode exit;
  private final String code;
  private final @Nullable String field;

  private CommandFailure(ExitCode exit, String code, @Nullable String field, String message) {
    super(message);
    this.exit = exit;
    this.code = code;
    this.field = field;
  }

  /** An option or argument is wrong. */
  public static CommandFailure usage(@Nullable String field, String message) {
    return new CommandFailure(ExitCode.USAGE, "usage", field, message);
  }

  /** It exists in the contract, and not yet in this version. */
  public static CommandFailure notBuilt(String what) {
    return new CommandFailure(ExitCode.USAGE, "not_built", what, what + " is not built yet");
  }

  /** Well-formed, and not allowed now. */
  public static CommandFailure refused(String message) {
    return new CommandFailure(ExitCode.REFUSED, "refused", null, message);
  }

  /** The work did not succeed. */
  public static CommandFailure failed(String message) {
    return new CommandFailure(ExitCode.FAILED, "failed", null, message);
  }

  ExitCode exit() {
    return exit;
  }

  String code() {
    return code;
  }

  @Nullable String field() {
    return field;
  }
}
