package dev.tidemark.worker.configuration;

import dev.tidemark.activities.alert.Routing;
import dev.tidemark.worker.alert.ChannelSettings;
import dev.tidemark.worker.definition.Nearest;
import dev.tidemark.worker.yaml.Section;
import dev.tidemark.worker.yaml.Type;
import dev.tidemark.worker.yaml.Value;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the channels, and which of them a pipeline tells.
 *
 * @param channels those that are right; null those with problems of their own
 */
record NotifySection(Map<String, @Nullable ChannelSettings> channels) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,62}");
  private static final int MOST = 20;
  private static final List<String> KINDS = List.of("webhook", "command", "log");

  private static final Type<URI> WEB_ADDRESS =
      new Type<>("a web address such as https://hooks.example.com/x", NotifySection::webAddress);

  static NotifySection read(Section section) {
    Map<String, @Nullable ChannelSettings> channels = new LinkedHashMap<>();
    for (String name : section.keys()) {
      if (!NAME.matcher(name).matches()) {
        section.problem(name, "'" + name + "' is not a name; it must match " + NAME);
      }
      channels.put(name, channel(section.section(name)));
    }
    if (channels.size() > MOST) {
      section.problem("", "has " + channels.size() + " channels; there may be " + MOST);
    }
    return new NotifySection(channels);
  }

  private static @Nullable ChannelSettings channel(Section channel) {
    channel.only(List.of("webhook", "bearer", "command", "log", "timeout"), Later.KEYS);
    List<String> kinds = KINDS.stream().filter(channel::has).toList();
    if (kinds.size() != 1) {
      channel.problem("", "must have one of webhook, command and log");
      return null;
    }
    Duration timeout = channel.get("timeout", Types.POSITIVE_DURATION, ChannelSettings.TIMEOUT);
    if (timeout.compareTo(ChannelSettings.LONGEST) > 0) {
      channel.problem("timeout", "must be at most 45s: a message is then sent again");
    }
    return switch (kinds.get(0)) {
      case "webhook" -> {
        URI url = channel.get("webhook", WEB_ADDRESS);
        String bearer = channel.get("bearer", Type.TEXT);
        yield url == null ? null : new ChannelSettings.Webhook(url, bearer, timeout);
      }
      case "command" -> {
        List<String> words = channel.list("command").stream().map(NotifySection::word).toList();
        if (words.isEmpty()) {
          channel.problem("command", "names no program; it must be a list such as [sh, notify.sh]");
          yield null;
        }
        yield new ChannelSettings.Command(words, timeout);
      }
      default -> {
        ChannelSettings.Level level = channel.get("log", Types.choice(ChannelSettings.Level.class));
        yield level == null ? null : new ChannelSettings.Log(level);
      }
    };
  }

  private static String word(Value value) {
    String word = value.as(Type.TEXT);
    return word == null ? "" : word;
  }

  private static @Nullable URI webAddress(String text) {
    try {
      URI url = new URI(text);
      boolean isWeb = "https".equals(url.getScheme()) || "http".equals(url.getScheme());
      return isWeb && url.getHost() != null ? url : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  /** Which channels a pipeline tells: all of them, unless it says otherwise. */
  Routing route(Section pipeline) {
    return new Routing(
        pipeline.has("notify") ? named(pipeline, "notify") : List.copyOf(channels.keySet()),
        named(pipeline, "on-failure"));
  }

  private List<String> named(Section pipeline, String key) {
    List<String> names = new ArrayList<>();
    for (Value value : pipeline.list(key)) {
      String name = value.as(Type.TEXT);
      if (name != null && !channels.containsKey(name)) {
        value.problem(
            "'" + name + "' is not a channel; " + known() + Nearest.hint(name, channels.keySet()));
      } else if (name != null) {
        names.add(name);
      }
    }
    return names;
  }

  private String known() {
    return channels.isEmpty()
        ? "there are none: add it to notify at the top of the file"
        : "there are " + String.join(", ", channels.keySet());
  }

  /** Those that are right. */
  Map<String, ChannelSettings> settings() {
    Map<String, ChannelSettings> settings = new LinkedHashMap<>();
    channels.forEach(
        (name, channel) -> {
          if (channel != null) {
            settings.put(name, channel);
          }
        });
    return settings;
  }
}
