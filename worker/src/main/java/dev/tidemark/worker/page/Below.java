package dev.tidemark.worker.page;

import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.PastRuns;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.planning.Cascades;
import dev.tidemark.activities.planning.Explanation;
import dev.tidemark.activities.planning.SliceSets;
import dev.tidemark.worker.access.Caller;
import dev.tidemark.worker.access.Role;
import dev.tidemark.workflows.partition.Window;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What reads the outputs of a pipeline, and becomes late by them (C24), as far as the caller may
 * view it.
 */
record Below(DataSource ledger, SliceSets slices, Pipelines pipelines) {

  /**
   * Windows of a pipeline below; both labels inclusive.
   *
   * @param slice of the dimensions that were chosen by, those that it has
   */
  record Reader(String pipeline, String first, String last, Map<String, String> slice) {}

  /**
   * All that a range reaches, through every pipeline below, in the order of the dependencies.
   *
   * @param chosen the slices, null for all
   */
  List<Reader> reach(
      Caller caller,
      RegisteredPipeline pipeline,
      Window from,
      Window to,
      @Nullable Map<String, String> chosen)
      throws SQLException {
    Cascades cascades = cascades();
    List<Reader> readers = new ArrayList<>();
    for (Cascades.Reached reached :
        cascades.reach(pipeline, from, to, new LedgerReader(ledger).now())) {
      String name = reached.pipeline().name();
      if (caller.may(Role.VIEW, name)) {
        cascades
            .narrowed(reached.pipeline(), chosen)
            .map(
                slice ->
                    new Reader(name, reached.from().label(), reached.to().label(), slice.values()))
            .ifPresent(readers::add);
      }
    }
    return readers;
  }

  /** What reads one window, one step down. */
  List<Explanation.Dependent> dependents(
      Caller caller, RegisteredPipeline pipeline, Window window) {
    return cascades().dependents(pipeline, window).stream()
        .filter(dependent -> caller.may(Role.VIEW, dependent.pipeline()))
        .toList();
  }

  /** Anew each time: pipelines come and go while the page is up. */
  private Cascades cascades() {
    return new Cascades(new LedgerReader(ledger), slices, new PastRuns(ledger), pipelines.all());
  }
}
