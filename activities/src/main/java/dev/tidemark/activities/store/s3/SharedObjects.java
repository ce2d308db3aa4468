package dev.tidemark.activities.store.s3;

import dev.tidemark.activities.store.StagingArea;
import dev.tidemark.activities.store.StagingId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * What a task in another process leaves for its attempt: plain objects below {@code _staging},
 * where no reader looks. They are read once, for their digests, and sent again as uploads: so they
 * are published as every other output is.
 */
final class SharedObjects {
  private static final String STAGING = "_staging/";

  private final S3Calls calls;
  private final Keys keys;
  private final Contents contents;
  private final StagingId id;

  SharedObjects(S3Calls calls, Keys keys, Contents contents, StagingId id) {
    this.calls = calls;
    this.keys = keys;
    this.contents = contents;
    this.id = id;
  }

  /** Whether an object is none of the outputs. */
  static boolean isStaged(String name) {
    return name.startsWith(STAGING) || name.contains("/" + STAGING);
  }

  /** Ends with a slash: a task appends its files' names. */
  String address() {
    return keys.address(prefix());
  }

  private String prefix() {
    return id.area().folder() + "/" + id.name() + "/";
  }

  /** Brings them into a local folder; one below a folder of its own as that folder, empty. */
  void fetch(Path folder) throws IOException {
    for (String name : names(calls, keys, prefix(), object -> true)) {
      String file = name.substring(prefix().length());
      int slash = file.indexOf('/');
      if (slash > 0) {
        Files.createDirectories(folder.resolve(file.substring(0, slash)));
      } else if (!file.isEmpty()) {
        try (InputStream content = contents.open(name)) {
          Files.copy(content, folder.resolve(file));
        }
      }
    }
  }

  /** Takes away those of this attempt, and of earlier ones at the same partition. */
  void remove() throws IOException {
    String area = id.area().folder() + "/";
    for (String name : names(calls, keys, area + id.partition() + "-", object -> true)) {
      String folder = name.substring(area.length(), name.indexOf('/', area.length()));
      if (folder.equals(id.name()) || id.isEarlier(folder)) {
        delete(calls, keys, name);
      }
    }
  }

  /** Takes away those of an area that were written before {@code oldest}; returns how many. */
  static int removeOlder(S3Calls calls, Keys keys, StagingArea area, Instant oldest)
      throws IOException {
    List<String> old =
        names(calls, keys, area.folder() + "/", object -> object.lastModified().isBefore(oldest));
    for (String name : old) {
      delete(calls, keys, name);
    }
    return old.size();
  }

  private static List<String> names(
      S3Calls calls, Keys keys, String prefix, Predicate<S3Object> which) throws IOException {
    List<String> names = new ArrayList<>();
    new S3Listing(calls, keys.bucket())
        .walk(
            keys.ofPrefix(prefix),
            null,
            object -> {
              if (which.test(object)) {
                names.add(keys.name(object.key()));
              }
              return true;
            });
    return names;
  }

  // By its key as listed: a foreign hand may have written one that no name of ours has.
  private static void delete(S3Calls calls, Keys keys, String name) throws IOException {
    calls.call(
        "delete",
        keys.address(name),
        s3 -> s3.deleteObject(delete -> delete.bucket(keys.bucket()).key(keys.prefix() + name)));
  }
}
