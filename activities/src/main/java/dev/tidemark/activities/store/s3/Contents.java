package dev.tidemark.activities.store.s3;

import dev.tidemark.activities.store.StoreException;
import dev.tidemark.activities.store.StoredText;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Reads objects, each whole or not at all: a connection that breaks is never the end of one. */
final class Contents {
  private static final long MAX_TEXT_BYTES = 64L * 1024 * 1024;

  /** The SDK repeats the call, and not the reading of its answer. */
  private static final int ATTEMPTS = 3;

  private final S3Calls calls;
  private final Keys keys;

  Contents(S3Calls calls, Keys keys) {
    this.calls = calls;
    this.keys = keys;
  }

  /** The content, or {@link NoSuchFileException}; the caller closes it. */
  InputStream open(String name) throws IOException {
    ResponseInputStream<GetObjectResponse> content =
        get(name).orElseThrow(() -> new NoSuchFileException(keys.address(name)));
    return new WholeContent(content, content.response().contentLength(), keys.address(name));
  }

  /** A small text with its ETag as version, or empty if there is no such object. */
  Optional<StoredText> text(String name) throws IOException {
    for (int attempt = 1; ; attempt++) {
      Optional<ResponseInputStream<GetObjectResponse>> found = get(name);
      if (found.isEmpty()) {
        return Optional.empty();
      }
      try (ResponseInputStream<GetObjectResponse> content = found.get()) {
        return Optional.of(text(name, content));
      } catch (EOFException e) {
        if (attempt == ATTEMPTS) {
          throw new StoreException(
              StoreException.Kind.UNREACHABLE,
              "cannot read " + keys.address(name) + ": " + e.getMessage(),
              e);
        }
      }
    }
  }

  private StoredText text(String name, ResponseInputStream<GetObjectResponse> content)
      throws IOException {
    long length = content.response().contentLength();
    if (length > MAX_TEXT_BYTES) {
      content.abort();
      throw new IOException(
          keys.address(name) + " is larger than the " + MAX_TEXT_BYTES + " bytes of a marker");
    }
    byte[] bytes = new WholeContent(content, length, keys.address(name)).readAllBytes();
    return new StoredText(new String(bytes, StandardCharsets.UTF_8), content.response().eTag());
  }

  private Optional<ResponseInputStream<GetObjectResponse>> get(String name) throws IOException {
    String key = keys.of(name);
    return calls.call(
        "read",
        keys.address(name),
        s3 -> {
          try {
            return Optional.of(s3.getObject(get -> get.bucket(keys.bucket()).key(key)));
          } catch (S3Exception e) {
            if (S3Failure.isAbsent(e)) {
              return Optional.empty();
            }
            throw e;
          }
        });
  }
}
