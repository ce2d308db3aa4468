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
import java.util.List;
import javax.sql.DataSource;

/**
 * What reads the outputs of a pipeline, and becomes late by them (C24), as far as the caller may
 * view it.
 */
record Below(DataSource ledger, SliceSets slices, Pipelines pipelines) {

  /** Windows of a pipeline below; both labels inclusive. */
  record Reader(String pipeline, String first, String last) {}

  /** All that a range reaches, through every pipeline below. */
  List<Reader> reach(Caller caller, RegisteredPipeline pipeline, Window from, Window to) {
    return cascades().reach(pipeline, from, to, new LedgerReader(ledger).now()).stream()
        .map(
            reached ->
                new Reader(reached.pipeline().name(), reached.from().label(), reached.to().label()))
        .filter(reader -> caller.may(Role.VIEW, reader.pipeline()))
        .toList();
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
