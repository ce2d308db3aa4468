package dev.tidemark.starter.sweep;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.planning.Plans.Grounds;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.payload.Payloads;
import dev.tidemark.workflows.planning.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A plan in a file, to be applied later: what would run, and what that was decided by.
 *
 * @param now the logical time that it was made for
 */
public record SavedPlan(
    @JsonProperty("format_version") int formatVersion,
    @JsonProperty("pipeline") String pipeline,
    @JsonProperty("revision") int revision,
    @JsonProperty("fingerprint") String fingerprint,
    @JsonProperty("now") Instant now,
    @JsonProperty("partitions") List<Line> partitions) {
  private static final int FORMAT = 1;
  private static final int SHOWN = 5;

  /**
   * One partition that would run.
   *
   * @param inputVersion the version of its inputs, null where unknown
   * @param committed token of its last commit, null if there is none
   */
  public record Line(
      @JsonProperty("partition") String partition,
      @JsonProperty("slice") Map<String, String> slice,
      @JsonProperty("reason") String reason,
      @JsonProperty("input_version") @Nullable String inputVersion,
      @JsonProperty("committed") @Nullable Long committed) {
    static Line of(Grounds grounds) {
      return new Line(
          grounds.partition().window().label(),
          grounds.partition().slice().values(),
          grounds.partition().reason().code(),
          grounds.inputVersion(),
          grounds.committed());
    }

    private String name() {
      String canonical = Slice.of(slice).canonical();
      return canonical.isEmpty() ? partition : partition + " " + canonical;
    }
  }

  static SavedPlan of(RegisteredPipeline pipeline, Plan plan, List<Grounds> grounds) {
    return new SavedPlan(
        FORMAT,
        pipeline.name(),
        pipeline.revision(),
        pipeline.fingerprint(),
        plan.now(),
        grounds.stream().map(Line::of).toList());
  }

  /** A usage error where no file can be written, before anything is worked out for it. */
  static void requireWritable(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file) || folder == null || !Files.isWritable(folder)) {
      throw CommandFailure.usage(
          "--save", "--save " + file + " cannot be written: name a file in a folder that is there");
    }
  }

  void write(Path file) throws IOException {
    Files.writeString(
        file, Payloads.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(this) + "\n");
  }

  /** The plan in the file; a usage error where there is none. */
  public static SavedPlan read(Path file) {
    try {
      SavedPlan plan = Payloads.mapper().readValue(Files.readString(file), SavedPlan.class);
      if (plan == null || !plan.isWhole()) {
        throw CommandFailure.usage(
            "--plan", "--plan " + file + " is no plan of this version; save it with plan --save");
      }
      return plan;
    } catch (JsonProcessingException e) {
      throw CommandFailure.usage(
          "--plan", "--plan " + file + " is no saved plan: " + e.getOriginalMessage());
    } catch (NoSuchFileException e) {
      throw CommandFailure.usage("--plan", "--plan " + file + ": there is no such file");
    } catch (IOException e) {
      throw CommandFailure.usage("--plan", "--plan " + file + " cannot be read: " + e.getMessage());
    }
  }

  /** Whether nothing of what {@link #write} writes is missing: people edit files. */
  private boolean isWhole() {
    return formatVersion == FORMAT
        && pipeline != null
        && now != null
        && partitions != null
        && partitions.stream()
            .allMatch(line -> line != null && line.partition != null && line.slice != null);
  }

  /** Its windows, oldest first. */
  public TreeSet<Window> windows(Partitioning calendar) {
    TreeSet<Window> windows = new TreeSet<>();
    try {
      partitions.forEach(line -> windows.add(calendar.parse(line.partition())));
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage("--plan", "--plan: " + e.getMessage());
    }
    return windows;
  }

  /** The request that applies it: exactly its partitions. */
  public BackfillRequest apply(BackfillRequest all) {
    return all.only(
        partitions.stream()
            .map(line -> new BackfillView.Item(line.partition(), line.slice()))
            .toList());
  }

  /**
   * Refuses a plan that does not hold any more, naming what has changed.
   *
   * @param present what would run now, at least of its range
   */
  public void requireHolds(RegisteredPipeline registered, List<Grounds> present) {
    List<String> changed = new ArrayList<>();
    if (registered.revision() != revision) {
      changed.add(
          "it was made for revision %d, and %d is registered"
              .formatted(revision, registered.revision()));
    }
    Map<String, Line> now = new HashMap<>();
    present.stream().map(Line::of).forEach(line -> now.put(line.name(), line));
    for (Line line : partitions) {
      String difference = difference(line, now.get(line.name()));
      if (difference != null) {
        changed.add(line.name() + " " + difference);
      }
    }
    if (!changed.isEmpty()) {
      int more = changed.size() - SHOWN;
      throw CommandFailure.refused(
          "the plan of %s at %s does not hold any more: %s%s; make a new one"
              .formatted(
                  pipeline,
                  now(),
                  String.join("; ", changed.subList(0, Math.min(SHOWN, changed.size()))),
                  more > 0 ? "; and " + more + " more" : ""));
    }
  }

  private static @Nullable String difference(Line planned, @Nullable Line present) {
    if (present == null) {
      return "is not due any more";
    }
    if (!Objects.equals(planned.committed, present.committed)) {
      return "was committed since";
    }
    if (!Objects.equals(planned.inputVersion, present.inputVersion)) {
      return "has the input version '%s' now, and '%s' was planned"
          .formatted(present.inputVersion, planned.inputVersion);
    }
    return null;
  }
}
