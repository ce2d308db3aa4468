package dev.tidemark.activities.index.stage;

import dev.tidemark.activities.index.object.SourceRow;
import dev.tidemark.activities.index.segment.StoredObjects;
import dev.tidemark.activities.index.source.Duplicates;
import dev.tidemark.workflows.index.Datasource;
import java.io.IOException;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;

/**
 * Compares all rows that a datasource has with the objects that are known: one bit for each of
 * those says that it was seen, and those without it have no row any more.
 */
final class SnapshotDifference {
  private final int place;
  private final IndexReader reader;
  private final StoredObjects stored;
  private final FixedBitSet seen;
  private final Duplicates duplicates;

  SnapshotDifference(Datasource datasource, int place, IndexReader reader, StoredObjects stored) {
    this.place = place;
    this.reader = reader;
    this.stored = stored;
    this.seen = new FixedBitSet(Math.max(1, reader.maxDoc()));
    this.duplicates = KeyRows.duplicates(datasource);
  }

  /** Whether a row says something new of its object. */
  boolean isChange(String key, SourceRow row) throws IOException {
    int document = stored.find(new BytesRef(key));
    if (document < 0) {
      return true;
    }
    if (seen.getAndSet(document)) {
      duplicates.add(key);
    }
    SourceRow known = stored.state(document).rows().get(place);
    return known == null || !row.saysTheSame(known);
  }

  /** Refuses the rows if keys came twice (D15). */
  void check() throws IOException {
    duplicates.check();
  }

  /** Takes a key. */
  interface Keys {
    void take(BytesRef key) throws IOException;
  }

  /** The keys that had a row, and have none any more. */
  void deletions(Keys keys) throws IOException {
    for (LeafReaderContext leaf : reader.leaves()) {
      Bits live = leaf.reader().getLiveDocs();
      for (int i = 0; i < leaf.reader().maxDoc(); i++) {
        int document = leaf.docBase + i;
        if (!seen.get(document) && (live == null || live.get(i))) {
          SourceRow row = stored.state(document).rows().get(place);
          if (row != null && !row.isTombstone()) {
            keys.take(new BytesRef(stored.key(document)));
          }
        }
      }
    }
  }
}
