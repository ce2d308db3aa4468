package dev.tidemark.activities.inputs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A detector of somebody's own, which may hang: it is given up after a while, and what it had found
 * by then is not used, since half an answer would look like inputs that are gone.
 */
final class BoundedDetector implements ChangeDetector {
  static final Duration MOST = Duration.ofMinutes(5);

  private final ChangeDetector detector;
  private final Duration most;

  /**
   * @param most that a scan may take
   */
  BoundedDetector(ChangeDetector detector, Duration most) {
    this.detector = detector;
    this.most = most;
  }

  @Override
  public void scan(Range range, Consumer<Found> found) throws Exception {
    List<Found> all = new ArrayList<>();
    FutureTask<Boolean> scan =
        new FutureTask<>(
            () -> {
              detector.scan(range, all::add);
              return true;
            });
    Thread thread = new Thread(scan, "tidemark-detector-" + range.pipeline());
    thread.setDaemon(true);
    thread.start();
    try {
      scan.get(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new DetectorException(
          "the detector of " + range.pipeline() + " did not answer within " + most, e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } finally {
      // Interrupts it where it still runs.
      scan.cancel(true);
    }
    all.forEach(found);
  }
}
