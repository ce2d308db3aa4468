package dev.tidemark.starter.demo;

import dev.tidemark.activities.task.BadDataException;
import dev.tidemark.activities.task.PartitionTask;
import dev.tidemark.activities.task.TaskContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The demo's task: one day's observation in, one day's summary out. */
public final class DailySummary implements PartitionTask {
  private static final String HEADER = "date,precipitation,temp_max,temp_min,wind,weather";

  @Override
  public void run(TaskContext context) throws IOException, BadDataException {
    Path input = context.folder().resolve("input").resolve(context.window().label() + ".csv");
    List<String> lines = Files.readAllLines(input);
    if (lines.size() != 2 || !lines.get(0).equals(HEADER)) {
      throw new BadDataException(
          input.getFileName() + " must hold the header '" + HEADER + "' and one day");
    }
    String[] day = lines.get(1).split(",", -1);
    double max = Double.parseDouble(day[2]);
    double min = Double.parseDouble(day[3]);
    String summary =
        String.format(
            Locale.ROOT,
            "{\"date\":\"%s\",\"mean_temp_c\":%.1f,\"range_c\":%.1f,\"rain_mm\":%s,\"weather\":\"%s\"}%n",
            day[0],
            (max + min) / 2,
            max - min,
            day[1],
            day[5]);
    Files.writeString(context.output().resolve("summary.ndjson"), summary);
    context.log("summarised " + day[0] + ": " + day[5]);
  }
}
