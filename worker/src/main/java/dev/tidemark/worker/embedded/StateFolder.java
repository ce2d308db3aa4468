package dev.tidemark.worker.embedded;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tidemark.worker.embedded.ServicesFile.Published;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code .tidemark/} beside a configuration: the embedded services' data and logs, a lock held by
 * whoever started them, and {@code services.json}. The system gives a killed holder's lock back, so
 * that lock and file together tell a running owner from a dead one.
 */
final class StateFolder {
  private static final Logger log = LoggerFactory.getLogger(StateFolder.class);
  private static final ObjectMapper JSON =
      JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();

  private final Path folder;

  private StateFolder(Path folder) {
    this.folder = folder;
  }

  /** The folder of that name in {@code parent}, made if it is not there. */
  static StateFolder in(Path parent) throws IOException {
    Path folder = parent.resolve(".tidemark");
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder);
      // Whoever keeps the configuration in Git does not want this in it.
      Files.writeString(folder.resolve(".gitignore"), "*\n");
    }
    return new StateFolder(folder);
  }

  Path file(String name) {
    return folder.resolve(name);
  }

  /** The lock, unless somebody alive holds it. */
  Optional<FileLock> tryLock() throws IOException {
    FileChannel channel =
        FileChannel.open(
            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      log.trace("held by this JVM", e);
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
    return Optional.ofNullable(lock);
  }

  /** What the file says; empty where there is none, or none that can be read. */
  Optional<ServicesFile> read() throws IOException {
    try {
      return Optional.of(JSON.readValue(Files.readAllBytes(servicesFile()), ServicesFile.class));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (com.fasterxml.jackson.core.JacksonException e) {
      log.warn("{} is unreadable and is passed over", servicesFile(), e);
      return Optional.empty();
    }
  }

  /** For the holder of the lock: says that this process owns the services. */
  void own() throws IOException {
    write(new ServicesFile(ServiceProcess.of("owner", ProcessHandle.current()), List.of(), null));
  }

  /** For the holder of the lock: remembers a process to be ended if this one is killed. */
  synchronized void remember(ServiceProcess process) throws IOException {
    write(read().orElseThrow(() -> new IOException(servicesFile() + " is gone")).with(process));
  }

  /** For the holder of the lock: tells others where the services are. */
  synchronized void publish(Published where) {
    try {
      write(read().orElseThrow(() -> new IOException(servicesFile() + " is gone")).with(where));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** For the holder of the lock: nobody owns services here any more. */
  void disown() throws IOException {
    Files.deleteIfExists(servicesFile());
  }

  private Path servicesFile() {
    return folder.resolve("services.json");
  }

  private void write(ServicesFile content) throws IOException {
    Path draft = folder.resolve("services.json.draft");
    Files.write(draft, JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(content));
    Files.move(draft, servicesFile(), StandardCopyOption.ATOMIC_MOVE);
  }
}
