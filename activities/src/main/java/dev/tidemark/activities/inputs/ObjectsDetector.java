package dev.tidemark.activities.inputs;

import dev.tidemark.activities.inputs.Glob.Segment;
import dev.tidemark.activities.placeholder.PartitionValues;
import dev.tidemark.activities.placeholder.Template;
import dev.tidemark.activities.store.s3.S3Listing;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Versions from files in a bucket: a fingerprint of key, size and etag of every object that matches
 * a partition's glob. One listing, of what the globs of all windows begin with, covers a range.
 */
final class ObjectsDetector implements ChangeDetector {
  private static final int MAX_OBJECTS = 5_000_000;

  private final S3Listing listing;
  private final Template glob;

  /**
   * @param glob of keys
   */
  ObjectsDetector(S3Listing listing, String glob) {
    this.listing = listing;
    this.glob = Template.parse(glob);
  }

  @Override
  public void scan(Range range, Consumer<Found> found) throws IOException {
    List<Window> windows = range.partitions().windows(range.from(), range.to());
    if (windows.isEmpty()) {
      return;
    }
    Slice slice = range.slice() == null ? Slice.EMPTY : range.slice();
    List<Segment> patterns =
        windows.stream()
            .map(window -> new PartitionValues(window, slice, range.partitions().zone()))
            .map(values -> Glob.of(glob, values).whole())
            .toList();
    NavigableMap<String, String> objects = list(commonPrefix(patterns));
    for (int i = 0; i < windows.size(); i++) {
      String label = windows.get(i).label();
      matches(patterns.get(i), objects)
          .forEach(
              (captured, matching) ->
                  found.accept(
                      new Found(
                          label,
                          range.slice() == null ? Slice.of(captured) : slice,
                          Fingerprint.of(String.join("\n", matching.values())))));
    }
  }

  private static String commonPrefix(List<Segment> patterns) {
    String common = patterns.get(0).prefix();
    for (Segment pattern : patterns) {
      int length = 0;
      int most = Math.min(common.length(), pattern.prefix().length());
      while (length < most && common.charAt(length) == pattern.prefix().charAt(length)) {
        length++;
      }
      common = common.substring(0, length);
    }
    return common;
  }

  /** The description of each object by its key; what ends with a slash stands for a folder. */
  private NavigableMap<String, String> list(String prefix) throws IOException {
    NavigableMap<String, String> objects = new TreeMap<>();
    listing.walk(
        prefix,
        null,
        object -> {
          if (!object.key().endsWith("/")) {
            objects.put(object.key(), description(object));
          }
          return objects.size() <= MAX_OBJECTS;
        });
    if (objects.size() > MAX_OBJECTS) {
      throw new IOException("more than " + MAX_OBJECTS + " objects to look at; narrow the glob");
    }
    return objects;
  }

  private static String description(S3Object object) {
    return object.key() + "\t" + object.size() + "\t" + object.eTag();
  }

  /** The matching objects, by the dimensions captured. */
  private static Map<Map<String, String>, SortedMap<String, String>> matches(
      Segment segment, NavigableMap<String, String> objects) {
    Map<Map<String, String>, SortedMap<String, String>> found = new HashMap<>();
    Pattern pattern = segment.pattern();
    String prefix = segment.prefix();
    objects
        .subMap(prefix, true, prefix + Character.MAX_VALUE, false)
        .forEach(
            (key, description) -> {
              Matcher matcher = pattern == null ? null : pattern.matcher(key);
              if (matcher != null && matcher.matches()) {
                Map<String, String> captured = FilesDetector.captures(segment, matcher, Map.of());
                if (captured != null) {
                  found.computeIfAbsent(captured, slice -> new TreeMap<>()).put(key, description);
                }
              }
            });
    return found;
  }
}
