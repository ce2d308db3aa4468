package dev.tidemark.worker.objects;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.tidemark.activities.index.health.ObjectHealth;
import dev.tidemark.activities.index.ledger.Jobs;
import dev.tidemark.worker.access.Caller;
import dev.tidemark.worker.access.Role;
import dev.tidemark.worker.http.Method;
import dev.tidemark.worker.http.Need;
import dev.tidemark.worker.http.Request;
import dev.tidemark.worker.http.Response;
import dev.tidemark.worker.http.Route;
import dev.tidemark.worker.objects.ObjectTypesSeen.Known;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How object types stand, and every job of their builds (D30 to D33). */
final class ObjectHealthRoutes {
  private static final int MOST_JOBS = 200;

  /** In place of what went wrong, for who may not view where it did. */
  private static final String HIDDEN =
      "what went wrong is shown to who may view the pipelines of its datasource";

  private final ObjectTypesSeen types;
  private final ObjectHealth health;
  private final Jobs jobs;

  ObjectHealthRoutes(ObjectTypesSeen types, ObjectHealth health, Jobs jobs) {
    this.types = types;
    this.health = health;
    this.jobs = jobs;
  }

  List<Route> routes() {
    return List.of(
        new Route(Method.GET, "/api/objects", Need.VIEW, this::list),
        new Route(Method.GET, "/api/objects/{type}", Need.VIEW, this::show),
        new Route(Method.GET, "/api/objects/{type}/jobs", Need.VIEW, this::jobs));
  }

  /**
   * An object type.
   *
   * @param mayRead whether the caller may see its objects
   * @param mayEdit whether they may edit them
   */
  private record Type(
      String objectType,
      @JsonUnwrapped ObjectHealth.Standing health,
      boolean mayRead,
      boolean mayEdit) {}

  private record Listing(List<Type> objectTypes) {}

  private Response list(Request request) {
    return Response.json(
        new Listing(
            types.knownTo(request.caller()).stream()
                .map(known -> type(request.caller(), known))
                .toList()));
  }

  private Type type(Caller caller, Known known) {
    ObjectHealth.Standing standing = health.of(known.registered(), known.indexes());
    boolean mayRead = ObjectGrants.may(caller, Role.VIEW, known.type());
    return new Type(
        known.registered().name(),
        mayRead ? standing : standing.hiding(HIDDEN),
        mayRead,
        ObjectGrants.may(caller, Role.OPERATE, known.type()));
  }

  /** A type with its properties, in their order. */
  private record Detail(
      @JsonUnwrapped Type type, List<String> primaryKey, List<Property> properties) {}

  private Response show(Request request) {
    Known known = types.known(request);
    ObjectType type = known.type();
    return Response.json(
        new Detail(type(request.caller(), known), type.primaryKey(), type.properties()));
  }

  /** A job and the build that it is of. */
  private record Line(
      @JsonUnwrapped Jobs.BuildOf build,
      String stage,
      String subject,
      String state,
      int attempt,
      @JsonUnwrapped Jobs.Ran ran,
      @Nullable String error) {}

  private record Newest(List<Line> jobs) {}

  private Response jobs(Request request) {
    Known known = types.known(request);
    return Response.json(
        new Newest(
            jobs
                .newest(known.registered().name(), request.number("most", 50, 1, MOST_JOBS))
                .stream()
                .map(job -> told(job, known.type(job.build().revision()), request.caller()))
                .toList()));
  }

  private static Line told(Jobs.Job job, ObjectType type, Caller caller) {
    boolean isHidden =
        job.error() != null && !ObjectGrants.mayDiagnose(caller, type, job.subject());
    return new Line(
        job.build(),
        job.stage().name().toLowerCase(Locale.ROOT),
        job.subject(),
        job.state(),
        job.attempt(),
        job.ran(),
        isHidden ? HIDDEN : job.error());
  }
}
