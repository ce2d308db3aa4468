package dev.tidemark.activities.store.s3;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Some bytes of an open file. Reads by position, so that any number may read one file at once and a
 * call that is repeated reads the same again; it does not close the file.
 */
final class FileRange extends InputStream {
  private final FileChannel file;
  private final long end;
  private long position;

  FileRange(FileChannel file, long start, long length) {
    this.file = file;
    this.position = start;
    this.end = start + length;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    int wanted = (int) Math.min(length, end - position);
    int read = wanted <= 0 ? -1 : file.read(ByteBuffer.wrap(into, offset, wanted), position);
    if (read < 0 && position < end) {
      throw new IOException("the file became shorter while it was read");
    }
    position += Math.max(read, 0);
    return read;
  }
}
