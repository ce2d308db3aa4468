package dev.tidemark.activities.ledger.output;

import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What the ledger says of one partition's output.
 *
 * @param version of the row: another once anything of it was written
 * @param commit null where it was never committed
 * @param judged whether the store may be compared with it: expected, not excused, under no claim
 * @param lost it is known to be lost
 */
public record OutputRow(
    long id,
    String version,
    Window window,
    Slice slice,
    @Nullable Commit commit,
    boolean judged,
    boolean lost) {

  /**
   * The last commit.
   *
   * @param output full address, null where not known
   * @param files how many parts have its token in their names; null where that is not known
   * @param bytes null where not known
   * @param content hash of the contents, null where not known
   * @param definition fingerprint that it was made with, null where not known
   */
  public record Commit(
      long token,
      @Nullable String output,
      @Nullable Integer files,
      @Nullable Long bytes,
      @Nullable String content,
      @Nullable String definition) {}

  static OutputRow of(Row row) throws SQLException {
    Long token = row.numberOrNull("committed_token");
    Long files = row.numberOrNull("files");
    return new OutputRow(
        row.number("id"),
        row.text("version"),
        new Window(row.text("partition"), row.instant("window_start"), row.instant("window_end")),
        Slice.parse(row.text("slice")),
        token == null
            ? null
            : new Commit(
                token,
                row.textOrNull("output"),
                files == null ? null : Math.toIntExact(files),
                row.numberOrNull("bytes"),
                row.textOrNull("content"),
                row.textOrNull("definition")),
        row.flag("judged"),
        row.flag("lost"));
  }
}
