package dev.tidemark.worker.benchmark;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import javax.sql.DataSource;

/**
 * What a program without Tidemark would do at least: the same files and a marker as large, each
 * synced and hashed, moved into place in the same order, and one database commit.
 */
final class BarePublish {
  private static final int BUFFER = 64 * 1024;

  private final Database database;
  private final Path location;
  private int published;

  BarePublish(DataSource ledger, Path location) throws IOException {
    this.database = new Database(ledger);
    this.location = Files.createDirectories(location);
    database.roundTrip(connection -> CREATE.on(connection).update());
  }

  private static final Sql CREATE =
      Sql.of("create table if not exists public.bare_commit (n bigint primary key, content text)");

  private static final Sql COMMIT =
      Sql.of("insert into public.bare_commit (n, content) values (:n, :content)");

  void publish(int files, byte[] content, String marker) throws IOException {
    int number = ++published;
    Path temporary = Files.createDirectories(location.resolve("_staging/" + number));
    List<Path> staged = new ArrayList<>();
    StringBuilder hashes = new StringBuilder();
    for (int i = 0; i < files; i++) {
      Path file = Files.write(temporary.resolve("f" + i), content);
      sync(file, StandardOpenOption.WRITE);
      hashes.append(sha256(file)).append('\n');
      staged.add(file);
    }
    Path stagedMarker = Files.writeString(temporary.resolve("m"), marker, StandardCharsets.UTF_8);
    sync(stagedMarker, StandardOpenOption.WRITE);
    Path folder = Files.createDirectory(location.resolve("n=" + number));
    sync(location, StandardOpenOption.READ);
    for (Path file : staged) {
      Files.move(file, folder.resolve(file.getFileName()), StandardCopyOption.ATOMIC_MOVE);
    }
    sync(folder, StandardOpenOption.READ);
    Files.move(stagedMarker, folder.resolve("_manifest.json"), StandardCopyOption.ATOMIC_MOVE);
    sync(folder, StandardOpenOption.READ);
    Files.delete(temporary);
    database.roundTrip(
        connection ->
            COMMIT.on(connection).set("n", number).set("content", hashes.toString()).update());
  }

  private static void sync(Path path, StandardOpenOption option) throws IOException {
    try (FileChannel channel = FileChannel.open(path, option)) {
      channel.force(true);
    }
  }

  private static String sha256(Path file) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[BUFFER];
      try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
        while (in.read(buffer) >= 0) {
          // The digest sees what is read.
        }
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
