package dev.tidemark.worker.objects;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.activities.index.ledger.NewEdit;
import dev.tidemark.activities.index.object.Edit;
import dev.tidemark.activities.index.serve.ObjectReader;
import dev.tidemark.worker.access.Role;
import dev.tidemark.worker.http.HttpFailure;
import dev.tidemark.worker.http.Request;
import dev.tidemark.worker.http.Response;
import dev.tidemark.workflows.index.ObjectType;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Edits of objects. */
final class EditRoutes {
  private final ObjectTypesSeen types;
  private final ObjectReader reader;

  EditRoutes(ObjectTypesSeen types, ObjectReader reader) {
    this.types = types;
    this.reader = reader;
  }

  List<ObjectApi.Action> actions() {
    return List.of(new ObjectApi.Action("/api/objects/{type}/edits", "edit object", this::edit));
  }

  /**
   * What is asked for.
   *
   * @param requestId sent again, it is the same edit; made up where there is none
   * @param action create, set or delete
   */
  private record Body(
      @Nullable String requestId,
      @Nullable String key,
      @Nullable String action,
      @Nullable ObjectNode values) {}

  /**
   * What was made.
   *
   * @param offset that answers of any process are asked for with, as {@code after_edit}
   */
  private record Made(String objectType, String key, long offset) {}

  private Response edit(Request request) throws IOException {
    ObjectType type = types.served(request, Role.OPERATE);
    Body body = request.json(Body.class);
    if (body.key() == null) {
      throw HttpFailure.invalid("key", "key is missing: say which object");
    }
    Edit made =
        reader.edit(
            type.name(),
            new NewEdit(
                Objects.requireNonNullElseGet(body.requestId(), () -> UUID.randomUUID().toString()),
                body.key(),
                action(body.action()),
                body.values() == null ? JsonNodeFactory.instance.objectNode() : body.values(),
                request.caller().name()));
    return Response.json(new Made(type.name(), made.key(), made.offset()));
  }

  private static Edit.Action action(@Nullable String name) {
    return Arrays.stream(Edit.Action.values())
        .filter(action -> action.name().toLowerCase(Locale.ROOT).equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                HttpFailure.invalid(
                    "action", "action '" + name + "' must be create, set or delete"));
  }
}
