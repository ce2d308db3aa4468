package dev.tidemark.activities.index.stage;

import dev.tidemark.activities.index.codec.StateCodec;
import dev.tidemark.activities.index.object.SourceRow;
import dev.tidemark.activities.index.sort.Entries;
import dev.tidemark.activities.index.sort.Entry;
import dev.tidemark.activities.index.source.BadRowsException;
import dev.tidemark.activities.index.source.Duplicates;
import dev.tidemark.workflows.index.Datasource;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * The rows of each key, one for each transaction that has any: of changes the one with the largest
 * ordering (D21), of others the only one (D15).
 */
final class KeyRows implements Closeable {
  private final Datasource datasource;
  private final int place;
  private final StateCodec codec;
  private final boolean isCdc;
  private final Entries sorted;
  private final Duplicates duplicates;
  private final List<SourceRow> rows = new ArrayList<>();
  private @Nullable Entry ahead;
  private BytesRef key = new BytesRef();

  /** Which row of the present transaction is the newest cannot be known, as things stand. */
  private boolean isTied;

  KeyRows(Datasource datasource, int place, StateCodec codec, Entries sorted) throws IOException {
    this.datasource = datasource;
    this.place = place;
    this.codec = codec;
    this.isCdc = datasource.kind() instanceof Datasource.Cdc;
    this.sorted = sorted;
    this.duplicates = duplicates(datasource);
    this.ahead = sorted.next();
  }

  /** Of the keys that came more often in one transaction than the datasource's kind allows. */
  static Duplicates duplicates(Datasource datasource) {
    String rule =
        datasource.kind() instanceof Datasource.Cdc cdc
            ? "different rows with the same '" + cdc.ordering() + "' in one transaction:"
            : "more than one row in one transaction:";
    return new Duplicates("datasource '" + datasource.name() + "' gives these keys " + rule);
  }

  /**
   * Goes to the next key.
   *
   * @return false after the last, if nothing has to be refused
   */
  boolean next() throws IOException {
    Entry first = ahead;
    if (first == null) {
      duplicates.check();
      return false;
    }
    key = first.key();
    rows.clear();
    isTied = false;
    Entry entry = first;
    while (entry != null && entry.key().equals(key)) {
      SourceRow row = codec.row(place, entry.value());
      try {
        add(row);
      } catch (IllegalArgumentException e) {
        throw refused(datasource, key, e);
      }
      entry = sorted.next();
    }
    endTransaction();
    ahead = entry;
    return true;
  }

  /** Orderings that cannot be compared: no other attempt can tell which row is newer. */
  static BadRowsException refused(
      Datasource datasource, BytesRef key, IllegalArgumentException rule) {
    return new BadRowsException(
        "datasource '%s', key %s: %s"
            .formatted(datasource.name(), key.utf8ToString(), rule.getMessage()));
  }

  private void add(SourceRow row) {
    SourceRow last = rows.isEmpty() ? null : rows.get(rows.size() - 1);
    if (last == null || last.transaction() != row.transaction()) {
      endTransaction();
      rows.add(row);
    } else if (!isCdc) {
      isTied = true;
    } else if (row.isOrderedAs(last)) {
      isTied |= !row.saysTheSame(last);
    } else if (row.replaces(last)) {
      rows.set(rows.size() - 1, row);
      isTied = false;
    }
  }

  private void endTransaction() {
    if (isTied) {
      duplicates.add(key.utf8ToString());
      isTied = false;
    }
  }

  BytesRef key() {
    return key;
  }

  /** Of the key; valid until the next one. */
  List<SourceRow> rows() {
    return rows;
  }

  @Override
  public void close() throws IOException {
    sorted.close();
  }
}
