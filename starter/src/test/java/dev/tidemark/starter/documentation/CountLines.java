package dev.tidemark.starter.documentation;

import dev.tidemark.activities.task.BadDataException;
import dev.tidemark.activities.task.NotReadyException;
import dev.tidemark.activities.task.PartitionTask;
import dev.tidemark.activities.task.TaskContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The task of {@code docs/java.md}. */
public final class CountLines implements PartitionTask {
  @Override
  public void run(TaskContext context) throws Exception {
    String unit = context.slice().values().get("unit");
    Path input =
        context.folder().resolve("input/" + unit + "/" + context.window().label() + ".csv");
    if (!Files.exists(input)) {
      throw new NotReadyException(input + " is not there yet");
    }
    List<String> lines = Files.readAllLines(input);
    if (lines.isEmpty()) {
      throw new BadDataException(input + " has not even a header");
    }
    Files.writeString(context.output().resolve("count.txt"), lines.size() - 1 + "\n");
    context.log("counted " + input);
  }
}
