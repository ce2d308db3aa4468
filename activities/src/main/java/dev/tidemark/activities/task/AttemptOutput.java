package dev.tidemark.activities.task;

import dev.tidemark.activities.connection.NoDestinationException;
import dev.tidemark.activities.connection.Outage;
import dev.tidemark.activities.connection.UnknownConnectionException;
import dev.tidemark.activities.ledger.attempt.Attempts.Committed;
import dev.tidemark.activities.ledger.attempt.Attempts.FailureKind;
import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.activities.metrics.Trouble;
import dev.tidemark.activities.publish.Contents;
import dev.tidemark.activities.publish.OutrankedException;
import dev.tidemark.activities.publish.Publication;
import dev.tidemark.activities.publish.Publication.EarlierCommit;
import dev.tidemark.activities.publish.Publisher;
import dev.tidemark.activities.publish.RefusedOutputException;
import dev.tidemark.activities.publish.SupersededException;
import dev.tidemark.activities.store.StoreException;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.OutputSpec;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An attempt's output folder, and what becomes of it: published where the pipeline has an output,
 * else thrown away, since the task itself owns what it makes.
 */
final class AttemptOutput implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AttemptOutput.class);

  private final @Nullable Publication publication;
  private final ScratchFolder scratch = new ScratchFolder();

  private AttemptOutput(@Nullable Publication publication) {
    this.publication = publication;
  }

  static AttemptOutput open(Publisher publisher, Begun begun) throws AttemptFailedException {
    OutputSpec output = begun.pipeline().definition().output();
    try {
      return new AttemptOutput(output == null ? null : publisher.open(begun, output));
    } catch (NoDestinationException e) {
      throw new AttemptFailedException(
          e.isOutage() ? FailureKind.NOT_READY : FailureKind.NO_DESTINATION, Texts.describe(e), e);
    } catch (UnknownConnectionException e) {
      throw new AttemptFailedException(FailureKind.NOT_READY, Texts.describe(e), e);
    } catch (IllegalArgumentException e) {
      throw new AttemptFailedException(FailureKind.ERROR, Texts.describe(e), e);
    }
  }

  /** The attempt's slice, as its output has it. */
  Slice slice(Begun begun) {
    return publication == null ? begun.slice() : publication.slice();
  }

  /** The task's folder, made at the first call. */
  Path folder() throws IOException {
    return publication == null ? scratch.open() : publication.folder();
  }

  /** Where a task in another process writes its files; null where the pipeline has no output. */
  @Nullable String share() throws AttemptFailedException {
    try {
      return publication == null ? null : publication.share();
    } catch (IOException e) {
      throw storeFailed("make a place for the task's files", e);
    }
  }

  /**
   * What such a task wrote is what is published, or removed at the end.
   *
   * @param names that it says it wrote; null if it does not say
   */
  void take(@Nullable List<String> names) throws AttemptFailedException {
    if (publication == null) {
      if (names != null && !names.isEmpty()) {
        throw new AttemptFailedException(
            FailureKind.ERROR, "the task's result lists files, and the pipeline has no output");
      }
      return;
    }
    publication.take();
    try {
      if (names != null) {
        publication.expect(names);
      }
    } catch (RefusedOutputException e) {
      throw new AttemptFailedException(FailureKind.ERROR, String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw storeFailed("read what the task wrote", e);
    }
  }

  Optional<EarlierCommit> earlierCommit(@Nullable String intent) throws AttemptFailedException {
    if (publication == null || intent == null) {
      return Optional.empty();
    }
    try {
      return publication.earlierCommit(intent);
    } catch (IOException e) {
      throw storeFailed("read what an earlier attempt published", e);
    }
  }

  Committed publish(@Nullable String inputVersion, Contents contents)
      throws AttemptFailedException {
    if (publication == null) {
      return new Committed(null, null, contents.rows(), null);
    }
    try {
      return publication.publish(inputVersion, contents);
    } catch (SupersededException e) {
      throw new AttemptFailedException(FailureKind.RELEASED, String.valueOf(e.getMessage()), e)
          .because(Trouble.FENCED);
    } catch (RefusedOutputException e) {
      throw new AttemptFailedException(FailureKind.ERROR, String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw storeFailed("publish", e);
    }
  }

  static AttemptFailedException storeFailed(String what, IOException e) {
    return new AttemptFailedException(kind(e), "cannot " + what + ": " + reason(e), e)
        .because(Trouble.STORE);
  }

  // A store that cannot be used at all says nothing about the partition: nothing is spent. What it
  // refuses it refuses for ever, unless the partition or its definition changes.
  private static FailureKind kind(IOException e) {
    if (e instanceof StoreException failed) {
      return switch (failed.kind()) {
        case DENIED, ABSENT -> FailureKind.NO_DESTINATION;
        case UNREACHABLE, THROTTLED, FULL -> FailureKind.NOT_READY;
        case REFUSED -> FailureKind.ERROR;
      };
    }
    return e instanceof OutrankedException || Outage.isOutage(e)
        ? FailureKind.NOT_READY
        : FailureKind.ERROR;
  }

  private static String reason(IOException e) {
    if (e instanceof AtomicMoveNotSupportedException refused) {
      return ("'%s' cannot be moved atomically to '%s', so that a reader could see it half-written:"
              + " keep the whole output location on one file system that renames atomically, or use"
              + " layout file with commit: marker, whose readers wait for the marker")
          .formatted(refused.getFile(), refused.getOtherFile());
    }
    return Texts.describe(e);
  }

  @Override
  public void close() {
    try {
      scratch.close();
      if (publication != null) {
        publication.close();
      }
    } catch (IOException e) {
      log.warn("cannot remove a private folder; a later attempt, or the next worker, does", e);
    }
  }
}
