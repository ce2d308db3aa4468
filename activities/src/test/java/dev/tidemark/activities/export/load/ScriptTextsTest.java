package dev.tidemark.activities.export.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.export.Nasty;
import dev.tidemark.activities.publish.PublishedOutput;
import dev.tidemark.workflows.export.Dataset;
import dev.tidemark.workflows.export.Dataset.Format;
import dev.tidemark.workflows.export.Load;
import dev.tidemark.workflows.export.Load.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The scripts as they are written; with {@code -Dtidemark.scripts=write} they are written down
 * anew, to be read before they are committed.
 */
class ScriptTextsTest {
  private static final Path GOLDEN =
      Path.of("src", "test", "resources", "dev", "tidemark", "activities", "export", "load");
  private static final String FOLDER =
      "s3://lake/exports/sales/unit=it%27s%20%5C%20%22odd%22/dt=2026-09-05";
  private static final Map<String, String> ODD = Map.of("unit", "it's \\ \"odd\"");

  private static PublishedOutput output(Map<String, String> slice, String folder, String... names) {
    List<PublishedOutput.File> files =
        List.of(names).stream()
            .map(name -> new PublishedOutput.File(folder + "/" + name, 3L, 700, null))
            .toList();
    return new PublishedOutput("sales", "2026-09-05", slice, 7L, 6L, 1_400, null, files);
  }

  /** The script of one engine for a table in no schema. */
  private static String script(
      Engine engine, Format format, PublishedOutput output, String folder) {
    String name = "_load_" + engine.code() + ".sql";
    Load load = new Load(List.of(engine), "events");
    return LoadScripts.of(new Dataset(format, Nasty.COLUMNS, null), load, folder, output)
        .getOrDefault(name, "there is no " + name);
  }

  private static Map<String, String> scripts(Engine engine, Format format) {
    String extension = "." + format.name().toLowerCase(Locale.ROOT);
    return LoadScripts.of(
        new Dataset(format, Nasty.COLUMNS, null),
        new Load(List.of(engine), "warehouse.analytics.events"),
        FOLDER,
        output(ODD, FOLDER, "part-00000-7" + extension, "part-00001-7" + extension));
  }

  // B30, B35, B36, B37, B38, B-g6
  @ParameterizedTest
  @EnumSource
  void areTheseInEveryFormat(Engine engine) throws Exception {
    StringBuilder all = new StringBuilder();
    for (Format format : Format.values()) {
      new TreeMap<>(scripts(engine, format))
          .forEach((name, text) -> all.append("==== " + format + " " + name + "\n" + text + "\n"));
    }
    Path golden = GOLDEN.resolve(engine.code() + ".txt");
    if ("write".equals(System.getProperty("tidemark.scripts"))) {
      Files.createDirectories(GOLDEN);
      Files.writeString(golden, all);
    }

    assertThat(all.toString()).isEqualTo(Files.readString(golden));
  }

  /** Whatever is in a slice's value, a comment is a comment and a text a text. */
  @ParameterizedTest
  @EnumSource
  void nothingInAValueBreaksOut(Engine engine) {
    Map<String, String> slice = Map.of("unit", "x\n'; drop table events; --\\");
    String folder = "/out/sales/unit=x%0A%27%3B%20drop%20table%20events%3B%20--%5C/dt=2026-09-05";

    String script = script(engine, Format.CSV, output(slice, folder, "part-00000-7.csv"), folder);

    assertThat(script.lines().filter(line -> line.startsWith("drop table events"))).isEmpty();
    assertThat(script.lines().filter(line -> line.contains("drop table events")))
        .isNotEmpty()
        .allMatch(
            line ->
                line.startsWith("-- ")
                    || line.contains("drop%20table")
                    || line.contains("'; drop table events; --\\"));
  }

  // c-J7
  @ParameterizedTest
  @EnumSource
  void anEmptyPartitionIsTakenOutOfTheTableAndNothingIsRead(Engine engine) {
    String folder = "/out/sales/dt=2026-09-05";

    String script = script(engine, Format.PARQUET, output(Map.of(), folder), folder);

    assertThat(script).doesNotContain("part-");
  }

  // B20: hours have two columns
  @Test
  void theFoldersAreTheColumns() {
    String folder = "/out/sales/dt=2026-11-01/hour=01-0700";

    String script =
        script(Engine.DUCKDB, Format.CSV, output(Map.of(), folder, "part-00000-7.csv"), folder);

    assertThat(script).contains("where \"dt\" = DATE '2026-11-01' and \"hour\" = '01-0700';");
  }
}
