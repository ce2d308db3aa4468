package dev.tidemark.activities.publish;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.OutputRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/**
 * Some partitions compared with the store.
 *
 * @param checked how many of them were committed, to where the present definition says
 * @param unreached where nobody could look
 */
record Comparison(int checked, List<Verdict> verdicts, Unreached unreached) {
  private static final int FEW = 16;

  /** So many may be missing at once and be believed, however few there are. */
  private static final int BELIEVED = 10;

  /**
   * Compares them. Where a store cannot say, nothing is known of what is in it.
   *
   * @param silent asked after the others, and kept up to date
   * @throws IOException if the thread is interrupted
   */
  static Comparison of(
      RegisteredPipeline pipeline,
      List<OutputRow> rows,
      OutputPlaces places,
      Judge.Depth depth,
      SilentPlaces silent)
      throws IOException {
    Map<String, List<OutputRow>> byLocation =
        rows.stream()
            .filter(OutputRow::judged)
            .collect(Collectors.groupingBy(row -> places.location(row.slice())));
    Unreached unreached = new Unreached();
    List<Verdict> verdicts = new ArrayList<>();
    for (String location : silent.last(byLocation.keySet())) {
      if (unreached.asks(location)) {
        try {
          verdicts.addAll(
              judge(pipeline, byLocation.getOrDefault(location, List.of()), places, depth));
          silent.note(location, false);
        } catch (IOException | IllegalArgumentException e) {
          if (Thread.currentThread().isInterrupted()) {
            throw e;
          }
          unreached.add(location, e);
          silent.note(location, Unreached.isSilence(e));
        }
      }
    }
    int checked =
        (int) verdicts.stream().filter(one -> one.sighting().row().commit() != null).count();
    return new Comparison(checked, verdicts, unreached);
  }

  /** What is to be done about the outputs in one store. */
  private static List<Verdict> judge(
      RegisteredPipeline pipeline, List<OutputRow> rows, OutputPlaces places, Judge.Depth depth)
      throws IOException {
    List<Sighting> sightings = OutputWalk.see(rows.stream().filter(places::holds).toList(), places);
    return judge(sightings, new Judge(pipeline, deepEnough(depth, sightings)));
  }

  /**
   * Where a store lets a marker be written over another one, it may be a zombie's: that there is
   * one, beside all the parts of the commit, does not say that it names them.
   */
  private static Judge.Depth deepEnough(Judge.Depth asked, List<Sighting> sightings)
      throws IOException {
    if (asked != Judge.Depth.NAMES) {
      return asked;
    }
    for (Sighting sighting : sightings) {
      OutputPlaces.OutputPlace place = sighting.place();
      if (place.layout().marker() != null && !place.store().guarantees().createIfAbsent()) {
        return Judge.Depth.MARKERS;
      }
    }
    return asked;
  }

  /** A marker is a round trip to an object store, so that several are read at once. */
  private static List<Verdict> judge(List<Sighting> sightings, Judge judge) throws IOException {
    if (sightings.stream().filter(judge::reads).limit(FEW).count() < FEW) {
      return judgeAll(sightings, judge);
    }
    List<Callable<List<Verdict>>> parts = new ArrayList<>();
    int size = Math.max(1, sightings.size() / (AtOnce.THREADS * 4));
    for (int from = 0; from < sightings.size(); from += size) {
      List<Sighting> part = sightings.subList(from, Math.min(sightings.size(), from + size));
      parts.add(() -> judgeAll(part, judge));
    }
    return AtOnce.ask(parts).stream().flatMap(List::stream).toList();
  }

  private static List<Verdict> judgeAll(List<Sighting> sightings, Judge judge) throws IOException {
    List<Verdict> verdicts = new ArrayList<>(sightings.size());
    for (Sighting sighting : sightings) {
      verdicts.add(judge.judge(sighting));
    }
    return verdicts;
  }

  List<Verdict> verdicts(Verdict.Kind kind) {
    return verdicts.stream().filter(verdict -> verdict.kind() == kind).toList();
  }

  /** How many were there the last time, and are not now. */
  int missing() {
    return (int) verdicts.stream().filter(Verdict::isMissing).count();
  }

  int stale() {
    return (int) verdicts.stream().filter(Verdict::isStale).count();
  }

  /** The largest token that was seen and that no commit of these has; -1 if there is none. */
  long newestUnknownToken() {
    long seen = verdicts.stream().mapToLong(v -> v.sighting().newestToken()).max().orElse(-1);
    long committed =
        verdicts.stream()
            .map(verdict -> verdict.sighting().row().commit())
            .mapToLong(commit -> commit == null ? -1 : commit.token())
            .max()
            .orElse(-1);
    return seen > committed ? seen : -1;
  }

  /** An unmounted volume and a wrong bucket look like the loss of all; who deletes, deletes few. */
  static boolean isBelievable(int missing, int checked) {
    return missing <= Math.max(BELIEVED, checked / 10);
  }
}
