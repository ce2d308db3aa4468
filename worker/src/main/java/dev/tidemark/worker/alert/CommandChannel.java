package dev.tidemark.worker.alert;

import dev.tidemark.activities.alert.Channel;
import dev.tidemark.activities.alert.Message;
import dev.tidemark.activities.alert.Outbox;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a program in the configuration's folder, without a shell: the message is on its standard
 * input as JSON, and in short in its environment. Exit code 0 is delivered, 65 refused, any other
 * is tried again. What it says on its standard error is in the worker's log.
 */
final class CommandChannel implements Channel {
  private static final Logger log = LoggerFactory.getLogger(CommandChannel.class);
  private static final int REFUSED = 65;

  private final ChannelSettings.Command settings;
  private final Path folder;

  CommandChannel(ChannelSettings.Command settings, Path folder) {
    this.settings = settings;
    this.folder = folder;
  }

  @Override
  public void send(long id, Message message) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(settings.words())
            .directory(folder.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder
        .environment()
        .putAll(
            Map.of(
                "TIDEMARK_NOTIFICATION", String.valueOf(id),
                "TIDEMARK_KIND", message.kind().label(),
                "TIDEMARK_RULE", message.rule().label(),
                "TIDEMARK_PIPELINE", message.pipeline(),
                "TIDEMARK_TEXT", message.text()));
    Process process = builder.start();
    try {
      hand(process, Outbox.json(message));
      if (!process.waitFor(settings.timeout().toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException("the command did not end in " + settings.timeout());
      }
      judge(process.exitValue());
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** Small enough for the pipe, so that a program that reads nothing does not hold this up. */
  private static void hand(Process process, String json) {
    try (OutputStream input = process.getOutputStream()) {
      input.write(json.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // It does not read it, or has ended: its exit code says how it went.
      log.debug("a command did not read its message", e);
    }
  }

  private static void judge(int code) throws IOException, RefusedException {
    if (code == REFUSED) {
      throw new RefusedException("the command exited with " + code);
    }
    if (code != 0) {
      throw new IOException("the command exited with " + code);
    }
  }
}
