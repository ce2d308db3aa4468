package dev.tidemark.starter.objects;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.tidemark.activities.index.ledger.ObjectTypes;
import dev.tidemark.starter.pipeline.Registration;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Who;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.workflows.client.ObjectsClient;
import dev.tidemark.workflows.index.ObjectsReport;
import io.temporal.client.WorkflowStub;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A build that a person waits for, and of what is to replace the index then. */
final class LiveBuild {
  /** A build that takes longer is looked after by {@code objects jobs}. */
  private static final Duration LONGEST = Duration.ofHours(12);

  private final Workspace workspace;
  private final String type;

  LiveBuild(Workspace workspace, String type) {
    this.workspace = workspace;
    this.type = type;
  }

  /** What has been done, as JSON. */
  record View(
      @JsonProperty("object_type") String objectType,
      int builds,
      int failed,
      long generation,
      boolean switched,
      @Nullable String detail) {}

  int run(boolean full) throws Exception {
    Configuration configuration = workspace.configuration();
    try (Session session = workspace.open(configuration, Services.Need.LEDGER_AND_TEMPORAL)) {
      if (configuration.ledger() == null && session.services().ownsWorker()) {
        Registration.register(session, configuration);
      }
      ObjectTypes types = new ObjectTypes(session.ledger());
      types.get(type);
      if (full) {
        types.askFull(type, Who.asks());
      }
      session.startObjectWorker();
      View view = wait(session.objectsClient());
      workspace.console().result(view, () -> text(view));
      return (view.failed() > 0 || view.detail() != null ? ExitCode.FAILED : ExitCode.DONE).code();
    }
  }

  private View wait(ObjectsClient client) {
    try {
      WorkflowStub run = client.startBuild(type, UUID.randomUUID().toString());
      ObjectsReport live = client.await(run, LONGEST);
      Integer revision = live.replacement();
      if (revision == null || live.detail() != null) {
        return view(live, live.switched());
      }
      ObjectsReport next = client.await(client.replacement(type, revision), LONGEST);
      return new View(
          type,
          live.builds() + next.builds(),
          live.failed() + next.failed(),
          Math.max(live.generation(), next.generation()),
          next.switched(),
          next.detail());
    } catch (TimeoutException e) {
      throw CommandFailure.failed(
          "the build of '%s' did not end within %s; it goes on where a worker runs"
              .formatted(type, LONGEST));
    }
  }

  private View view(ObjectsReport report, boolean switched) {
    return new View(
        type, report.builds(), report.failed(), report.generation(), switched, report.detail());
  }

  private static String text(View view) {
    StringBuilder text = new StringBuilder(view.objectType()).append(": ");
    if (view.builds() == 0 && view.failed() == 0) {
      text.append("nothing is new");
    } else {
      text.append(view.builds()).append(" built, ").append(view.failed()).append(" failed");
    }
    if (view.switched()) {
      text.append("; the replacement is served now");
    }
    return view.detail() == null
        ? text.toString()
        : text.append("; ").append(view.detail()).toString();
  }
}
