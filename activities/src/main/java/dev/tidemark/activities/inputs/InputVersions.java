package dev.tidemark.activities.inputs;

import dev.tidemark.activities.connection.BucketLocation;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.ledger.Observations;
import dev.tidemark.activities.ledger.Upstreams;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.metrics.PartitionMetrics;
import dev.tidemark.activities.store.s3.S3Listing;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.SliceSet;
import dev.tidemark.workflows.planning.InputHold;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Observes all inputs of a pipeline together. */
public final class InputVersions {
  private final Connections connections;
  private final Path baseFolder;
  private final Map<String, ChangeDetector> custom;
  private final Observations pushes;
  private final Upstreams upstreams;
  private final PartitionMetrics metrics;

  /** One whose scans nobody counts. */
  public InputVersions(
      Connections connections,
      Path baseFolder,
      Map<String, ChangeDetector> custom,
      Observations pushes,
      Upstreams upstreams) {
    this(connections, baseFolder, custom, pushes, upstreams, PartitionMetrics.NONE);
  }

  /**
   * @param baseFolder what globs are relative to: the configuration's folder
   * @param custom detectors bound in Java, by the name that the definition gives them
   * @param pushes where pushed versions are read from
   * @param upstreams where the commits of other pipelines are read from
   * @param metrics what counts the scans
   */
  public InputVersions(
      Connections connections,
      Path baseFolder,
      Map<String, ChangeDetector> custom,
      Observations pushes,
      Upstreams upstreams,
      PartitionMetrics metrics) {
    this.connections = connections;
    this.baseFolder = baseFolder;
    this.custom = Map.copyOf(custom);
    this.pushes = pushes;
    this.upstreams = upstreams;
    this.metrics = metrics;
  }

  /**
   * When an observation is made.
   *
   * @param now the logical time
   * @param clock the database's clock, before anything is read
   */
  public record AsOf(Instant now, Instant clock) {}

  /**
   * The versions of every partition in the range, from one scan of each input.
   *
   * @throws DetectorException if one input cannot tell; nothing is known then
   */
  public Observed observe(RegisteredPipeline pipeline, ChangeDetector.Range range, AsOf at)
      throws DetectorException {
    boolean readable = false;
    try {
      Observed observed = scanAll(pipeline, range, at);
      readable = true;
      return observed;
    } finally {
      metrics.scanned(pipeline.name(), readable);
    }
  }

  private Observed scanAll(RegisteredPipeline pipeline, ChangeDetector.Range range, AsOf at)
      throws DetectorException {
    List<FoundVersions> inputs = new ArrayList<>();
    for (InputSpec input : pipeline.definition().inputs()) {
      if (!(input instanceof InputSpec.Upstream)) {
        inputs.add(scan(pipeline, input, range));
      }
    }
    UpstreamInputs fromOthers =
        new UpstreamScan(upstreams, at).inputsOf(pipeline, range.from(), range.to());
    return new ObservedInputs(range.partitions(), inputs, fromOthers);
  }

  private FoundVersions scan(
      RegisteredPipeline pipeline, InputSpec input, ChangeDetector.Range range)
      throws DetectorException {
    FoundVersions found = new FoundVersions(isRequired(input));
    try {
      detector(pipeline, input).scan(range, found::add);
      return found;
    } catch (DetectorException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DetectorException("the scan of " + describe(input) + " was interrupted", e);
    } catch (Exception e) {
      throw new DetectorException(
          "cannot tell the versions of " + describe(input) + ": " + e.getMessage(), e);
    }
  }

  private ChangeDetector detector(RegisteredPipeline pipeline, InputSpec input)
      throws DetectorException {
    if (input instanceof InputSpec.Files files) {
      Optional<BucketLocation> bucket = BucketLocation.of(files.glob());
      return bucket.isPresent()
          ? new ObjectsDetector(
              new S3Listing(connections.bucket(bucket.get().connection())), bucket.get().prefix())
          : new FilesDetector(baseFolder, files.glob());
    }
    if (input instanceof InputSpec.Sql sql) {
      return new SqlDetector(
          connections.database(sql.connection()), sql.sql(), dimensions(pipeline.definition()));
    }
    if (input instanceof InputSpec.Push) {
      return (range, found) -> scanPushes(pipeline, range, found);
    }
    String name = ((InputSpec.Custom) input).name();
    ChangeDetector detector = custom.get(name);
    if (detector == null) {
      throw new DetectorException(
          "this worker has no change detector '"
              + name
              + "'; it has "
              + new TreeSet<>(custom.keySet()));
    }
    return new BoundedDetector(detector, BoundedDetector.MOST);
  }

  private void scanPushes(
      RegisteredPipeline pipeline,
      ChangeDetector.Range range,
      Consumer<ChangeDetector.Found> found) {
    Partitioning partitions = range.partitions();
    try (Stream<Observations.Seen> pushed = pushes.pushed(pipeline)) {
      pushed.forEach(
          seen -> {
            Window window = partitions.parse(seen.partition());
            boolean inRange =
                !window.start().isBefore(range.from()) && window.start().isBefore(range.to());
            if (inRange && seen.version() != null) {
              found.accept(
                  new ChangeDetector.Found(seen.partition(), seen.slice(), seen.version()));
            }
          });
    }
  }

  /** The dimensions of the slices, or empty where only a query knows them. */
  private static Optional<SortedSet<String>> dimensions(PipelineDefinition definition) {
    SortedSet<String> dimensions = new TreeSet<>();
    for (SliceSet set : definition.extent().slices()) {
      if (!(set instanceof SliceSet.Product product)) {
        return Optional.empty();
      }
      dimensions.addAll(product.values().keySet());
    }
    return Optional.of(dimensions);
  }

  private static boolean isRequired(InputSpec input) {
    if (input instanceof InputSpec.Files files) {
      return !files.allowEmpty();
    }
    if (input instanceof InputSpec.Sql sql) {
      return !sql.allowEmpty();
    }
    if (input instanceof InputSpec.Custom detector) {
      return !detector.allowEmpty();
    }
    // A push says that something changed; it never holds a partition back.
    return false;
  }

  private static String describe(InputSpec input) {
    if (input instanceof InputSpec.Files files) {
      return "the files '" + files.glob() + "'";
    }
    if (input instanceof InputSpec.Sql sql) {
      return "the query on connection '" + sql.connection() + "'";
    }
    if (input instanceof InputSpec.Custom detector) {
      return "the detector '" + detector.name() + "'";
    }
    return "pushes";
  }

  /** All inputs together; what other pipelines committed comes last, so that it can be told. */
  private record ObservedInputs(
      Partitioning partitions, List<FoundVersions> inputs, UpstreamInputs fromOthers)
      implements Observed {
    private static final int READABLE = 100;

    @Override
    public @Nullable String version(String partition, Slice slice) {
      if ((inputs.isEmpty() && fromOthers.isEmpty()) || !ready(partition, slice)) {
        return null;
      }
      List<String> versions = new ArrayList<>();
      inputs.forEach(input -> versions.add(input.version(partition, slice)));
      String together = String.join(" + ", versions);
      String readable = together.length() <= READABLE ? together : Fingerprint.of(together);
      return fromOthers.isEmpty()
          ? readable
          : fromOthers.appendTo(readable, partitions.parse(partition), slice);
    }

    @Override
    public @Nullable InputHold hold(String partition, Slice slice) {
      return inputs.stream().allMatch(input -> input.ready(partition, slice))
          ? fromOthers.isEmpty() ? null : fromOthers.hold(partitions.parse(partition), slice)
          : InputHold.NO_INPUT;
    }
  }
}
