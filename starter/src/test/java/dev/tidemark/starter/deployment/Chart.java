package dev.tidemark.starter.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The chart, rendered with one file of values. */
record Chart(List<JsonNode> manifests) {
  private static final YAMLMapper YAML = new YAMLMapper();

  /** Renders it; Helm and the schemas of Kubernetes have nothing against it. */
  static Chart with(Path scratch, String values) throws Exception {
    Validator.Verdict verdict =
        Validator.run(
            scratch,
            "python",
            "deploy/tools/check-deployment",
            "deploy/helm/tidemark",
            "deploy/helm/trials/" + values);
    assertThat(verdict.exit()).as(verdict.text()).isZero();
    try (MappingIterator<JsonNode> all =
        YAML.readerFor(JsonNode.class).readValues(verdict.text())) {
      return new Chart(all.readAll());
    }
  }

  /** Those of one kind. */
  List<JsonNode> of(String kind) {
    return manifests.stream()
        .filter(manifest -> manifest.path("kind").asText().equals(kind))
        .toList();
  }

  /** What pods are made from, in deployments and jobs. */
  List<JsonNode> pods() {
    return Stream.of("Deployment", "Job")
        .flatMap(kind -> of(kind).stream())
        .map(manifest -> manifest.at("/spec/template/spec"))
        .toList();
  }

  /** The containers of all pods, those that come first included. */
  List<JsonNode> containers() {
    return pods().stream()
        .flatMap(
            pod ->
                Stream.of("initContainers", "containers")
                    .flatMap(list -> StreamSupport.stream(pod.path(list).spliterator(), false)))
        .toList();
  }
}
