package dev.tidemark.activities.export;

import dev.tidemark.activities.export.row.Misfit;
import dev.tidemark.workflows.export.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A value that its column cannot hold: the data is bad, and another attempt finds the same. */
public final class MisfitException extends Exception {
  private static final long serialVersionUID = 1L;

  private static final int SHOWN = 200;

  MisfitException(String message) {
    super(message);
  }

  /** The whole of it, as people find the row by it. */
  static MisfitException of(List<Column> columns, Misfit misfit) {
    Column column = columns.get(misfit.column());
    return new MisfitException(
        "column '%s' of the row with %s %s has %s, which is no %s: %s"
            .formatted(
                column.name(),
                columns.get(0).name(),
                shown(misfit.key()),
                shown(misfit.value()),
                column.type(),
                misfit.rule()));
  }

  private static String shown(@Nullable String value) {
    String text = String.valueOf(value);
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
  }
}
