package dev.tidemark.worker.alert;

import dev.tidemark.activities.alert.Channel;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Makes channels of settings. */
public final class Channels {
  private Channels() {}

  /**
   * One of each, by its name; connects to none.
   *
   * @param folder where commands run: the configuration's
   */
  public static Map<String, Channel> of(Map<String, ChannelSettings> settings, Path folder) {
    Map<String, Channel> channels = new LinkedHashMap<>();
    settings.forEach((name, setting) -> channels.put(name, of(setting, folder)));
    return channels;
  }

  private static Channel of(ChannelSettings settings, Path folder) {
    if (settings instanceof ChannelSettings.Webhook webhook) {
      return new Webhook(webhook);
    }
    if (settings instanceof ChannelSettings.Command command) {
      return new CommandChannel(command, folder);
    }
    return new LogChannel(((ChannelSettings.Log) settings).level());
  }
}
