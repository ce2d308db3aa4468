package dev.tidemark.worker.objects;

import dev.tidemark.activities.index.ledger.ObjectIndex;
import dev.tidemark.activities.index.ledger.ObjectIndexes;
import dev.tidemark.activities.index.ledger.ObjectTypes;
import dev.tidemark.activities.index.ledger.ObjectTypes.Registered;
import dev.tidemark.activities.index.serve.ObjectReader;
import dev.tidemark.worker.access.Caller;
import dev.tidemark.worker.access.Role;
import dev.tidemark.worker.http.HttpFailure;
import dev.tidemark.worker.http.Request;
import dev.tidemark.workflows.index.ObjectType;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The object types that requests name, as far as their callers may know of them. */
final class ObjectTypesSeen {
  /** Of those that there are, where one is named that is not. */
  private static final int NAMED = 20;

  private final ObjectTypes types;
  private final ObjectIndexes indexes;
  private final ObjectReader reader;

  ObjectTypesSeen(ObjectTypes types, ObjectIndexes indexes, ObjectReader reader) {
    this.types = types;
    this.indexes = indexes;
    this.reader = reader;
  }

  /**
   * An object type that the caller may know of.
   *
   * @param indexes the newest of them, the newest first; never empty
   */
  record Known(Registered registered, List<ObjectIndex> indexes) {
    /** The one that is served, or the newest where none is. */
    ObjectIndex shown() {
      return indexes.stream()
          .filter(index -> Objects.equals(index.id(), registered.serving()))
          .findFirst()
          .orElse(indexes.get(0));
    }

    ObjectType type() {
      return shown().type();
    }

    /** As it was in a revision; as it is now where that is forgotten. */
    ObjectType type(int revision) {
      return indexes.stream()
          .filter(index -> index.revision() == revision)
          .findFirst()
          .orElse(shown())
          .type();
    }
  }

  /** All that the caller may know of, by name. */
  List<Known> knownTo(Caller caller) {
    return types.all().stream()
        .map(this::known)
        .flatMap(Optional::stream)
        .filter(known -> ObjectGrants.mayKnow(caller, known.type()))
        .toList();
  }

  /**
   * The one in the path.
   *
   * @throws HttpFailure if there is none, or the caller may not know of it
   */
  Known known(Request request) {
    String name = request.step("type");
    return types.all().stream()
        .filter(type -> type.name().equals(name))
        .findFirst()
        .flatMap(this::known)
        .filter(known -> ObjectGrants.mayKnow(request.caller(), known.type()))
        .orElseThrow(() -> unknown(name, knownTo(request.caller())));
  }

  /**
   * The same, where the caller has this role on all of it.
   *
   * @throws HttpFailure if they have not
   */
  Known known(Request request, Role role) {
    Known known = known(request);
    require(request.caller(), role, known.type());
    return known;
  }

  /**
   * The one in the path as it is served here, for whoever has this role on all of it.
   *
   * @throws HttpFailure if there is none, or they have not
   */
  ObjectType served(Request request, Role role) {
    ObjectType type =
        reader.type(request.step("type")).orElseGet(() -> known(request, role).type());
    require(request.caller(), role, type);
    return type;
  }

  private static void require(Caller caller, Role role, ObjectType type) {
    if (!ObjectGrants.mayKnow(caller, type)) {
      throw unknown(type.name(), List.of());
    }
    if (!ObjectGrants.may(caller, role, type)) {
      throw HttpFailure.forbidden(
          "%s may not %s the objects of '%s': that takes the role on every datasource of it"
              .formatted(caller.name(), role == Role.VIEW ? "view" : "edit", type.name()));
    }
  }

  private Optional<Known> known(Registered registered) {
    List<ObjectIndex> all = indexes.all(registered.name());
    return all.isEmpty() ? Optional.empty() : Optional.of(new Known(registered, all));
  }

  private static HttpFailure unknown(String name, List<Known> known) {
    List<String> names = known.stream().map(one -> one.registered().name()).limit(NAMED).toList();
    return new HttpFailure(
        404,
        "unknown_object_type",
        "type",
        "there is no object type '%s', or none that you may see; %s"
            .formatted(
                name,
                names.isEmpty()
                    ? "register it with apply"
                    : "there are " + String.join(", ", names)));
  }
}
