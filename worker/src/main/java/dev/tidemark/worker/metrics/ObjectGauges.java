package dev.tidemark.worker.metrics;

import dev.tidemark.activities.index.health.ObjectHealth;
import dev.tidemark.activities.index.health.ObjectHealth.Standing;
import io.micrometer.core.instrument.Tags;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The object types in numbers (D30): a few series for each, whatever they hold. */
final class ObjectGauges {
  private final Metrics metrics;

  ObjectGauges(Metrics metrics) {
    this.metrics = metrics;
  }

  void show(List<ObjectHealth.Of> types) {
    put(Names.OBJECTS, null, types, one -> one.served() == null ? 0L : one.served().objects());
    put(Names.OBJECT_SYNC_DELAY, "seconds", types, Standing::waitingSeconds);
    put(Names.OBJECT_SYNC_ALLOWED, "seconds", types, Standing::allowedSeconds);
    put(Names.OBJECT_EDITS_WAITING, null, types, ObjectGauges::waiting);
    Map<Tags, Double> failed = new LinkedHashMap<>();
    for (ObjectHealth.Of one : types) {
      one.standing()
          .newest()
          .forEach(
              (role, state) ->
                  failed.put(tags(one).and(Names.ROLE, role), state.equals("failed") ? 1.0 : 0.0));
    }
    metrics.table(Names.OBJECT_BUILDS_FAILED, null).show(failed);
  }

  private static Long waiting(Standing one) {
    return one.editOffset() - (one.served() == null ? 0 : one.served().editOffset());
  }

  private static Tags tags(ObjectHealth.Of one) {
    return Tags.of(Names.OBJECT_TYPE, one.type());
  }

  private void put(
      String name,
      @Nullable String unit,
      List<ObjectHealth.Of> types,
      Function<Standing, @Nullable Long> value) {
    Map<Tags, Double> rows = new LinkedHashMap<>();
    for (ObjectHealth.Of one : types) {
      Long known = value.apply(one.standing());
      if (known != null) {
        rows.put(tags(one), known.doubleValue());
      }
    }
    metrics.table(name, unit).show(rows);
  }
}
