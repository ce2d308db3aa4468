package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.planning.PartitionFacts.Commit;
import dev.tidemark.workflows.planning.PartitionFacts.Generations;
import dev.tidemark.workflows.planning.PartitionFacts.Mark;
import dev.tidemark.workflows.planning.PartitionFacts.Trouble;
import dev.tidemark.workflows.planning.PartitionFacts.Versions;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Facts of one partition, told as a story. */
final class FactsOf {
  private final String label;
  private Slice slice = Slice.EMPTY;
  private Generations generations = new Generations(0, 0);
  private Versions versions = new Versions(null, null);
  private @Nullable String closedThrough;
  private @Nullable String definition;
  private boolean committed;
  private Trouble trouble = Trouble.NONE;
  private final Set<Mark> marks = EnumSet.of(Mark.EXPECTED);

  private FactsOf(String label) {
    this.label = label;
  }

  static FactsOf known(String label) {
    return new FactsOf(label);
  }

  /** From version a, with the present definition, when it was the newest closed window itself. */
  static FactsOf committed(String label) {
    FactsOf facts = new FactsOf(label);
    facts.committed = true;
    facts.closedThrough = label;
    facts.definition = Scenario.FINGERPRINT;
    facts.versions = new Versions("a", "a");
    return facts;
  }

  FactsOf of(Slice of) {
    slice = of;
    return this;
  }

  FactsOf asked() {
    generations = new Generations(1, 0);
    return this;
  }

  FactsOf input(@Nullable String version) {
    versions = new Versions(version, versions.processed());
    return this;
  }

  FactsOf seen(String at) {
    versions = new Versions(versions.input(), versions.processed(), Instant.parse(at));
    return this;
  }

  FactsOf when(String newestClosed) {
    closedThrough = newestClosed;
    return this;
  }

  FactsOf madeWith(String fingerprint) {
    definition = fingerprint;
    return this;
  }

  FactsOf failed(String nextAttemptAt) {
    Instant at = Instant.parse(nextAttemptAt);
    trouble = new Trouble(1, at, at);
    return this;
  }

  FactsOf failed(String nextAttemptAt, String nextAttemptNow) {
    trouble = new Trouble(1, Instant.parse(nextAttemptAt), Instant.parse(nextAttemptNow));
    return this;
  }

  FactsOf marked(Mark mark) {
    marks.add(mark);
    return this;
  }

  PartitionFacts in(Partitioning partitions) {
    Commit commit =
        committed
            ? new Commit(
                1,
                closedThrough == null ? null : partitions.parse(closedThrough).start(),
                definition)
            : null;
    return new PartitionFacts(
        slice, partitions.parse(label), generations, versions, commit, trouble, marks);
  }
}
