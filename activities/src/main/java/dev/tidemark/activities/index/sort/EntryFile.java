package dev.tidemark.activities.index.sort;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.store.InputStreamDataInput;
import org.apache.lucene.store.OutputStreamDataOutput;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Entries in a file, with an end that says that it is one. */
public final class EntryFile {
  private static final int BUFFER = 64 * 1024;
  private static final byte ENTRY = 1;
  private static final byte END = 0;

  private EntryFile() {}

  /** Writes a new file; it is whole once this is closed. */
  public static final class Writer implements Closeable {
    private final OutputStreamDataOutput out;
    private long entries;

    public Writer(Path file) throws IOException {
      out =
          new OutputStreamDataOutput(new BufferedOutputStream(Files.newOutputStream(file), BUFFER));
    }

    public void write(BytesRef key, BytesRef value) throws IOException {
      out.writeByte(ENTRY);
      write(out, key);
      write(out, value);
      entries++;
    }

    private static void write(DataOutput out, BytesRef bytes) throws IOException {
      out.writeVInt(bytes.length);
      out.writeBytes(bytes.bytes, bytes.offset, bytes.length);
    }

    /** How many were written. */
    public long entries() {
      return entries;
    }

    @Override
    public void close() throws IOException {
      try (out) {
        out.writeByte(END);
      }
    }
  }

  /** Reads a file from its begin. */
  public static Entries read(Path file) throws IOException {
    InputStreamDataInput in =
        new InputStreamDataInput(new BufferedInputStream(Files.newInputStream(file), BUFFER));
    return new Entries() {
      @Override
      public @Nullable Entry next() throws IOException {
        return in.readByte() == END ? null : new Entry(bytes(in), bytes(in));
      }

      @Override
      public void close() throws IOException {
        in.close();
      }
    };
  }

  private static BytesRef bytes(DataInput in) throws IOException {
    byte[] bytes = new byte[in.readVInt()];
    in.readBytes(bytes, 0, bytes.length);
    return new BytesRef(bytes);
  }
}
