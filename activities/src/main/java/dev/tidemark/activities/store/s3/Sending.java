package dev.tidemark.activities.store.s3;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/**
 * Sends one file as the parts of an upload. Each part is read once for its digests and once to be
 * sent; the store compares what it got with the checksum of the first reading, so that the SHA-256
 * is that of what it has.
 */
final class Sending {
  private static final String BYTES = "application/octet-stream";
  private static final long MEGABYTE = 1024L * 1024;

  /** What S3 allows. */
  private static final int MAX_PARTS = 10_000;

  private static final int BUFFER = 64 * 1024;

  private final S3Calls calls;
  private final Keys keys;
  private final Upload upload;
  private final FileChannel content;
  private final MessageDigest digest;

  Sending(S3Calls calls, Keys keys, Upload upload, FileChannel content, MessageDigest sha256) {
    this.calls = calls;
    this.keys = keys;
    this.upload = upload;
    this.content = content;
    this.digest = sha256;
  }

  /** Whole megabytes, at least 16, and as many as keep the parts within what S3 allows. */
  static long partSize(long size) {
    long least = (size + MAX_PARTS - 1) / MAX_PARTS;
    return Math.max(16, (least + MEGABYTE - 1) / MEGABYTE) * MEGABYTE;
  }

  /** Sends all of it; an empty file is one empty part. */
  List<CompletedPart> run() throws IOException {
    long size = content.size();
    long partSize = partSize(size);
    List<CompletedPart> parts = new ArrayList<>();
    long offset = 0;
    do {
      long length = Math.min(partSize, size - offset);
      parts.add(part(parts.size() + 1, offset, length));
      offset += length;
    } while (offset < size);
    return parts;
  }

  /** SHA-256 of what was sent, in hex. */
  String sha256() {
    return HexFormat.of().formatHex(digest.digest());
  }

  private CompletedPart part(int number, long offset, long length) throws IOException {
    String checksum = checksum(offset, length);
    return calls.call(
        "stage",
        keys.address(upload.target()),
        s3 -> {
          UploadPartResponse sent = send(s3, number, offset, length, checksum);
          // A store that does not know checksums does not get one when the upload is completed.
          return CompletedPart.builder()
              .partNumber(number)
              .eTag(sent.eTag())
              .checksumCRC32(sent.checksumCRC32())
              .build();
        });
  }

  private UploadPartResponse send(
      S3Client s3, int number, long offset, long length, String checksum) throws IOException {
    try {
      return s3.uploadPart(
          part ->
              part.bucket(keys.bucket())
                  .key(upload.key())
                  .uploadId(upload.id())
                  .partNumber(number)
                  .contentLength(length)
                  .checksumCRC32(checksum)
                  .overrideConfiguration(Uploads.PATIENT),
          RequestBody.fromContentProvider(
              () -> new FileRange(content, offset, length), length, BYTES));
    } catch (S3Exception e) {
      if (S3Failure.isNoSuchUpload(e)) {
        throw Uploads.takenAway(keys.address(upload.target()), e);
      }
      throw e;
    }
  }

  /** CRC-32 of a range, as S3 writes it; the range goes into the digest of the whole too. */
  private String checksum(long offset, long length) throws IOException {
    CRC32 crc = new CRC32();
    byte[] buffer = new byte[(int) Math.min(BUFFER, Math.max(1, length))];
    try (InputStream range = new FileRange(content, offset, length)) {
      for (int n = range.read(buffer); n >= 0; n = range.read(buffer)) {
        crc.update(buffer, 0, n);
        digest.update(buffer, 0, n);
      }
    }
    byte[] value = ByteBuffer.allocate(Integer.BYTES).putInt((int) crc.getValue()).array();
    return Base64.getEncoder().encodeToString(value);
  }
}
