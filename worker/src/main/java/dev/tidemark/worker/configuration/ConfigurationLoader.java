package dev.tidemark.worker.configuration;

import dev.tidemark.activities.alert.Routing;
import dev.tidemark.worker.alert.Notices;
import dev.tidemark.worker.definition.DependencyRules;
import dev.tidemark.worker.yaml.Findings;
import dev.tidemark.worker.yaml.Section;
import dev.tidemark.worker.yaml.Type;
import dev.tidemark.worker.yaml.Value;
import dev.tidemark.worker.yaml.YamlFile;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads {@code tidemark.yaml} and finds every problem in it at once, each with file, line, key,
 * value, rule and the way out (issue 3, "Bad input, and what it gets"). Changes nothing, connects
 * to nothing.
 */
public final class ConfigurationLoader {
  private static final List<String> KEYS =
      List.of("temporal", "ledger", "connections", "page", "notify", "pipelines", "object-types");

  private final Map<String, String> environment;

  /** With the variables that {@code ${NAME}} stands for: {@code System.getenv()} in a process. */
  public ConfigurationLoader(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  /**
   * The configuration in the file.
   *
   * @throws ConfigurationException with every problem, if there is one
   */
  public Configuration load(Path file) throws ConfigurationException {
    Findings findings = new Findings();
    Optional<Configuration> read =
        YamlFile.read(file, environment, findings).map(root -> configuration(file, root));
    if (read.isPresent() && findings.isEmpty()) {
      return read.get();
    }
    throw new ConfigurationException(
        findings.sorted().stream()
            .map(
                found ->
                    new Problem(file, found.line(), found.column(), found.key(), found.message()))
            .toList());
  }

  private Configuration configuration(Path file, Section root) {
    root.only(KEYS, Later.KEYS);
    ServicesSection services = new ServicesSection(environment);
    TemporalSettings temporal = services.temporal(root.section("temporal"));
    LedgerSettings ledger = root.has("ledger") ? services.ledger(root.section("ledger")) : null;
    PageSettings page =
        root.has("page") ? PageSection.read(root.section("page"), folder(file)) : null;
    ConnectionsSection connections = ConnectionsSection.read(root.section("connections"));
    List<PipelineDefinition> pipelines = pipelines(root, connections);
    return new Configuration(
        file,
        temporal,
        ledger,
        page,
        connections.all(),
        new Configuration.Defined(pipelines, ObjectTypesSection.read(root, connections, pipelines)),
        notices(root));
  }

  private static Notices notices(Section root) {
    NotifySection channels = NotifySection.read(root.section("notify"));
    Map<String, Routing> routes = new HashMap<>();
    for (Value item : root.list("pipelines")) {
      Section pipeline = item.section();
      Value name = pipeline.value("name");
      Routing route = channels.route(pipeline);
      if (name != null && name.isText()) {
        routes.put(String.valueOf(name.as(Type.TEXT)), route);
      }
    }
    return new Notices(channels.settings(), routes);
  }

  private static Path folder(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? file : parent;
  }

  private static List<PipelineDefinition> pipelines(Section root, ConnectionsSection connections) {
    List<Value> items = root.list("pipelines");
    Value key = root.value("pipelines");
    if (items.isEmpty() && (key == null || key.isList() || key.isNothing())) {
      root.problem("pipelines", "names no pipeline; it must be a list of at least one");
    }
    List<PipelineDefinition> pipelines = new ArrayList<>();
    Map<String, Integer> places = new HashMap<>();
    Map<OutputSpec, String> files = new HashMap<>();
    Map<PipelineDefinition, Section> sections = new LinkedHashMap<>();
    for (int i = 0; i < items.size(); i++) {
      Section section = items.get(i).section();
      String name = section.get("name", Type.TEXT);
      Integer first = name == null ? null : places.putIfAbsent(name, i);
      if (first != null) {
        section.problem(
            "name", "'" + name + "' is the name of pipelines[" + first + "] too; rename one");
      }
      PipelineDefinition pipeline = new PipelineSection(section, connections).read();
      if (pipeline == null) {
        continue;
      }
      pipelines.add(pipeline);
      sections.put(pipeline, section);
      // Layout hive has a folder for each pipeline, layout file has not.
      if (pipeline.output() instanceof OutputSpec.File output) {
        String other = files.putIfAbsent(output, pipeline.name());
        if (other != null) {
          section.problem(
              "output.path",
              "'" + output.path() + "' is where pipeline '" + other + "' writes too; change one");
        }
      }
    }
    DependencyRules rules = new DependencyRules(pipelines, places.keySet());
    sections.forEach(
        (pipeline, section) ->
            rules
                .violations(pipeline)
                .forEach(broken -> section.problem(broken.key(), broken.message())));
    return pipelines;
  }
}
