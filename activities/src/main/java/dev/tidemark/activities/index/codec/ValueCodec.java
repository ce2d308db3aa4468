package dev.tidemark.activities.index.codec;

import dev.tidemark.workflows.export.ColumnType;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;
import org.jspecify.annotations.Nullable;

/** One value of a property; equal values are equal bytes. */
final class ValueCodec {
  private static final byte NULL = 0;
  private static final byte PRESENT = 1;

  private static final long MICROS = 1_000_000;

  private ValueCodec() {}

  static void write(DataOutput out, ColumnType type, @Nullable Object value) throws IOException {
    if (value == null) {
      out.writeByte(NULL);
      return;
    }
    out.writeByte(PRESENT);
    switch (type.kind()) {
      case BOOLEAN -> out.writeByte((byte) ((Boolean) value ? 1 : 0));
      case INT, BIGINT -> out.writeZLong((Long) value);
      case DOUBLE -> out.writeLong(Double.doubleToLongBits((Double) value));
      case DECIMAL -> writeDecimal(out, (BigDecimal) value);
      case STRING, JSON -> out.writeString((String) value);
      case DATE -> out.writeZLong(((LocalDate) value).toEpochDay());
      case TIMESTAMP -> writeInstant(out, (Instant) value);
      case BYTES -> writeBytes(out, (byte[]) value);
    }
  }

  static @Nullable Object read(DataInput in, ColumnType type) throws IOException {
    if (in.readByte() == NULL) {
      return null;
    }
    return switch (type.kind()) {
      case BOOLEAN -> in.readByte() == 1;
      case INT, BIGINT -> in.readZLong();
      case DOUBLE -> Double.longBitsToDouble(in.readLong());
      case DECIMAL -> readDecimal(in);
      case STRING, JSON -> in.readString();
      case DATE -> LocalDate.ofEpochDay(in.readZLong());
      case TIMESTAMP -> readInstant(in);
      case BYTES -> readBytes(in);
    };
  }

  static void writeDecimal(DataOutput out, BigDecimal value) throws IOException {
    out.writeZInt(value.scale());
    writeBytes(out, value.unscaledValue().toByteArray());
  }

  static BigDecimal readDecimal(DataInput in) throws IOException {
    int scale = in.readZInt();
    return new BigDecimal(new BigInteger(readBytes(in)), scale);
  }

  /** In microseconds, of which every value is a whole number. */
  static void writeInstant(DataOutput out, Instant value) throws IOException {
    out.writeZLong(
        Math.addExact(Math.multiplyExact(value.getEpochSecond(), MICROS), value.getNano() / 1_000));
  }

  static Instant readInstant(DataInput in) throws IOException {
    long micros = in.readZLong();
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1_000);
  }

  private static void writeBytes(DataOutput out, byte[] bytes) throws IOException {
    out.writeVInt(bytes.length);
    out.writeBytes(bytes, bytes.length);
  }

  private static byte[] readBytes(DataInput in) throws IOException {
    byte[] bytes = new byte[in.readVInt()];
    in.readBytes(bytes, 0, bytes.length);
    return bytes;
  }
}
