package dev.tidemark.activities.connection;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells what cannot be reached or used from what refuses what it is asked. */
public final class Outage {
  /**
   * What the operating system says of a full, broken or vanished file system. Java gives no code
   * with it; where the C library speaks another language, such a failure counts as an error.
   */
  private static final Set<String> OF_FILE_SYSTEM =
      Set.of(
          "No space left on device",
          "Disk quota exceeded",
          "Read-only file system",
          "Operation not permitted",
          "Input/output error",
          "Stale file handle",
          "Transport endpoint is not connected",
          "Host is down",
          "Too many open files");

  private Outage() {}

  /**
   * Whether the failure, or what caused it, is that of a connection (SQLState class 08, 53, 57P),
   * of a network, or of a file system that is full, gone or not permitted: waiting may help, and no
   * attempt should be spent on it (invariant 10; c-B21).
   */
  public static boolean isOutage(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLTransientConnectionException
          || cause instanceof AccessDeniedException
          || cause instanceof SocketException
          || cause instanceof SocketTimeoutException
          || cause instanceof UnknownHostException
          || (cause instanceof IOException io && OF_FILE_SYSTEM.contains(reason(io)))) {
        return true;
      }
      if (cause instanceof SQLException e && e.getSQLState() != null) {
        String state = e.getSQLState();
        return state.startsWith("08") || state.startsWith("53") || state.startsWith("57P");
      }
    }
    return false;
  }

  private static String reason(IOException failure) {
    String reason =
        failure instanceof FileSystemException file ? file.getReason() : failure.getMessage();
    return reason == null ? "" : reason;
  }
}
