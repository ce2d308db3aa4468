package dev.tidemark.starter.pipeline;

import dev.tidemark.activities.index.ledger.ObjectDefinitions;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Who;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.process.ObjectSchedules;
import dev.tidemark.worker.process.PipelineSchedules;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.util.ArrayList;
import java.util.List;

/** Registers definitions, and what wakes them. */
public final class Registration {
  private Registration() {}

  /** Registers the definitions; none is, if one of them is refused. */
  public static List<RegisteredPipeline> register(
      Session session, List<PipelineDefinition> pipelines) {
    Definitions definitions = session.definitions();
    pipelines.forEach(definitions::preview);
    List<RegisteredPipeline> registered = new ArrayList<>();
    for (PipelineDefinition pipeline : pipelines) {
      registered.add(definitions.register(pipeline, Who.asks()).pipeline());
    }
    return registered;
  }

  /** Registers all that a configuration defines; nothing is, if any of it is refused. */
  public static List<RegisteredPipeline> register(Session session, Configuration configuration) {
    ObjectDefinitions objects = new ObjectDefinitions(session.ledger());
    configuration.objectTypes().forEach(objects::preview);
    List<RegisteredPipeline> registered = register(session, configuration.pipelines());
    configuration.objectTypes().forEach(objects::register);
    return registered;
  }

  /** The same, and brings what wakes each of them up to date. */
  public static void registerAndSchedule(Session session, Configuration configuration) {
    List<RegisteredPipeline> registered = register(session, configuration);
    if (session.services().temporalHasSchedules()) {
      PipelineSchedules schedules = session.schedules();
      registered.forEach(schedules::apply);
      ObjectSchedules objects = session.objectSchedules();
      configuration.objectTypes().forEach(objects::apply);
    }
  }
}
