package dev.tidemark.activities.inputs;

import dev.tidemark.activities.inputs.Glob.Segment;
import dev.tidemark.activities.placeholder.PartitionValues;
import dev.tidemark.activities.placeholder.Template;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Versions from files: a fingerprint of path, size and modification time of every file that matches
 * a partition's glob. No match means that there is nothing; a folder that cannot be read is an
 * error.
 */
final class FilesDetector implements ChangeDetector {
  /** Up to here asking for each name is cheaper than listing a folder that may be long. */
  private static final int FEW = 4;

  private final Path baseFolder;
  private final Template glob;

  FilesDetector(Path baseFolder, String glob) {
    this.baseFolder = baseFolder.toAbsolutePath();
    this.glob = Template.parse(glob);
  }

  @Override
  public void scan(Range range, Consumer<Found> found) throws IOException {
    List<Window> windows = range.partitions().windows(range.from(), range.to());
    Slice slice = range.slice() == null ? Slice.EMPTY : range.slice();
    Walk walk = new Walk(windows.size() > FEW);
    for (Window window : windows) {
      PartitionValues values = new PartitionValues(window, slice, range.partitions().zone());
      walk.find(Glob.of(glob, values))
          .forEach(
              (captured, files) ->
                  found.accept(
                      new Found(
                          window.label(),
                          range.slice() == null ? Slice.of(captured) : slice,
                          Fingerprint.of(String.join("\n", files.values())))));
    }
  }

  /** Matches globs against the file system, listing each folder at most once. */
  private final class Walk {
    private final Listings listings = new Listings();
    private final boolean many;

    Walk(boolean many) {
      this.many = many;
    }

    /** The description of each matching file by its path, by the dimensions captured. */
    Map<Map<String, String>, SortedMap<String, String>> find(Glob glob) throws IOException {
      Map<Map<String, String>, SortedMap<String, String>> found = new HashMap<>();
      List<Segment> segments = glob.segments();
      boolean absolute = segments.size() > 1 && segments.get(0).isRoot();
      Path start = absolute ? baseFolder.getRoot() : baseFolder;
      match(start, segments.subList(absolute ? 1 : 0, segments.size()), Map.of(), found);
      return found;
    }

    private void match(
        Path folder,
        List<Segment> segments,
        Map<String, String> captured,
        Map<Map<String, String>, SortedMap<String, String>> found)
        throws IOException {
      Segment segment = segments.get(0);
      List<Segment> rest = segments.subList(1, segments.size());
      if (segment.isDeep()) {
        matchDeep(folder, segments, captured, found);
        return;
      }
      Pattern pattern = segment.pattern();
      if (pattern == null) {
        boolean absent =
            many && rest.isEmpty() && !listings.names(folder, "").contains(segment.prefix());
        if (!absent) {
          step(folder.resolve(segment.prefix()), rest, captured, found);
        }
        return;
      }
      for (String name : listings.names(folder, segment.prefix())) {
        Matcher matcher = pattern.matcher(name);
        if (matcher.matches()) {
          Map<String, String> more = captures(segment, matcher, captured);
          if (more != null) {
            step(folder.resolve(name), rest, more, found);
          }
        }
      }
    }

    private void matchDeep(
        Path folder,
        List<Segment> segments,
        Map<String, String> captured,
        Map<Map<String, String>, SortedMap<String, String>> found)
        throws IOException {
      List<Segment> rest = segments.subList(1, segments.size());
      if (rest.isEmpty()) {
        throw new IllegalArgumentException("'" + glob + "' must name files after **, such as **/*");
      }
      match(folder, rest, captured, found);
      for (String name : listings.names(folder, "")) {
        Path child = folder.resolve(name);
        if (!name.startsWith(".") && Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
          match(child, segments, captured, found);
        }
      }
    }

    private void step(
        Path path,
        List<Segment> rest,
        Map<String, String> captured,
        Map<Map<String, String>, SortedMap<String, String>> found)
        throws IOException {
      if (!rest.isEmpty()) {
        match(path, rest, captured, found);
        return;
      }
      try {
        BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class);
        if (file.isRegularFile()) {
          String name = baseFolder.relativize(path).toString();
          String modified = Long.toString(file.lastModifiedTime().to(TimeUnit.NANOSECONDS));
          found
              .computeIfAbsent(captured, slice -> new TreeMap<>())
              .put(name, name + "\t" + file.size() + "\t" + modified);
        }
      } catch (NoSuchFileException e) {
        // Not there, or gone since it was listed: nothing of it is input now.
        return;
      }
    }
  }

  /** The captured dimensions with those of this match, or null where one differs. */
  static @Nullable Map<String, String> captures(
      Segment segment, Matcher matcher, Map<String, String> before) {
    if (segment.captures().isEmpty()) {
      return before;
    }
    Map<String, String> all = new TreeMap<>(before);
    for (int i = 0; i < segment.captures().size(); i++) {
      String value = matcher.group(i + 1);
      String earlier = all.put(segment.captures().get(i), value);
      if (earlier != null && !earlier.equals(value)) {
        return null;
      }
    }
    return all;
  }
}
