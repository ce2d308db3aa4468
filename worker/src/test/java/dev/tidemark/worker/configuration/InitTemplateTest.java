package dev.tidemark.worker.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.worker.definition.Defaults;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InitTemplateTest {
  @TempDir Path folder;

  private PipelineDefinition written() throws Exception {
    InitTemplate.write(folder);
    return new ConfigurationLoader(ConfigurationFile.in(folder).environment())
        .load(folder.resolve(InitTemplate.FILE))
        .pipelines()
        .get(0);
  }

  @Test
  void whatIsWrittenIsGoodAndSaysTheDefaults() throws Exception {
    PipelineDefinition pipeline = written();

    assertThat(pipeline.pace()).isEqualTo(Defaults.PACE);
    assertThat(pipeline.integration()).isEqualTo(Defaults.INTEGRATION);
  }

  @Test
  void itsCommandWorksOnItsInputs() throws Exception {
    TaskSpec.Command task = (TaskSpec.Command) written().task();
    Path output = Files.createDirectory(folder.resolve("staging"));
    List<String> command =
        task.command().stream()
            .map(word -> word.replace("{partition}", "2026-01-02"))
            .map(word -> word.replace("{output}", output.toString()))
            .toList();

    Process process = new ProcessBuilder(command).directory(folder.toFile()).start();

    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(Files.readString(output.resolve("lines.txt")).strip()).isEqualTo("3");
  }

  @Test
  void nothingIsWrittenWhereOneOfItsFilesIsThere() throws Exception {
    Path mine = folder.resolve("input/2026-01-03.csv");
    Files.createDirectories(folder.resolve("input"));
    Files.writeString(mine, "mine");

    assertThatThrownBy(() -> InitTemplate.write(folder))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("2026-01-03.csv");
    assertThat(folder.resolve(InitTemplate.FILE)).doesNotExist();
    assertThat(mine).hasContent("mine");
  }

  @Test
  void theFolderIsMade() throws Exception {
    Path deep = folder.resolve("a/b");

    assertThat(InitTemplate.write(deep)).contains(Path.of(InitTemplate.FILE));
    assertThat(deep.resolve("input/2026-01-01.csv")).isNotEmptyFile();
  }
}
