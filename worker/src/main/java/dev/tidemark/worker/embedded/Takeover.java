package dev.tidemark.worker.embedded;

import dev.tidemark.worker.embedded.ServicesFile.Published;
import java.io.IOException;
import java.nio.channels.FileLock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Decides who owns the embedded services beside a configuration. A {@code dev} that is up is
 * attached to; another command is waited for; a dead owner's processes are ended.
 */
final class Takeover {
  private static final Duration WAIT = Duration.ofSeconds(60);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

  private final StateFolder state;
  private final Closing closing;
  private final Consumer<String> notices;

  Takeover(StateFolder state, Closing closing, Consumer<String> notices) {
    this.state = state;
    this.closing = closing;
    this.notices = notices;
  }

  /**
   * Takes the lock, or finds the {@code dev} that holds it.
   *
   * @return where that dev's services are; empty if the lock is ours
   * @throws ServiceUnavailableException if somebody holds it for too long, or there are two devs
   */
  Optional<Published> lockOrAttach(ServicesRequest request)
      throws IOException, ServiceUnavailableException {
    long giveUp = System.nanoTime() + WAIT.toNanos();
    boolean told = false;
    while (true) {
      Optional<FileLock> lock = state.tryLock();
      if (lock.isPresent()) {
        takeOver(lock.get());
        return Optional.empty();
      }
      Optional<ServicesFile> holder = state.read();
      // A new holder may not have replaced a dead one's file yet.
      Optional<Published> running =
          holder.filter(file -> file.owner().find().isPresent()).map(ServicesFile::published);
      if (running.isPresent() && request.stays()) {
        throw new ServiceUnavailableException(
            "`tidemark dev` already runs for this configuration (process " + pid(holder) + ")");
      }
      if (running.isPresent()) {
        return running;
      }
      if (System.nanoTime() - giveUp > 0) {
        throw new ServiceUnavailableException(
            "another tidemark command (process "
                + pid(holder)
                + ") has used the embedded services here for more than "
                + WAIT.toSeconds()
                + " s: wait for it, or end it");
      }
      if (!told) {
        notices.accept("waiting for another tidemark command here to end ...");
        told = true;
      }
      pause();
    }
  }

  private static String pid(Optional<ServicesFile> holder) {
    return holder.map(file -> String.valueOf(file.owner().pid())).orElse("unknown");
  }

  /** The lock is ours: whoever owned the services before is gone, its processes may not be. */
  private void takeOver(FileLock lock) throws IOException {
    closing.add(() -> lock.channel().close());
    Optional<ServicesFile> dead = state.read();
    if (dead.isPresent()) {
      notices.accept("ending what a killed tidemark command left running");
      dead.get().processes().forEach(ServiceProcess::end);
    }
    state.own();
    closing.add(state::disown);
  }

  private static void pause() throws ServiceUnavailableException {
    try {
      TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServiceUnavailableException("interrupted while waiting for the lock", e);
    }
  }
}
