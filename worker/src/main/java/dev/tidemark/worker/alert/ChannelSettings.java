package dev.tidemark.worker.alert;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where messages go. What may be a secret, the URL too, is in no text of it. */
public sealed interface ChannelSettings {
  /** What a delivery may take, unless said otherwise; and at most. */
  Duration TIMEOUT = Duration.ofSeconds(10);

  Duration LONGEST = Duration.ofSeconds(45);

  /**
   * A POST of the message as JSON.
   *
   * @param bearer sent as {@code Authorization: Bearer}; null for none
   */
  record Webhook(URI url, @Nullable String bearer, Duration timeout) implements ChannelSettings {
    @Override
    public String toString() {
      return "Webhook[" + url.getHost() + "]";
    }
  }

  /**
   * A program, with the message as JSON on its standard input.
   *
   * @param words the program and its arguments
   */
  record Command(List<String> words, Duration timeout) implements ChannelSettings {
    public Command {
      words = List.copyOf(words);
    }

    @Override
    public String toString() {
      return "Command[" + words.get(0) + "]";
    }
  }

  /** A line of the worker's log. */
  record Log(Level level) implements ChannelSettings {}

  /** Of a line. */
  enum Level {
    INFO,
    WARN,
    ERROR
  }
}
