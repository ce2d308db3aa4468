package dev.tidemark.activities.index.stage;

import dev.tidemark.activities.index.codec.StateCodec;
import dev.tidemark.activities.index.object.ObjectState;
import dev.tidemark.activities.index.object.SourceRow;
import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.index.segment.IndexManifest.Taken;
import dev.tidemark.activities.index.segment.ObjectDocuments;
import dev.tidemark.activities.index.segment.StoredObjects;
import dev.tidemark.activities.index.sort.EntryFile;
import dev.tidemark.activities.index.sort.ExternalSort;
import dev.tidemark.activities.index.source.BadRowsException;
import dev.tidemark.activities.index.source.RowReader;
import dev.tidemark.activities.index.source.Transaction;
import dev.tidemark.workflows.index.Datasource;
import java.io.Closeable;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Reads the new transactions of a datasource, and writes what of them is a change. */
final class Changelog implements Closeable {
  /** Bytes of rows that are kept in memory before they are spilled. */
  static final long MEMORY = 48L * 1024 * 1024;

  private static final int BEAT_EVERY = 4_096;

  private final Build build;
  private final int place;
  private final Datasource datasource;
  private final StateCodec codec;
  private final Watch watch;
  private final ExternalSort sort;
  private final @Nullable PreviousIndex previous;
  private final @Nullable StoredObjects stored;
  private final Map<Long, Counted> counted = new LinkedHashMap<>();
  private long worked;
  private long entries;

  Changelog(Build build, int place, @Nullable PreviousIndex previous, Path scratch, Watch watch) {
    this.build = build;
    this.place = place;
    this.datasource = build.type().datasources().get(place);
    this.codec = new StateCodec(build.type());
    this.watch = watch;
    this.sort = new ExternalSort(scratch, MEMORY);
    this.previous = previous;
    this.stored =
        previous == null
            ? null
            : new StoredObjects(new ObjectDocuments(build.type()), previous.reader());
  }

  /** What became of the rows of one transaction. */
  private static final class Counted {
    private final Transaction transaction;
    private String version;
    private long changed;

    /** By how many rows the datasource has grown. */
    private long grown;

    /** Of the rows that the transaction gave before it was written anew, how many it gives now. */
    private long givenAgain;

    Counted(Transaction transaction) {
      this.transaction = transaction;
      this.version = transaction.version();
    }
  }

  /** Reads the rows of the transactions, in their order. */
  void read(List<Transaction> transactions, RowReader reader) throws IOException {
    boolean isSnapshot = datasource.kind() instanceof Datasource.Snapshot;
    int from = isSnapshot ? Math.max(0, transactions.size() - 1) : 0;
    for (Transaction transaction : transactions.subList(from, transactions.size())) {
      Counted count = new Counted(transaction);
      counted.put(transaction.number(), count);
      if (isSnapshot && previous != null && stored != null) {
        SnapshotDifference difference =
            new SnapshotDifference(datasource, place, previous.reader(), stored);
        count.version =
            reader.read(
                transaction,
                (key, row) -> {
                  beat();
                  if (difference.isChange(key, row)) {
                    add(new BytesRef(key), row);
                  }
                });
        difference.check();
        difference.deletions(key -> add(key, new SourceRow(transaction.number(), null, null)));
      } else {
        count.version =
            reader.read(
                transaction,
                (key, row) -> {
                  beat();
                  add(new BytesRef(key), row);
                });
      }
    }
  }

  private void add(BytesRef key, SourceRow row) throws IOException {
    sort.add(key, codec.encode(place, row));
  }

  private void beat() {
    if (++worked % BEAT_EVERY == 0) {
      watch.beat();
    }
  }

  /**
   * Writes the rows that are changes, by key and then in the order of their transactions.
   *
   * @return why the build must be a full one instead, null if it need not
   */
  @Nullable String write(Path file) throws IOException {
    try (EntryFile.Writer writer = new EntryFile.Writer(file);
        KeyRows rows = new KeyRows(datasource, place, codec, sort.sorted())) {
      while (rows.next()) {
        beat();
        change(rows.key(), rows.rows(), writer);
      }
      entries = writer.entries();
    }
    return build.isFull() ? null : full();
  }

  private void change(BytesRef key, List<SourceRow> rows, EntryFile.Writer writer)
      throws IOException {
    ObjectState known = stored == null ? null : stored.state(key);
    SourceRow before = known == null ? null : known.rows().get(place);
    SourceRow now = before;
    for (SourceRow row : rows) {
      Counted count = countOf(row);
      if (now != null && !replaces(row, now, key)) {
        continue;
      }
      if (before != null && count.transaction.earlier().contains(before.transaction())) {
        count.givenAgain++;
      }
      if (now != null && row.saysTheSame(now)) {
        continue;
      }
      writer.write(key, codec.encode(place, row));
      count.changed++;
      count.grown += live(row) - live(now);
      now = row;
    }
  }

  private boolean replaces(SourceRow row, SourceRow known, BytesRef key) throws BadRowsException {
    try {
      return row.replaces(known);
    } catch (IllegalArgumentException e) {
      throw KeyRows.refused(datasource, key, e);
    }
  }

  private static int live(@Nullable SourceRow row) {
    return row == null || row.isTombstone() ? 0 : 1;
  }

  private Counted countOf(SourceRow row) {
    Counted count = counted.get(row.transaction());
    if (count == null) {
      throw new IllegalStateException("a row of transaction " + row.transaction());
    }
    return count;
  }

  /**
   * D26, D27: more rows of one transaction have changed than the share of the datasource's rows
   * after it, or a transaction that was written anew lacks keys that it gave before.
   */
  private @Nullable String full() throws IOException {
    long rows = rowsBefore();
    // Decimal: 0.29 of a hundred rows are 29, which they are not in binary.
    BigDecimal share = BigDecimal.valueOf(build.type().rhythm().fullAbove());
    for (Counted count : counted.values()) {
      rows += count.grown;
      if (BigDecimal.valueOf(count.changed).compareTo(share.multiply(BigDecimal.valueOf(rows)))
          > 0) {
        return StageManifest.SHARE;
      }
    }
    for (Counted count : counted.values()) {
      if (!(datasource.kind() instanceof Datasource.Snapshot) && count.givenAgain < given(count)) {
        return StageManifest.RETENTION;
      }
    }
    return null;
  }

  /** How many objects have their row from the transaction, as it was before. */
  private long given(Counted count) throws IOException {
    List<Long> earlier = count.transaction.earlier();
    return previous == null || earlier.isEmpty()
        ? 0
        : new IndexSearcher(previous.reader())
            .count(ObjectDocuments.ofTransactions(place, earlier));
  }

  private long rowsBefore() {
    IndexManifest before = build.previous();
    if (before == null) {
      return 0;
    }
    return before.sources().stream()
        .filter(source -> source.datasource().equals(datasource.name()))
        .mapToLong(IndexManifest.Source::rows)
        .sum();
  }

  long entries() {
    return entries;
  }

  /** Of the datasource, after its transactions. */
  long rows() {
    return rowsBefore() + counted.values().stream().mapToLong(count -> count.grown).sum();
  }

  List<Taken> taken() {
    return counted.values().stream()
        .map(
            count ->
                new Taken(
                    count.transaction.number(),
                    count.transaction.identity(),
                    count.version,
                    count.changed))
        .toList();
  }

  @Override
  public void close() throws IOException {
    sort.close();
  }
}
