package dev.tidemark.worker.benchmark;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.management.ListenerNotFoundException;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * The most of the heap that was used at one time: it grows from one collection to the next, and so
 * was at its largest just before one, or is now. (The peaks of its pools were at different times,
 * and their sum can be more than there is.) Costs a look per collection.
 */
final class PeakHeap implements AutoCloseable {
  private final Set<String> pools =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .map(MemoryPoolMXBean::getName)
          .collect(Collectors.toSet());

  private final AtomicLong most = new AtomicLong();
  private final NotificationListener listener =
      (notification, unused) -> {
        if (notification
            .getType()
            .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
          collected((CompositeData) notification.getUserData());
        }
      };

  private PeakHeap() {}

  /** Begins to look. */
  static PeakHeap watch() {
    PeakHeap peak = new PeakHeap();
    ManagementFactory.getGarbageCollectorMXBeans().stream()
        .map(NotificationEmitter.class::cast)
        .forEach(collector -> collector.addNotificationListener(peak.listener, null, null));
    return peak;
  }

  private void collected(CompositeData data) {
    Map<String, MemoryUsage> before =
        GarbageCollectionNotificationInfo.from(data).getGcInfo().getMemoryUsageBeforeGc();
    long used =
        before.entrySet().stream()
            .filter(pool -> pools.contains(pool.getKey()))
            .mapToLong(pool -> pool.getValue().getUsed())
            .sum();
    most.accumulateAndGet(used, Math::max);
  }

  /** Since it began to look. */
  long megabytes() {
    long now = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    return most.accumulateAndGet(now, Math::max) >> 20;
  }

  @Override
  public void close() throws ListenerNotFoundException {
    for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      ((NotificationEmitter) collector).removeNotificationListener(listener);
    }
  }
}
