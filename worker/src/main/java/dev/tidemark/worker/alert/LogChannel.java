package dev.tidemark.worker.alert;

import dev.tidemark.activities.alert.Channel;
import dev.tidemark.activities.alert.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes a line to the worker's log, by the logger {@code dev.tidemark.alert}. */
final class LogChannel implements Channel {
  private static final Logger log = LoggerFactory.getLogger("dev.tidemark.alert");

  private final ChannelSettings.Level level;

  LogChannel(ChannelSettings.Level level) {
    this.level = level;
  }

  @Override
  public void send(long id, Message message) {
    String text = message.kind().label() + " " + message.text();
    switch (level) {
      case INFO -> log.info(text);
      case WARN -> log.warn(text);
      case ERROR -> log.error(text);
    }
  }
}
