package dev.tidemark.worker.connection;

import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.Staging;
import dev.tidemark.activities.store.StagingArea;
import dev.tidemark.activities.store.StagingId;
import dev.tidemark.activities.store.StoreException;
import dev.tidemark.activities.store.StoredText;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Does with an object store all that publishing and verification will (B41), with small objects.
 */
final class StoreCheck {
  static final String KIND = "object store";
  private static final String CONTENT = "written by tidemark check-connections";
  private static final String OBJECT = "_tidemark-check-";
  private static final StagingArea AREA =
      new StagingArea(OBJECT, OBJECT, Pattern.compile(OBJECT + ".+"));

  private final OutputStore store;
  private final String object = OBJECT + UUID.randomUUID();
  private boolean written;

  private StoreCheck(OutputStore store) {
    this.store = store;
  }

  /** One thing that must work, and what is missing where it does not. */
  private record Step(String name, String done, String meaning, Action action) {}

  /** Does it, or throws. */
  @FunctionalInterface
  private interface Action {
    void run() throws IOException;
  }

  /**
   * Tries every step, also after one that is denied, so that all that is missing is said at once. A
   * store that cannot be reached is not asked again.
   *
   * @param location what is tried, for people
   */
  static Checked run(String name, String location, OutputStore store) {
    StoreCheck check = new StoreCheck(store);
    List<String> done = new ArrayList<>();
    List<String> failed = new ArrayList<>();
    for (Step step : check.steps()) {
      try {
        step.action().run();
        done.add(step.done());
      } catch (IOException e) {
        failed.add("cannot " + step.name() + ": " + e.getMessage() + meaning(step, e));
        if (verdict(e) == Checked.Verdict.UNREACHABLE) {
          return Checked.fails(
              name, KIND, location + ": " + last(failed), Checked.Verdict.UNREACHABLE);
        }
      }
    }
    if (failed.isEmpty()) {
      return Checked.works(
          name, KIND, location + ": " + String.join(", ", done) + "; " + check.guarantees());
    }
    String works = done.isEmpty() ? "nothing works" : "this works: " + String.join(", ", done);
    return Checked.fails(
        name,
        KIND,
        location + ": " + String.join("; ", failed) + "; " + works,
        Checked.Verdict.FAILS);
  }

  private static String last(List<String> failed) {
    return failed.get(failed.size() - 1);
  }

  private List<Step> steps() {
    return List.of(
        new Step(
            "write",
            "written",
            "outputs cannot be published (s3:PutObject, s3:AbortMultipartUpload)",
            this::write),
        new Step(
            "read back",
            "read back",
            "nothing that is published can be verified (s3:GetObject)",
            this::readBack),
        new Step("list", "listed", "what is lost cannot be noticed (s3:ListBucket)", this::list),
        new Step(
            "list uploads",
            "uploads listed",
            "what killed attempts leave stays, and is paid for (s3:ListBucketMultipartUploads)",
            this::listUploads),
        new Step(
            "delete",
            "deleted",
            "nothing can be published a second time (s3:DeleteObject)",
            this::delete));
  }

  private void write() throws IOException {
    try (Staging staging = store.stage(new StagingId(AREA, "check", 0))) {
      staging.add(CONTENT, object);
      if (!staging.promoteIfAbsent(object)) {
        throw new IOException(store.address(object) + " is there already");
      }
    }
    written = true;
  }

  /** What could not be written is asked for all the same: whether one may is what counts. */
  private void readBack() throws IOException {
    Optional<String> read = store.read(object).map(StoredText::text);
    if (written && !read.equals(Optional.of(CONTENT))) {
      throw new IOException(store.address(object) + " does not hold what was written to it");
    }
  }

  private void list() throws IOException {
    List<String> listed = new ArrayList<>();
    store.walk(object, null, found -> listed.add(found.name()));
    if (written && !listed.equals(List.of(object))) {
      throw new IOException(store.address(object) + " was written, and is not listed");
    }
  }

  private void listUploads() throws IOException {
    store.removeAbandoned(AREA, Duration.ofDays(1));
  }

  private void delete() throws IOException {
    store.delete(object);
    if (written && isThere()) {
      throw new IOException(store.address(object) + " was deleted, and is still there");
    }
  }

  /** Where one may not read, that it is gone has to be believed. */
  private boolean isThere() {
    try {
      return store.read(object).isPresent();
    } catch (IOException saidBefore) {
      return false;
    }
  }

  private String guarantees() {
    try {
      return store.guarantees().describe();
    } catch (IOException e) {
      return "which conditions it honours could not be found out: " + e.getMessage();
    }
  }

  /** Where the store could be reached, the step itself is what does not work. */
  private static String meaning(Step step, IOException failure) {
    return verdict(failure) == Checked.Verdict.UNREACHABLE ? "" : "; without it " + step.meaning();
  }

  private static Checked.Verdict verdict(IOException failure) {
    if (failure instanceof StoreException store) {
      return switch (store.kind()) {
        case UNREACHABLE, ABSENT, THROTTLED -> Checked.Verdict.UNREACHABLE;
        case DENIED, FULL, REFUSED -> Checked.Verdict.FAILS;
      };
    }
    return Checked.Verdict.FAILS;
  }
}
