package dev.tidemark.activities.publish;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.tidemark.activities.store.Fetch;
import dev.tidemark.activities.store.StoredObject;
import dev.tidemark.activities.store.StoredText;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Reads what a pipeline has published, by the reading protocol: the marker, the files that it
 * names, and the marker again. It asks the store alone, and needs no ledger.
 */
public final class OutputReader {
  private static final int MAX_TRIES = 10;

  private final PipelineDefinition definition;
  private final OutputPlaces places;

  /**
   * @throws IllegalArgumentException if the pipeline has no output, or this process has not the key
   *     that accounts are hashed with
   */
  public OutputReader(PipelineDefinition definition, Stores stores) {
    OutputSpec output = definition.output();
    if (output == null) {
      throw new IllegalArgumentException(
          "pipeline '" + definition.name() + "' has no output: its task owns what it makes");
    }
    this.definition = definition;
    this.places = new OutputPlaces(definition, output, stores);
  }

  /** Takes the files of one output. May be called again: what it did before is to be forgotten. */
  @FunctionalInterface
  public interface Reading<T> {
    T read(PublishedOutput output) throws IOException;
  }

  /**
   * The partition's output, or empty if it is not complete now.
   *
   * @throws BadMarkerException if what is there is not a manifest of this partition
   */
  public Optional<PublishedOutput> find(Window window, Slice slice) throws IOException {
    OutputPlaces.OutputPlace place = places.of(window, slice);
    String marker = place.layout().marker();
    if (marker == null) {
      return file(place, window);
    }
    Optional<StoredText> text = place.store().read(marker);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Manifest manifest = manifest(text.get(), place.store().address(marker), window, place.slice());
    return Optional.of(named(manifest, place));
  }

  /**
   * Reads the partition's files so that all of them are of one output, or none is: reads again
   * where it was published anew meanwhile.
   *
   * @return empty if it is not complete
   * @throws IOException as the reading does, or if it is published anew each time, or has no file
   *     that it names
   */
  public <T> Optional<T> read(Window window, Slice slice, Reading<T> reading) throws IOException {
    IOException failed = null;
    for (int i = 0; i < MAX_TRIES; i++) {
      Optional<PublishedOutput> before = find(window, slice);
      if (before.isEmpty()) {
        return Optional.empty();
      }
      try {
        T result = reading.read(before.get());
        if (isSame(before.get(), window, slice)) {
          return Optional.of(result);
        }
      } catch (IOException e) {
        // A file may be gone because it was replaced, or because a zombie's marker names it, which
        // a
        // store without conditional writes lets stand for a while; else the failure is a real one.
        if (!(e instanceof NoSuchFileException) && isSame(before.get(), window, slice)) {
          throw e;
        }
        failed = e;
      }
    }
    throw new IOException(
        "partition %s of %s is published anew each time that it is read, or its marker names a file that is not there"
            .formatted(window.label(), definition.name()),
        failed);
  }

  /**
   * Brings a file of an output to the local file system, to be read only; within a {@link Reading}.
   *
   * @param target that is not there yet
   */
  public void fetch(Window window, Slice slice, PublishedOutput.File file, Path target)
      throws IOException {
    OutputPlaces.OutputPlace place = places.of(window, slice);
    String root = place.address();
    String name = place.layout().output() + file.address().substring(root.length());
    Fetch.to(target, place.store(), name);
  }

  private boolean isSame(PublishedOutput before, Window window, Slice slice) throws IOException {
    return find(window, slice)
        .filter(after -> Objects.equals(after.token(), before.token()))
        .isPresent();
  }

  private Manifest manifest(StoredText text, String address, Window window, Slice slice)
      throws BadMarkerException {
    Manifest manifest;
    try {
      manifest = Json.read(text.text(), Manifest.class);
    } catch (JsonProcessingException e) {
      throw new BadMarkerException(address + " is no manifest");
    }
    if (!manifest.isOf(definition.name(), window.label(), slice.values())) {
      throw new BadMarkerException(address + " is the manifest of another partition");
    }
    return manifest;
  }

  private static PublishedOutput named(Manifest manifest, OutputPlaces.OutputPlace place) {
    return PublishedOutput.of(
        manifest, part -> place.store().address(FoundManifest.nameOf(part, place)));
  }

  /** Where the atomic move of the file is the commit. */
  private Optional<PublishedOutput> file(OutputPlaces.OutputPlace place, Window window)
      throws IOException {
    List<StoredObject> found = new ArrayList<>();
    String name = place.layout().output();
    place
        .store()
        .walk(
            name,
            null,
            object -> {
              if (object.name().equals(name)) {
                found.add(object);
              }
              return false;
            });
    return found.stream()
        .findFirst()
        .map(
            object ->
                new PublishedOutput(
                    definition.name(),
                    window.label(),
                    place.slice().values(),
                    null,
                    null,
                    object.bytes(),
                    null,
                    List.of(
                        new PublishedOutput.File(place.address(), null, object.bytes(), null))));
  }
}
