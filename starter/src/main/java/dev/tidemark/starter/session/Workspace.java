package dev.tidemark.starter.session;

import dev.tidemark.starter.output.Console;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.configuration.ConfigurationException;
import dev.tidemark.worker.configuration.ConfigurationLoader;
import dev.tidemark.worker.embedded.ServiceUnavailableException;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.worker.embedded.ServicesRequest;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.time.Clock;
import java.util.Map;

/** What every command is given: its configuration, its output, the time, and a way to services. */
public final class Workspace {
  private final Console console;
  private final ConfigOption config;
  private final Clock clock;
  private final Map<String, String> environment;

  /**
   * @param clock for what is checked before the ledger, whose own clock decides, is opened
   */
  public Workspace(
      Console console, ConfigOption config, Clock clock, Map<String, String> environment) {
    this.console = console;
    this.config = config;
    this.clock = clock;
    this.environment = Map.copyOf(environment);
  }

  /** The same, for another configuration. */
  public Workspace with(ConfigOption other) {
    return new Workspace(console, other, clock, environment);
  }

  public Console console() {
    return console;
  }

  public Clock clock() {
    return clock;
  }

  /**
   * The configuration; connects to nothing.
   *
   * @throws ConfigurationException with every problem, if there is one
   */
  public Configuration configuration() throws ConfigurationException {
    return new ConfigurationLoader(environment).load(config.file());
  }

  /** The pipeline that a command names, from the configuration. */
  public static PipelineDefinition pipeline(Configuration configuration, String name) {
    return configuration
        .pipeline(name)
        .orElseThrow(
            () ->
                CommandFailure.usage(
                    "PIPELINE",
                    "no pipeline '"
                        + name
                        + "' in "
                        + configuration.file().getFileName()
                        + "; it has "
                        + configuration.pipelines().stream()
                            .map(PipelineDefinition::name)
                            .toList()));
  }

  /** Opens what a command needs; it is closed with the session. */
  public Session open(Configuration configuration, Services.Need need)
      throws ServiceUnavailableException {
    return open(configuration, ServicesRequest.of(need));
  }

  /** The same, with more to say than what is needed. */
  public Session open(Configuration configuration, ServicesRequest request)
      throws ServiceUnavailableException {
    return new Session(
        configuration, Services.open(configuration, request, console::notice), request, console);
  }

  /**
   * Opens the ledger, and Temporal too where both outlive this command: configured ones, or those
   * of a running {@code dev}. See {@link Session#isStanding()}.
   */
  public Session openStanding(Configuration configuration) throws ServiceUnavailableException {
    if (!configuration.temporal().isConfigured()) {
      Session ledger = open(configuration, Services.Need.LEDGER);
      if (ledger.services().ownsWorker()) {
        return ledger;
      }
      ledger.close();
    }
    return open(configuration, Services.Need.LEDGER_AND_TEMPORAL);
  }

  /**
   * The same, and refuses where they do not outlive this command.
   *
   * @param otherwise what is wrong then
   */
  public Session requireStanding(Configuration configuration, String otherwise)
      throws ServiceUnavailableException {
    Session session = openStanding(configuration);
    if (!session.isStanding()) {
      session.close();
      throw CommandFailure.refused(
          otherwise
              + ": no Temporal and ledger are configured, and no `tidemark dev` runs beside "
              + configuration.file());
    }
    return session;
  }
}
