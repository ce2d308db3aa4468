package dev.tidemark.activities.index.sort;

import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import org.apache.lucene.util.BitUtil;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefArray;
import org.apache.lucene.util.BytesRefBuilder;
import org.apache.lucene.util.BytesRefIterator;
import org.apache.lucene.util.Counter;
import org.jspecify.annotations.Nullable;

/**
 * Entries that wait to be sorted, in a few large blocks of memory: as objects of their own each
 * collection of garbage would look at them and copy them, and whoever asks for objects in this
 * process would wait for that.
 */
final class EntryBlocks {
  /** What sorting one costs beside what it is counted with: its place, twice. */
  private static final int OVERHEAD = 2 * Integer.BYTES;

  private static final Comparator<BytesRef> BY_KEY =
      (one, other) -> {
        int oneFrom = one.offset + Integer.BYTES;
        int otherFrom = other.offset + Integer.BYTES;
        return Arrays.compareUnsigned(
            one.bytes,
            oneFrom,
            oneFrom + keyLength(one),
            other.bytes,
            otherFrom,
            otherFrom + keyLength(other));
      };

  private final Counter blocks = Counter.newCounter();
  private final BytesRefArray entries = new BytesRefArray(blocks);
  private final BytesRefBuilder packed = new BytesRefBuilder();

  /** Packs its key's length, its key and its value. */
  void add(BytesRef key, BytesRef value) {
    packed.grow(Integer.BYTES + key.length + value.length);
    packed.setLength(Integer.BYTES);
    BitUtil.VH_LE_INT.set(packed.bytes(), 0, key.length);
    packed.append(key);
    packed.append(value);
    entries.append(packed.get());
  }

  private static int keyLength(BytesRef packed) {
    return (int) BitUtil.VH_LE_INT.get(packed.bytes, packed.offset);
  }

  /** Bytes that it holds. */
  long memory() {
    return blocks.get() + (long) OVERHEAD * entries.size();
  }

  boolean isEmpty() {
    return entries.size() == 0;
  }

  void clear() {
    entries.clear();
  }

  /** All of them by key, those of one key as they were added; nothing may be added meanwhile. */
  Entries sorted() {
    BytesRefIterator sorted = entries.iterator(entries.sort(BY_KEY, true));
    return new Entries() {
      @Override
      public @Nullable Entry next() throws IOException {
        BytesRef next = sorted.next();
        return next == null ? null : entry(next);
      }

      @Override
      public void close() {
        // Nothing is open.
      }
    };
  }

  private static Entry entry(BytesRef packed) {
    int from = packed.offset + Integer.BYTES;
    int middle = from + keyLength(packed);
    int to = packed.offset + packed.length;
    return new Entry(
        new BytesRef(Arrays.copyOfRange(packed.bytes, from, middle)),
        new BytesRef(Arrays.copyOfRange(packed.bytes, middle, to)));
  }
}
