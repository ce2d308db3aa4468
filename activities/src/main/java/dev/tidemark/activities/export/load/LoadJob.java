package dev.tidemark.activities.export.load;

import dev.tidemark.activities.publish.PublishedOutput;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.Dataset;
import dev.tidemark.workflows.export.Load;
import dev.tidemark.workflows.partition.Slice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What a script loads: the files of one partition, into the rows of a table that have the
 * partition's keys.
 *
 * @param keys the partition's coordinates, as the folders have them: dimensions, then time
 * @param files the parts, in order
 */
record LoadJob(
    Dataset dataset,
    String table,
    List<Coordinate> keys,
    Folder folder,
    List<PublishedOutput.File> files,
    PublishedOutput output) {

  /** A partition column. */
  record Coordinate(String name, String value, boolean isDate) {

    /** As a literal of standard SQL. */
    String literal(Function<String, String> quoted) {
      return (isDate ? "DATE " : "") + quoted.apply(value);
    }
  }

  /**
   * Where the partition is.
   *
   * @param address full, without a slash at the end
   * @param path of the pipeline's folder on: {@code sales/unit=a/dt=2026-09-05}
   */
  record Folder(String address, String path) {
    private static final String S3 = "s3://";

    /** The address of the partition, or of the dataset's folder, in a bucket. */
    String inBucket(String scheme, boolean dataset) {
      String whole =
          address.startsWith(S3) ? address.substring(S3.length()) : "YOUR-BUCKET/" + path;
      int cut = whole.length() - path.length() + path.indexOf('/');
      return scheme + (dataset ? whole.substring(0, cut) : whole) + "/";
    }
  }

  static LoadJob of(Dataset dataset, Load load, String folder, PublishedOutput output) {
    List<String> segments = Arrays.asList(folder.split("/", -1));
    String path =
        String.join(
            "/", segments.subList(segments.lastIndexOf(output.pipeline()), segments.size()));
    return new LoadJob(
        dataset,
        load.table(),
        keys(folder, output),
        new Folder(folder, path),
        output.files(),
        output);
  }

  /** The partition's coordinates, as its folders have them: dimensions, then time. */
  static List<Coordinate> keys(String folder, PublishedOutput output) {
    List<Coordinate> keys = new ArrayList<>();
    output.slice().forEach((name, value) -> keys.add(new Coordinate(name, value, false)));
    // The folders of the time are the last ones; those of the slice are before them.
    List<String> segments = Arrays.asList(folder.split("/", -1));
    int last = segments.lastIndexOf(output.pipeline());
    for (String segment : segments.subList(last + 1 + keys.size(), segments.size())) {
      int equals = segment.indexOf('=');
      String name = segment.substring(0, equals);
      keys.add(new Coordinate(name, segment.substring(equals + 1), name.equals("dt")));
    }
    return keys;
  }

  List<Column> columns() {
    return dataset.columns();
  }

  /** The name of a file in its folder. */
  static String name(PublishedOutput.File file) {
    return file.address().substring(file.address().lastIndexOf('/') + 1);
  }

  /** Something of each file, in a list. */
  String files(Function<String, String> of) {
    return files(of, ", ");
  }

  String files(Function<String, String> of, String separator) {
    return files.stream().map(file -> of.apply(name(file))).collect(Collectors.joining(separator));
  }

  /** Something of each column and of each key, a line each. */
  String lines(Function<Column, String> ofColumn, Function<Coordinate, String> ofKey) {
    List<String> all = new ArrayList<>(columns().stream().map(ofColumn).toList());
    all.addAll(keys.stream().map(ofKey).toList());
    return "  " + String.join(",\n  ", all);
  }

  /** Something of each column, a line each. */
  String lines(Function<Column, String> ofColumn) {
    return columns().stream().map(ofColumn).collect(Collectors.joining(",\n  ", "  ", ""));
  }

  /** The names of all columns and keys, a line each. */
  String names(Function<String, String> quoted) {
    return lines(column -> quoted.apply(column.name()), key -> quoted.apply(key.name()));
  }

  /** The condition that the partition's rows meet. */
  String where(Function<String, String> quoted, Function<Coordinate, String> literal) {
    return keys.stream()
        .map(key -> quoted.apply(key.name()) + " = " + literal.apply(key))
        .collect(Collectors.joining(" and "));
  }

  /** The last names of the table, each quoted. */
  String table(int atMost, Function<String, String> quoted) {
    List<String> names = Arrays.asList(table.split("\\."));
    return names.subList(Math.max(0, names.size() - atMost), names.size()).stream()
        .map(quoted)
        .collect(Collectors.joining("."));
  }

  /** The names before the last of the table. */
  List<String> schema(int atMost) {
    List<String> names = Arrays.asList(table.split("\\."));
    return names.size() == 1
        ? Collections.emptyList()
        : names.subList(Math.max(0, names.size() - 1 - atMost), names.size() - 1);
  }

  /**
   * The comment that a script begins with.
   *
   * @param notes what to replace and how to run it
   * @param quotedTable which has the rows loaded
   * @param where the condition that they meet
   */
  String header(String engine, List<String> notes, String quotedTable, String where) {
    Map<String, String> slice = output.slice();
    List<String> lines = new ArrayList<>();
    lines.add(
        "Loads %s %s%s into %s with %s."
            .formatted(
                output.pipeline(),
                output.partition(),
                slice.isEmpty() ? "" : " of " + Slice.of(slice).canonical(),
                table,
                engine));
    lines.add(
        "Tidemark wrote it with the files, from the same columns. It creates the table where");
    lines.add("there is none and never alters one. It replaces the partition: run it as often as");
    lines.add(
        "you like, while _manifest.json is beside it and names token " + output.token() + ".");
    lines.addAll(notes);
    lines.add("To verify, this must return " + output.rows() + ":");
    String count = "select count(*) from " + quotedTable + " where " + where + ";";
    lines.add("  " + count);
    return lines.stream()
            .map(line -> "-- " + Quoting.comment(line) + "\n")
            .collect(Collectors.joining())
        + "\n";
  }
}
