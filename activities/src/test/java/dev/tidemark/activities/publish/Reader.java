package dev.tidemark.activities.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads a partition as the contract says (section 4), both ways: by the manifest and by glob. */
final class Reader {
  private final Path folder;

  Reader(Path folder) {
    this.folder = folder;
  }

  /**
   * The contents of the partition's files in order; empty if it is absent. Fails if a reader could
   * take something else for complete.
   */
  Optional<List<String>> read() throws IOException {
    while (true) {
      Optional<Manifest> before = manifest();
      if (before.isEmpty()) {
        return Optional.empty();
      }
      Optional<List<String>> named = contents(before.get());
      List<String> globbed = parts();
      Optional<Manifest> after = manifest();
      if (after.isPresent() && after.get().token() == before.get().token()) {
        assertThat(named).as("every file of the manifest is there").isPresent();
        assertThat(globbed)
            .as("part-* is what the manifest names")
            .isEqualTo(before.get().files().stream().map(Manifest.Part::name).toList());
        return named;
      }
    }
  }

  Optional<Manifest> manifest() throws IOException {
    try {
      return Optional.of(
          Json.read(Files.readString(folder.resolve("_manifest.json")), Manifest.class));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private Optional<List<String>> contents(Manifest manifest) throws IOException {
    List<String> contents = new ArrayList<>();
    for (Manifest.Part part : manifest.files()) {
      try {
        contents.add(Files.readString(folder.resolve(part.name())));
      } catch (NoSuchFileException e) {
        return Optional.empty();
      }
    }
    return Optional.of(contents);
  }

  /** What {@code part-*} finds. */
  List<String> parts() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("part-"))
          .sorted()
          .toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }
}
