package dev.tidemark.activities.ledger.definition;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.workflows.payload.Payloads;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** A definition as JSON: its hashes, and how two of them differ. */
final class DefinitionDocument {
  private static final ObjectMapper MAPPER =
      Payloads.mapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

  private DefinitionDocument() {}

  static JsonNode tree(PipelineDefinition definition) {
    return MAPPER.valueToTree(definition);
  }

  static JsonNode tree(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the registered definition is not JSON", e);
    }
  }

  static PipelineDefinition parse(String json) {
    try {
      return MAPPER.readValue(json, PipelineDefinition.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the registered definition cannot be read", e);
    }
  }

  /**
   * Hash of what changes the content of an output: the task (not its timeouts), the inputs and the
   * output's place and layout, also by what stands for its account. Limits, retries and schedules
   * change nothing in it. What is not said is not part of it, so that a key of a later version
   * changes it only where it is used.
   */
  static String fingerprint(PipelineDefinition definition) {
    JsonNode tree = tree(definition);
    ObjectNode content = MAPPER.createObjectNode();
    content.set("inputs", said(tree.get("inputs")));
    content.set("output", said(tree.get("output")));
    ObjectNode task = (ObjectNode) said(tree.get("task"));
    task.remove(List.of("timeout", "startWithin", "heartbeatWithin", "leftOut"));
    content.set("task", task);
    if (definition.extent().accountId() != null) {
      JsonNode extent = tree.get("extent");
      content.putArray("account-id").add(extent.get("account")).add(extent.get("accountId"));
    }
    return hash(content);
  }

  private static JsonNode said(JsonNode tree) {
    if (tree.isObject()) {
      ObjectNode said = MAPPER.createObjectNode();
      tree.properties().stream()
          .filter(member -> !member.getValue().isNull())
          .forEach(member -> said.set(member.getKey(), said(member.getValue())));
      return said;
    }
    if (tree.isArray()) {
      ArrayNode said = MAPPER.createArrayNode();
      tree.forEach(element -> said.add(said(element)));
      return said;
    }
    return tree;
  }

  /** SHA-256 of the canonical text: members in the order of their names. */
  static String hash(JsonNode tree) {
    try {
      byte[] text = MAPPER.writeValueAsString(sorted(tree)).getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    } catch (JsonProcessingException | NoSuchAlgorithmException e) {
      throw new IllegalStateException("a definition cannot be hashed", e);
    }
  }

  private static Object sorted(JsonNode tree) throws JsonProcessingException {
    return MAPPER.treeToValue(tree, Object.class);
  }
}
