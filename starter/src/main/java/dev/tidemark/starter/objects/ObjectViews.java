package dev.tidemark.starter.objects;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.activities.index.health.ObjectHealth;
import dev.tidemark.activities.index.ledger.Jobs;
import dev.tidemark.activities.index.object.Values;
import dev.tidemark.activities.index.query.FoundObject;
import dev.tidemark.activities.index.query.Generation;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the commands print, as JSON. */
final class ObjectViews {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ObjectViews() {}

  /** How an object type stands; null where there is nothing to say. */
  record Standing(
      @JsonProperty("object_type") String objectType,
      @Nullable Index served,
      @JsonProperty("edit_offset") long editOffset,
      @JsonProperty("waiting_seconds") long waitingSeconds,
      @Nullable Index upcoming,
      List<String> processes) {
    static Standing of(String type, ObjectHealth.Standing standing) {
      return new Standing(
          type,
          Index.of(standing.served()),
          standing.editOffset(),
          standing.waitingSeconds(),
          Index.of(standing.upcoming()),
          standing.processes().stream().map(one -> one.process()).toList());
    }
  }

  /** An index. */
  record Index(
      int revision,
      String role,
      long generation,
      long objects,
      @JsonProperty("edit_offset") long editOffset,
      @Nullable String because) {
    static @Nullable Index of(ObjectHealth.@Nullable Index index) {
      return index == null
          ? null
          : new Index(
              index.revision(),
              index.role(),
              index.generation(),
              index.objects(),
              index.editOffset(),
              index.because());
    }
  }

  /** A job, with the build that it is of and when it ran. */
  record Job(
      @JsonUnwrapped BuildOf build,
      String stage,
      String subject,
      String state,
      int attempt,
      @JsonUnwrapped Ran ran,
      @Nullable String error) {
    static Job of(Jobs.Job job) {
      Jobs.BuildOf build = job.build();
      Jobs.Ran ran = job.ran();
      return new Job(
          new BuildOf(
              build.objectType(),
              build.revision(),
              build.role(),
              build.generation(),
              build.cause(),
              build.full()),
          job.stage().name().toLowerCase(Locale.ROOT),
          job.subject(),
          job.state(),
          job.attempt(),
          new Ran(ran.beganAt(), ran.endedAt(), ran.rows()),
          job.error());
    }
  }

  /** Which build. */
  record BuildOf(
      @JsonProperty("object_type") String objectType,
      int revision,
      String role,
      long generation,
      String cause,
      boolean full) {}

  /** When, and how much. */
  record Ran(
      @JsonProperty("began_at") Instant beganAt,
      @JsonProperty("ended_at") @Nullable Instant endedAt,
      @Nullable Long rows) {}

  /** What was answered from. */
  record From(long index, long generation, @JsonProperty("edit_offset") long editOffset) {
    static From of(Generation generation) {
      return new From(generation.index(), generation.generation(), generation.editOffset());
    }
  }

  /** An object. */
  record Found(String key, Map<String, JsonNode> values) {
    static Found of(ObjectType type, FoundObject object) {
      Map<String, JsonNode> values = new LinkedHashMap<>();
      for (Property property : type.properties()) {
        values.put(
            property.name(),
            Values.toJson(property, object.values().get(property.name()), ObjectViews::readJson));
      }
      return new Found(object.key(), values);
    }
  }

  /** An object, and what it was answered from. */
  record One(@JsonProperty("object_type") String objectType, From generation, Found object) {}

  /** A page of objects. */
  record Page(
      @JsonProperty("object_type") String objectType,
      From generation,
      long total,
      List<Found> objects,
      @Nullable String next) {}

  private static JsonNode readJson(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a value of type json is none: " + text, e);
    }
  }
}
