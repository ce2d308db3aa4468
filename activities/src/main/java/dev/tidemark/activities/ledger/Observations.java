package dev.tidemark.activities.ledger;

import dev.tidemark.workflows.partition.Slice;
import java.time.Instant;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Writes down what change detectors saw. */
public final class Observations {
  private final DataSource dataSource;

  public Observations(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** The database's clock: the begin of a scan. */
  public Instant now() {
    throw new UnsupportedOperationException("to be built");
  }

  /**
   * Records versions; a row whose last observation is newer than {@code scanBegan} keeps it. A
   * version other than failed_version unparks and resets the counts.
   *
   * @return how many rows changed
   */
  public int record(RegisteredPipeline pipeline, Instant scanBegan, Stream<Seen> seen) {
    throw new UnsupportedOperationException("to be built");
  }

  /**
   * Notes that partitions' inputs changed. The versions are {@code version}, or new ones where it
   * is null.
   */
  public void push(
      RegisteredPipeline pipeline, Slice slice, String partition, @Nullable String version) {
    throw new UnsupportedOperationException("to be built");
  }

  /** The pushed versions of a pipeline in a range of window starts, by slice and partition. */
  public Stream<Seen> pushed(RegisteredPipeline pipeline) {
    throw new UnsupportedOperationException("to be built");
  }

  /**
   * What a scan saw of one partition.
   *
   * @param version null where no version is known
   * @param ready false where a required input is missing (no_input)
   */
  public record Seen(Slice slice, String partition, @Nullable String version, boolean ready) {}
}
