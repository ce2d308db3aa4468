package dev.tidemark.starter.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.configuration.ConfigurationLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The image, the compose file and the chart are what their own validators accept, and no less. */
class DeploymentTest {
  private static final Pattern SECRET = Pattern.compile(".*(PASSWORD|SECRET|KEY|TOKEN).*");
  private static final Map<String, String> SECRETS =
      Map.of(
          "TIDEMARK_LEDGER_PASSWORD", "p",
          "STORE_ACCESS_KEY", "a",
          "STORE_SECRET_KEY", "s",
          "TIDEMARK_VIEW_TOKEN", "look-0123456789abcdef",
          "TIDEMARK_OPERATE_TOKEN", "act-0123456789abcdef",
          "TEMPORAL_CONFIG_FILE", "none.toml");

  @TempDir Path folder;

  @Test
  void theImageIsBuiltAsItsLinterWants() throws Exception {
    assertThat(Validator.run(folder, "hadolint", "--failure-threshold=info", dockerfile()))
        .isEqualTo(new Validator.Verdict(0, ""));

    Path careless =
        Files.writeString(folder.resolve("Dockerfile"), "FROM ubuntu\nRUN apt-get install curl\n");
    assertThat(Validator.run(folder, "hadolint", careless.toString()).exit()).isNotZero();
  }

  @Test
  void theImageRunsAsNobodyAndHoldsNoSecret() throws Exception {
    List<String> lines = Files.readAllLines(Validator.home().resolve(dockerfile()));

    assertThat(lines).contains("USER 10001:10001").anyMatch(line -> line.startsWith("HEALTHCHECK"));
    assertThat(lines)
        .filteredOn(line -> line.matches("\\s*(ENV|ARG) .*"))
        .noneMatch(line -> SECRET.matcher(line).matches());
  }

  /** What the image runs is what is built: its folder of jars, with the command in it. */
  @ParameterizedTest
  @ValueSource(strings = {"tidemark", "healthcheck"})
  void theScriptsOfTheImageAreProgramsOfAShellThatItHas(String script) throws Exception {
    Path file = Validator.home().resolve("deploy/image").resolve(script);

    assertThat(file).isExecutable();
    Process process = new ProcessBuilder("bash", "-n", file.toString()).inheritIO().start();
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void theComposeFileFollowsTheSpecification() throws Exception {
    String[] check = {"--builtin-schema", "vendor.compose-spec"};
    assertThat(Validator.run(folder, "check-jsonschema", check[0], check[1], compose()).exit())
        .isZero();

    Path wrong =
        Files.writeString(
            folder.resolve("compose.yaml"), "services: {worker: {image: tidemark, replica: 2}}");
    assertThat(
            Validator.run(folder, "check-jsonschema", check[0], check[1], wrong.toString()).exit())
        .isNotZero();
  }

  @Test
  void theComposeFileHoldsNoSecretAndMountsWhatThereIs() throws Exception {
    JsonNode services =
        new YAMLMapper().readTree(Validator.home().resolve(compose()).toFile()).path("services");

    assertThat(services.size()).isGreaterThan(5);
    for (JsonNode service : services) {
      service
          .path("environment")
          .properties()
          .forEach(
              variable -> {
                if (SECRET.matcher(variable.getKey()).matches()) {
                  assertThat(variable.getValue().asText()).matches("\\$\\{[A-Z_]+:\\?.*}");
                }
              });
      for (JsonNode volume : service.path("volumes")) {
        String source = volume.asText().substring(0, volume.asText().indexOf(':'));
        if (source.startsWith(".")) {
          assertThat(Validator.home().resolve("deploy/compose").resolve(source)).exists();
        }
      }
    }
  }

  /** Compose writes such a secret into the container, and refuses to start a read-only one. */
  @Test
  void noReadOnlyServiceHasASecretOfTheEnvironment() throws Exception {
    JsonNode compose = new YAMLMapper().readTree(Validator.home().resolve(compose()).toFile());

    assertThat(compose.at("/services/prometheus/secrets/0/source").asText())
        .isEqualTo("view-token");
    for (JsonNode service : compose.path("services")) {
      if (service.path("read_only").asBoolean()) {
        for (JsonNode secret : service.path("secrets")) {
          String name = secret.isTextual() ? secret.asText() : secret.path("source").asText();
          assertThat(compose.path("secrets").path(name).has("environment")).as(name).isFalse();
        }
      }
    }
  }

  @Test
  void theConfigurationsThatAreShippedAreValid() throws Exception {
    Path values = Validator.home().resolve("deploy/helm/tidemark/values.yaml");
    String chart = new YAMLMapper().readTree(values.toFile()).path("configuration").asText();
    Path ofChart = Files.writeString(folder.resolve("tidemark.yaml"), chart);

    for (Path file : List.of(ofChart, Validator.home().resolve("deploy/compose/tidemark.yaml"))) {
      Configuration configuration = new ConfigurationLoader(SECRETS).load(file);

      assertThat(configuration.pipelines()).isNotEmpty();
      assertThat(configuration.temporal().isConfigured()).isTrue();
      assertThat(configuration.ledger()).isNotNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"defaults.yaml", "everything.yaml"})
  void eachContainerOfTheChartMayDoNothingThatItNeedNot(String values) throws Exception {
    Chart chart = Chart.with(folder, values);

    assertThat(chart.pods())
        .hasSizeGreaterThanOrEqualTo(2)
        .allSatisfy(
            pod -> {
              assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
              assertThat(pod.path("automountServiceAccountToken").asBoolean(true)).isFalse();
            });
    assertThat(chart.containers())
        .hasSizeGreaterThanOrEqualTo(3)
        .allSatisfy(
            container -> {
              JsonNode security = container.path("securityContext");
              assertThat(security.path("readOnlyRootFilesystem").asBoolean()).isTrue();
              assertThat(security.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
              assertThat(security.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
              assertThat(container.at("/resources/requests/memory").asText()).isNotEmpty();
              assertThat(container.at("/resources/limits/memory").asText()).isNotEmpty();
              assertThat(container.path("env"))
                  .noneMatch(
                      variable ->
                          SECRET.matcher(variable.path("name").asText()).matches()
                              && !variable.path("name").asText().endsWith("_PATH"));
            });
    assertThat(chart.of("Secret")).as("secrets are named, never made").isEmpty();
  }

  @Test
  void workersOfTheChartArePolledReplacedAndEndedGently() throws Exception {
    Chart chart = Chart.with(folder, "everything.yaml");

    JsonNode deployment = chart.of("Deployment").get(0);
    JsonNode worker = deployment.at("/spec/template/spec/containers/0");
    assertThat(List.of("startupProbe", "readinessProbe", "livenessProbe")).allMatch(worker::has);
    assertThat(deployment.at("/spec/template/spec/terminationGracePeriodSeconds").asInt())
        .as("longer than the grace of a worker and the hand-over after it")
        .isGreaterThan(40);
    assertThat(deployment.at("/spec/strategy/rollingUpdate/maxUnavailable").asInt(1)).isZero();
    assertThat(deployment.path("spec").has("replicas")).as("the autoscaler's").isFalse();
    for (String kind :
        List.of("PodDisruptionBudget", "HorizontalPodAutoscaler", "NetworkPolicy", "Service")) {
      assertThat(chart.of(kind)).as(kind).hasSize(1);
    }
    List<String> jobs = new ArrayList<>();
    chart.of("Job").forEach(job -> jobs.add(job.at("/metadata/name").asText()));
    assertThat(jobs)
        .containsExactlyInAnyOrder("trial-tidemark-release-1", "trial-tidemark-promote-1");
  }

  @Test
  void valuesThatNobodyKnowsAreRefused() throws Exception {
    Path wrong = Files.writeString(folder.resolve("values.yaml"), "worker: {replica: 3}\n");

    Validator.Verdict verdict =
        Validator.run(
            folder,
            "python",
            "deploy/tools/check-deployment",
            "deploy/helm/tidemark",
            wrong.toString());

    assertThat(verdict.exit()).isNotZero();
    assertThat(verdict.text()).contains("replica");
  }

  private static String dockerfile() {
    return "deploy/image/Dockerfile";
  }

  private static String compose() {
    return "deploy/compose/compose.yaml";
  }
}
