package dev.tidemark.worker.objects;

import dev.tidemark.activities.index.health.ObjectHealth;
import dev.tidemark.activities.index.ledger.Jobs;
import dev.tidemark.activities.index.ledger.ObjectIndexes;
import dev.tidemark.activities.index.ledger.ObjectTypes;
import dev.tidemark.activities.index.serve.ObjectReader;
import dev.tidemark.worker.http.Handler;
import dev.tidemark.worker.http.Route;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * All that is asked of objects over HTTP.
 *
 * @param routes that answer
 * @param actions that change something, of which a record is kept
 */
public record ObjectApi(List<Route> routes, List<Action> actions) {
  public ObjectApi {
    routes = List.copyOf(routes);
    actions = List.copyOf(actions);
  }

  /**
   * A route that acts.
   *
   * @param name what it does, for the record
   */
  public record Action(String path, String name, Handler handler) {}

  /** Wires it. */
  public static ObjectApi of(DataSource ledger, ObjectAccess access) {
    ObjectReader reader = access.reader();
    ObjectTypesSeen types =
        new ObjectTypesSeen(new ObjectTypes(ledger), new ObjectIndexes(ledger), reader);
    return new ObjectApi(
        Stream.of(
                new ObjectHealthRoutes(types, new ObjectHealth(ledger), new Jobs(ledger)).routes(),
                new ObjectRoutes(types, reader).routes())
            .flatMap(List::stream)
            .toList(),
        new ObjectActions(types, access, ledger).actions());
  }
}
