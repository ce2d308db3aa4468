package dev.tidemark.worker.objects;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.activities.index.ledger.NewEdit;
import dev.tidemark.activities.index.ledger.ObjectIndex;
import dev.tidemark.activities.index.ledger.ObjectTypes;
import dev.tidemark.activities.index.ledger.Replacements;
import dev.tidemark.activities.index.object.Edit;
import dev.tidemark.activities.index.serve.ObjectReader;
import dev.tidemark.worker.access.Role;
import dev.tidemark.worker.http.HttpFailure;
import dev.tidemark.worker.http.Request;
import dev.tidemark.worker.http.Response;
import dev.tidemark.workflows.client.ObjectsClient;
import dev.tidemark.workflows.index.ObjectType;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What people do to objects and to the indexes of their types: the same as the commands. */
final class ObjectActions {
  private static final String TYPE = "/api/objects/{type}/";

  private final ObjectTypesSeen seen;
  private final ObjectReader reader;
  private final ObjectsClient builds;
  private final ObjectTypes types;
  private final Replacements replacements;

  ObjectActions(ObjectTypesSeen seen, ObjectAccess access, DataSource ledger) {
    this.seen = seen;
    this.reader = access.reader();
    this.builds = access.builds();
    this.types = new ObjectTypes(ledger);
    this.replacements = new Replacements(ledger);
  }

  List<ObjectApi.Action> actions() {
    return List.of(
        new ObjectApi.Action(TYPE + "edits", "edit object", this::edit),
        new ObjectApi.Action(TYPE + "reindex", "reindex objects", this::reindex),
        new ObjectApi.Action(TYPE + "replace", "replace index", this::replace),
        new ObjectApi.Action(TYPE + "rollback", "roll back index", this::rollBack));
  }

  /** What was done, for people. */
  private record Done(String objectType, String message) {}

  private Response reindex(Request request) {
    String type = name(request);
    types.askFull(type, request.caller().name());
    builds.wake(type);
    return Response.json(
        new Done(type, "The next build of '" + type + "' is a full one; it begins shortly."));
  }

  private Response replace(Request request) {
    String type = name(request);
    int revision = replacements.again(type);
    builds.wake(type);
    return Response.json(
        new Done(type, "Revision " + revision + " is being built, to replace the live index."));
  }

  private Response rollBack(Request request) {
    String type = name(request);
    ObjectIndex served = replacements.rollBack(type);
    builds.wake(type);
    return Response.json(
        new Done(
            type,
            "'%s' is answered from revision %d again; it now catches up."
                .formatted(type, served.revision())));
  }

  private String name(Request request) {
    return seen.known(request, Role.OPERATE).registered().name();
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
    ObjectType type = seen.served(request, Role.OPERATE);
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
