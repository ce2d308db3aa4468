package dev.tidemark.worker.embedded;

import io.temporal.testserver.TestServer;
import java.io.IOException;

/**
 * Temporal's Java test server in this process, for where the real one cannot be had. It runs
 * workflows, activities, signals, updates and cron; it has no schedules, no visibility, no Web UI,
 * and forgets everything at its end.
 */
final class InProcessServer {
  static final String NOTICE =
      "no Temporal server program found: using an in-process one for trials, without schedules,"
          + " Web UI and workflow lists (to have them, put 'temporal' on the PATH)";

  private InProcessServer() {}

  static TemporalServer start() throws IOException {
    int port = Ports.two()[0];
    TestServer.PortBoundTestServer server = TestServer.createPortBoundServer(port);
    return new TemporalServer(Ports.LOOPBACK + ":" + port, null, false, server::close);
  }
}
