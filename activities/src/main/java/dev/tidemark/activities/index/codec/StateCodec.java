package dev.tidemark.activities.index.codec;

import dev.tidemark.activities.index.object.Edit;
import dev.tidemark.activities.index.object.ObjectState;
import dev.tidemark.activities.index.object.ObjectState.EditedValue;
import dev.tidemark.activities.index.object.ObjectState.Existence;
import dev.tidemark.activities.index.object.SourceRow;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.index.ObjectType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * States, rows and edits of one object type as bytes. Bytes are read with the definition that they
 * were written with: an index has one, and one that is built with another begins from its sources.
 */
public final class StateCodec {
  private static final byte FORMAT = 1;

  /** Most of what is encoded has a hundred bytes or two, and there is very much of it. */
  private static final int SMALLEST_BLOCK_BITS = 7;

  private final ObjectType type;

  /** The types of the values of each datasource's rows. */
  private final List<List<ColumnType>> columns;

  public StateCodec(ObjectType type) {
    this.type = type;
    this.columns =
        type.datasources().stream()
            .map(source -> source.properties().stream().map(this::typeOf).toList())
            .toList();
  }

  private ColumnType typeOf(String property) {
    return type.properties().get(type.indexOf(property)).type();
  }

  /** The state of an object. */
  public BytesRef encode(ObjectState state) {
    return bytes(
        out -> {
          for (int i = 0; i < columns.size(); i++) {
            SourceRow row = state.rows().get(i);
            out.writeByte((byte) (row == null ? 0 : 1));
            if (row != null) {
              write(out, i, row);
            }
          }
          Existence said = state.existence();
          out.writeByte((byte) (said == null ? 0 : said.created() ? 2 : 1));
          if (said != null) {
            out.writeVLong(said.offset());
            ValueCodec.writeInstant(out, said.at());
          }
          out.writeVInt(state.edited().size());
          for (Map.Entry<String, EditedValue> edited : state.edited().entrySet()) {
            writeValue(out, edited.getKey(), edited.getValue().value());
            out.writeVLong(edited.getValue().offset());
            ValueCodec.writeInstant(out, edited.getValue().at());
          }
        });
  }

  /** The state that was encoded. */
  public ObjectState state(BytesRef bytes) {
    return read(
        bytes,
        in -> {
          List<@Nullable SourceRow> rows = new ArrayList<>();
          for (int i = 0; i < columns.size(); i++) {
            rows.add(in.readByte() == 0 ? null : readRow(in, i));
          }
          byte said = in.readByte();
          Existence existence =
              said == 0
                  ? null
                  : new Existence(said == 2, in.readVLong(), ValueCodec.readInstant(in));
          SortedMap<String, EditedValue> edited = new TreeMap<>();
          for (int n = in.readVInt(); n > 0; n--) {
            String name = in.readString();
            Object value = ValueCodec.read(in, typeOf(name));
            edited.put(name, new EditedValue(value, in.readVLong(), ValueCodec.readInstant(in)));
          }
          return new ObjectState(rows, existence, edited);
        });
  }

  /**
   * A row.
   *
   * @param datasource its place among those of the type
   */
  public BytesRef encode(int datasource, SourceRow row) {
    return bytes(out -> write(out, datasource, row));
  }

  /** The row that was encoded. */
  public SourceRow row(int datasource, BytesRef bytes) {
    return read(bytes, in -> readRow(in, datasource));
  }

  /** An edit, but for its key. */
  public BytesRef encode(Edit edit) {
    return bytes(
        out -> {
          out.writeVLong(edit.offset());
          out.writeString(edit.action().name());
          ValueCodec.writeInstant(out, edit.madeAt());
          out.writeVInt(edit.values().size());
          for (Map.Entry<String, @Nullable Object> value : edit.values().entrySet()) {
            writeValue(out, value.getKey(), value.getValue());
          }
        });
  }

  /** The edit of an object that was encoded. */
  public Edit edit(String key, BytesRef bytes) {
    return read(
        bytes,
        in -> {
          long offset = in.readVLong();
          Edit.Action action = Edit.Action.valueOf(in.readString());
          Instant madeAt = ValueCodec.readInstant(in);
          Map<String, @Nullable Object> values = new LinkedHashMap<>();
          for (int n = in.readVInt(); n > 0; n--) {
            String name = in.readString();
            values.put(name, ValueCodec.read(in, typeOf(name)));
          }
          return new Edit(offset, key, action, values, madeAt);
        });
  }

  private void writeValue(DataOutput out, String property, @Nullable Object value)
      throws IOException {
    out.writeString(property);
    ValueCodec.write(out, typeOf(property), value);
  }

  private void write(DataOutput out, int datasource, SourceRow row) throws IOException {
    out.writeVLong(row.transaction());
    Orderings.write(out, row.ordering());
    List<@Nullable Object> values = row.values();
    out.writeByte((byte) (values == null ? 0 : 1));
    if (values != null) {
      List<ColumnType> types = columns.get(datasource);
      for (int i = 0; i < types.size(); i++) {
        ValueCodec.write(out, types.get(i), values.get(i));
      }
    }
  }

  private SourceRow readRow(DataInput in, int datasource) throws IOException {
    long transaction = in.readVLong();
    Comparable<?> ordering = Orderings.read(in);
    if (in.readByte() == 0) {
      return new SourceRow(transaction, ordering, null);
    }
    List<@Nullable Object> values = new ArrayList<>();
    for (ColumnType column : columns.get(datasource)) {
      values.add(ValueCodec.read(in, column));
    }
    return new SourceRow(transaction, ordering, values);
  }

  private interface Writing {
    void write(DataOutput out) throws IOException;
  }

  private static BytesRef bytes(Writing writing) {
    ByteBuffersDataOutput out =
        new ByteBuffersDataOutput(
            SMALLEST_BLOCK_BITS,
            ByteBuffersDataOutput.DEFAULT_MAX_BITS_PER_BLOCK,
            ByteBuffersDataOutput.ALLOCATE_BB_ON_HEAP,
            ByteBuffersDataOutput.NO_REUSE);
    try {
      out.writeByte(FORMAT);
      writing.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail", e);
    }
    return new BytesRef(out.toArrayCopy());
  }

  private interface Reading<T> {
    T read(DataInput in) throws IOException;
  }

  private static <T> T read(BytesRef bytes, Reading<T> reading) {
    ByteArrayDataInput in = new ByteArrayDataInput(bytes.bytes, bytes.offset, bytes.length);
    try {
      byte format = in.readByte();
      if (format != FORMAT) {
        throw new IllegalStateException(
            "what is known of an object is of format "
                + format
                + ", which this version does not know; run the version that wrote it, or ask for a"
                + " full reindex");
      }
      return reading.read(in);
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail", e);
    }
  }

  /** The orderings of changes, of four kinds. */
  private static final class Orderings {
    private static final byte NONE = 0;
    private static final byte WHOLE = 1;
    private static final byte DECIMAL = 2;
    private static final byte TIME = 3;
    private static final byte TEXT = 4;

    private Orderings() {}

    static void write(DataOutput out, @Nullable Comparable<?> ordering) throws IOException {
      if (ordering == null) {
        out.writeByte(NONE);
      } else if (ordering instanceof Long whole) {
        out.writeByte(WHOLE);
        out.writeZLong(whole);
      } else if (ordering instanceof BigDecimal decimal) {
        out.writeByte(DECIMAL);
        ValueCodec.writeDecimal(out, decimal);
      } else if (ordering instanceof Instant time) {
        out.writeByte(TIME);
        ValueCodec.writeInstant(out, time);
      } else {
        out.writeByte(TEXT);
        out.writeString((String) ordering);
      }
    }

    static @Nullable Comparable<?> read(DataInput in) throws IOException {
      byte kind = in.readByte();
      return switch (kind) {
        case NONE -> null;
        case WHOLE -> in.readZLong();
        case DECIMAL -> ValueCodec.readDecimal(in);
        case TIME -> ValueCodec.readInstant(in);
        case TEXT -> in.readString();
        default -> throw new IllegalStateException("ordering of kind " + kind);
      };
    }
  }
}
