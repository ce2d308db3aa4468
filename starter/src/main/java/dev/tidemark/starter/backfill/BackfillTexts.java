package dev.tidemark.starter.backfill;

import dev.tidemark.starter.output.Table;
import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.partition.Slice;
import java.util.List;
import java.util.Locale;

/** Backfills as text for people. */
final class BackfillTexts {
  private BackfillTexts() {}

  static String preview(BackfillView view) {
    return "would ask for " + partitions(view) + " of " + view.pipeline() + "\n" + items(view);
  }

  static String asked(BackfillView view) {
    return "backfill "
        + view.backfillId()
        + " asks for "
        + partitions(view)
        + " of "
        + view.pipeline()
        + "; follow it with `tidemark backfills show "
        + view.backfillId()
        + "`";
  }

  static String settled(BackfillView view) {
    return "backfill "
        + view.backfillId()
        + " of "
        + view.pipeline()
        + " is "
        + state(view)
        + ": "
        + view.completed()
        + " of "
        + partitions(view)
        + " completed, "
        + view.failed()
        + " failed, "
        + view.cancelled()
        + " cancelled"
        + heldUp(view);
  }

  /** In a stateful pipeline what comes after a parked partition cannot run either. */
  private static String heldUp(BackfillView view) {
    int open = view.partitions() - view.completed() - view.failed() - view.cancelled();
    return view.state() == BackfillView.State.FAILED && open > 0
        ? "; %d held up by what is parked before: see `tidemark partitions %s --state parked`"
            .formatted(open, view.pipeline())
        : "";
  }

  static String show(BackfillView view) {
    return settled(view) + "\n" + (view.error() == null ? "" : view.error() + "\n") + items(view);
  }

  static String list(List<BackfillView> views) {
    if (views.isEmpty()) {
      return "no backfills";
    }
    Table table =
        new Table(
            "BACKFILL", "PIPELINE", "STATE", "PARTITIONS", "COMPLETED", "FAILED", "CANCELLED");
    for (BackfillView view : views) {
      table.row(
          view.backfillId(),
          view.pipeline(),
          state(view),
          view.partitions(),
          view.completed(),
          view.failed(),
          view.cancelled());
    }
    return table.render();
  }

  private static String partitions(BackfillView view) {
    return view.partitions() + (view.partitions() == 1 ? " partition" : " partitions");
  }

  private static String state(BackfillView view) {
    return view.state().name().toLowerCase(Locale.ROOT);
  }

  private static String items(BackfillView view) {
    if (view.items() == null || view.items().isEmpty()) {
      return "";
    }
    Table table = new Table("PARTITION", "SLICE");
    for (BackfillView.Item item : view.items()) {
      table.row(item.partition(), Slice.of(item.slice()).canonical());
    }
    return table.render();
  }
}
