package dev.tidemark.activities.store.s3;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A content that must have the length that was announced: the JDK's client does not look. */
final class WholeContent extends FilterInputStream {
  private final long length;
  private final String address;
  private long read;

  WholeContent(InputStream content, long length, String address) {
    super(content);
    this.length = length;
    this.address = address;
  }

  @Override
  public int read() throws IOException {
    int octet = in.read();
    count(octet < 0 ? -1 : 1);
    return octet;
  }

  @Override
  public int read(byte[] into, int offset, int wanted) throws IOException {
    int n = in.read(into, offset, wanted);
    count(n);
    return n;
  }

  @Override
  public long skip(long wanted) throws IOException {
    long n = in.skip(wanted);
    read += n;
    return n;
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  private void count(int n) throws EOFException {
    if (n >= 0) {
      read += n;
    } else if (read < length) {
      throw new EOFException(
          address + " ended after " + read + " of its " + length + " bytes: the connection broke");
    }
  }
}
