package dev.tidemark.workflows.pipeline;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which windows of an upstream pipeline a window reads (C24). */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Mapping.Same.class, name = "same"),
  @JsonSubTypes.Type(value = Mapping.Previous.class, name = "previous"),
  @JsonSubTypes.Type(value = Mapping.Trailing.class, name = "window"),
  @JsonSubTypes.Type(value = Mapping.Rollup.class, name = "rollup")
})
public sealed interface Mapping {
  /** As far as a window may look back. */
  int MAX_WINDOWS = 10_000;

  /** The upstream windows that the window reads, oldest first; also those that cannot exist. */
  List<Window> upstreamOf(Window window, Partitioning upstream);

  /** The windows that read the upstream window, the first and the last of them; empty for none. */
  Optional<Span> downstreamOf(Window upstream, Partitioning own);

  /** Whether the windows of both pipelines must be the same ones: of one grain and one zone. */
  default boolean isWindowByWindow() {
    return true;
  }

  /** From the first window to the last, inclusive. */
  record Span(Window first, Window last) {}

  /** The same window. */
  record Same() implements Mapping {
    @Override
    public List<Window> upstreamOf(Window window, Partitioning upstream) {
      return List.of(upstream.containing(window.start()));
    }

    @Override
    public Optional<Span> downstreamOf(Window upstream, Partitioning own) {
      Window same = own.containing(upstream.start());
      return Optional.of(new Span(same, same));
    }
  }

  /** The one window {@code windows} before. */
  record Previous(int windows) implements Mapping {
    public Previous {
      requireCount("previous", windows);
    }

    @Override
    public List<Window> upstreamOf(Window window, Partitioning upstream) {
      return List.of(upstream.plus(upstream.containing(window.start()), -windows));
    }

    @Override
    public Optional<Span> downstreamOf(Window upstream, Partitioning own) {
      Window later = own.plus(own.containing(upstream.start()), windows);
      return Optional.of(new Span(later, later));
    }
  }

  /** The {@code windows} windows that end with the same one. */
  record Trailing(int windows) implements Mapping {
    public Trailing {
      requireCount("window", windows);
    }

    @Override
    public List<Window> upstreamOf(Window window, Partitioning upstream) {
      Window last = upstream.containing(window.start());
      List<Window> all = new ArrayList<>();
      for (Window next = upstream.plus(last, 1 - windows);
          next.compareTo(last) <= 0;
          next = upstream.next(next)) {
        all.add(next);
      }
      return all;
    }

    @Override
    public Optional<Span> downstreamOf(Window upstream, Partitioning own) {
      Window first = own.containing(upstream.start());
      return Optional.of(new Span(first, own.plus(first, windows - 1)));
    }
  }

  /** All windows that lie in this one; the upstream's grain is finer. */
  record Rollup() implements Mapping {
    @Override
    public List<Window> upstreamOf(Window window, Partitioning upstream) {
      return upstream.windows(window.start(), window.end()).stream()
          .filter(inner -> !inner.end().isAfter(window.end()))
          .toList();
    }

    @Override
    public Optional<Span> downstreamOf(Window upstream, Partitioning own) {
      Window outer = own.containing(upstream.start());
      return upstream.end().isAfter(outer.end())
          ? Optional.empty()
          : Optional.of(new Span(outer, outer));
    }

    @Override
    public boolean isWindowByWindow() {
      return false;
    }
  }

  private static void requireCount(String kind, int windows) {
    if (windows < 1 || windows > MAX_WINDOWS) {
      throw new IllegalArgumentException(
          "mapping %s must be from 1 to %d: %d".formatted(kind, MAX_WINDOWS, windows));
    }
  }
}
