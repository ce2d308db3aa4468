package dev.tidemark.worker.page;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.page.ExportLedger;
import dev.tidemark.worker.http.Method;
import dev.tidemark.worker.http.Need;
import dev.tidemark.worker.http.Request;
import dev.tidemark.worker.http.Response;
import dev.tidemark.worker.http.Route;
import dev.tidemark.workflows.export.Dataset;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Datasets, formats and what each account has of them (B42). */
final class ExportRoutes {
  private final Pipelines pipelines;
  private final ExportLedger ledger;

  ExportRoutes(Pipelines pipelines, ExportLedger ledger) {
    this.pipelines = pipelines;
    this.ledger = ledger;
  }

  List<Route> routes() {
    return List.of(new Route(Method.GET, "/api/exports", Need.VIEW, this::exports));
  }

  /**
   * One dataset.
   *
   * @param table what the load scripts load into; null where there are none
   * @param meaning of a partition; null where the definition does not say
   */
  private record Export(
      String pipeline,
      @Nullable String table,
      String format,
      @Nullable String meaning,
      @Nullable String location,
      @Nullable String account,
      List<ExportLedger.Line> accounts) {}

  private record Exports(List<Export> exports) {}

  private Response exports(Request request) {
    List<Export> exports = new ArrayList<>();
    for (RegisteredPipeline pipeline : pipelines.seenBy(request)) {
      if (pipeline.definition().task() instanceof TaskSpec.Export export) {
        exports.add(view(pipeline, export));
      }
    }
    return Response.json(new Exports(exports));
  }

  private Export view(RegisteredPipeline pipeline, TaskSpec.Export export) {
    Dataset dataset = export.dataset();
    var output = pipeline.definition().output();
    return new Export(
        pipeline.name(),
        export.load() == null ? null : export.load().table(),
        code(dataset.format()),
        dataset.meaning() == null ? null : code(dataset.meaning()),
        output == null ? null : output.location(),
        pipeline.definition().extent().account(),
        ledger.lines(pipeline));
  }

  private static String code(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
