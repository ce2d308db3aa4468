package dev.tidemark.activities.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Invariant 10, c-B21: what is an outage spends no attempt; what is wrong for good does. */
class OutageTest {
  static List<Exception> outages() {
    return List.of(
        new SQLException("gone", "08006"),
        new SQLException("too many connections", "53300"),
        new ConnectException("Connection refused"),
        new UnknownHostException("lake.example"),
        new AccessDeniedException("out"),
        new FileSystemException("out", null, "Read-only file system"),
        new IOException("Disk quota exceeded"));
  }

  static List<Exception> errors() {
    return List.of(
        new SQLException("syntax error", "42601"),
        new AtomicMoveNotSupportedException("a", "b", "Invalid cross-device link"),
        new FileAlreadyExistsException("out"),
        new NoSuchFileException("staged/0"),
        new FileSystemException("out", null, "File name too long"),
        new IOException("more than 5000000 files to look at; narrow the glob"));
  }

  @ParameterizedTest
  @MethodSource("outages")
  void isAnOutage(Exception failure) {
    assertThat(Outage.isOutage(new IllegalStateException("cannot publish", failure))).isTrue();
  }

  @ParameterizedTest
  @MethodSource("errors")
  void isAnError(Exception failure) {
    assertThat(Outage.isOutage(new IllegalStateException("cannot publish", failure))).isFalse();
  }

  @Test
  void aFullDeviceIsKnownByWhatTheSystemSays() {
    IOException full =
        catchThrowableOfType(
            IOException.class, () -> Files.writeString(Path.of("/dev/full"), "one line"));

    assertThat(Outage.isOutage(full)).isTrue();
  }
}
