package dev.tidemark.starter.demo;

import dev.tidemark.worker.embedded.Services;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What the demo says in the end: what happened, and where to look. */
final class DemoText {
  private DemoText() {}

  /**
   * The text.
   *
   * @param page its address where the services stay up; null where they end now
   */
  static String of(DemoReport report, Services services, @Nullable String page) {
    Path manifest =
        report.folder().resolve("out/daily-weather/dt=" + Demo.CORRECTED + "/_manifest.json");
    return """

        What happened
          caught up     %,d days, none of them before it was closed
          late          %s: its file changed, so it alone was made again; %,d others were not touched
          backfilled    %d days of June 2013, asked for by a Temporal signal

        Where to look
          outputs       %s
          a manifest    %s
          the ledger    ./tidemark --config %s status
                        ./tidemark --config %s explain daily-weather %s
          the page      %s
          Temporal      %s
        """
        .formatted(
            report.caughtUp(),
            String.join(", ", report.late()),
            report.untouched(),
            report.backfilled(),
            report.folder().resolve("out"),
            manifest,
            report.folder().resolve("tidemark.yaml"),
            report.folder().resolve("tidemark.yaml"),
            Demo.CORRECTED,
            page == null ? "`./tidemark demo --keep` leaves it up, and the servers" : page,
            temporal(services, page != null));
  }

  private static String temporal(Services services, boolean kept) {
    String ui = services.temporalUi().orElse("no Web UI: this is the in-process test server");
    return kept ? ui + " (up until Ctrl-C)" : "its Web UI too";
  }
}
