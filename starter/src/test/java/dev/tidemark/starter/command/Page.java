package dev.tidemark.starter.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A page of the documentation. */
record Page(Path file, String text) {
  private static final Pattern FENCED =
      Pattern.compile(
          "^```(?<language>\\w*)\\n(?<text>.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern LINK = Pattern.compile("]\\((?!https?:)(?<target>[^)#]+)[^)]*\\)");

  /** README.md and every page of docs/. */
  static List<Page> all() {
    try (Stream<Path> docs = Files.list(Trial.home().resolve("docs"))) {
      return Stream.concat(Stream.of(Trial.home().resolve("README.md")), docs.sorted())
          .filter(file -> file.toString().endsWith(".md"))
          .map(Page::of)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Page readme() {
    return of(Trial.home().resolve("README.md"));
  }

  private static Page of(Path file) {
    try {
      return new Page(file, Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A fenced block; its page is for the test's name. */
  record Block(String page, String language, String text) {
    @Override
    public String toString() {
      return page + ": " + text.lines().findFirst().orElse("");
    }
  }

  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    Matcher fenced = FENCED.matcher(text);
    while (fenced.find()) {
      blocks.add(
          new Block(file.getFileName().toString(), fenced.group("language"), fenced.group("text")));
    }
    return blocks;
  }

  List<Block> blocks(String language) {
    return blocks().stream().filter(block -> block.language().equals(language)).toList();
  }

  /** The files that it links to. */
  List<Path> links() {
    Path folder = file.resolveSibling(".");
    return LINK.matcher(text)
        .results()
        .map(link -> folder.resolve(link.group(1)).normalize())
        .toList();
  }
}
