package dev.tidemark.worker.objects;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.activities.index.object.Values;
import dev.tidemark.activities.index.query.FoundObject;
import dev.tidemark.activities.index.query.FoundObjects;
import dev.tidemark.activities.index.query.Generation;
import dev.tidemark.activities.index.serve.ObjectReader;
import dev.tidemark.worker.access.Role;
import dev.tidemark.worker.http.HttpFailure;
import dev.tidemark.worker.http.Method;
import dev.tidemark.worker.http.Need;
import dev.tidemark.worker.http.Request;
import dev.tidemark.worker.http.Response;
import dev.tidemark.worker.http.Route;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Questions about objects. */
final class ObjectRoutes {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ObjectTypesSeen types;
  private final ObjectReader reader;

  ObjectRoutes(ObjectTypesSeen types, ObjectReader reader) {
    this.types = types;
    this.reader = reader;
  }

  List<Route> routes() {
    return List.of(
        new Route(Method.GET, "/api/objects/{type}/objects/{key}", Need.VIEW, this::object),
        new Route(Method.POST, "/api/objects/{type}/search", Need.VIEW, this::search));
  }

  /** An object; values are of all properties. */
  private record Found(String key, Map<String, JsonNode> values) {}

  private record One(String objectType, Generation generation, Found object) {}

  private Response object(Request request) throws IOException {
    ObjectType type = types.served(request, Role.VIEW);
    String key = request.step("key");
    ObjectReader.Answer answer =
        reader.get(type.name(), key, request.number("after_edit", 0, 0, Integer.MAX_VALUE));
    FoundObject object =
        answer
            .object()
            .orElseThrow(
                () -> HttpFailure.notFound("there is no '" + key + "' of '" + type.name() + "'"));
    return Response.json(new One(type.name(), answer.generation(), found(answer.type(), object)));
  }

  /**
   * One page.
   *
   * @param total of all pages
   * @param next to be sent as cursor for the page after this one; null where this is the last
   */
  private record Page(
      String objectType,
      Generation generation,
      long total,
      List<Found> objects,
      @Nullable String next) {}

  private Response search(Request request) throws IOException {
    ObjectType type = types.served(request, Role.VIEW);
    SearchBody body = request.json(SearchBody.class);
    FoundObjects page = reader.search(type.name(), body.query(type), body.after());
    return Response.json(
        new Page(
            type.name(),
            page.generation(),
            page.total(),
            page.objects().stream().map(object -> found(page.type(), object)).toList(),
            page.next()));
  }

  private static Found found(ObjectType type, FoundObject object) {
    Map<String, JsonNode> values = new LinkedHashMap<>();
    for (Property property : type.properties()) {
      values.put(
          property.name(),
          Values.toJson(property, object.values().get(property.name()), ObjectRoutes::read));
    }
    return new Found(object.key(), values);
  }

  private static JsonNode read(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a value of type json is no JSON", e);
    }
  }
}
