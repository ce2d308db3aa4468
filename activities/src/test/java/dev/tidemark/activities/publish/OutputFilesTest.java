package dev.tidemark.activities.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutputFilesTest {
  @TempDir Path folder;

  private void refuses(String... parts) {
    assertThatThrownBy(() -> OutputFiles.in(folder))
        .isInstanceOf(RefusedOutputException.class)
        .hasMessageContainingAll(parts);
  }

  @Test
  void listsFilesInNameOrder() throws Exception {
    for (String name : new String[] {"b.csv", "a.csv", "c.csv"}) {
      Files.writeString(folder.resolve(name), name);
    }

    assertThat(OutputFiles.in(folder))
        .extracting(Path::getFileName)
        .extracting(Path::toString)
        .containsExactly("a.csv", "b.csv", "c.csv");
  }

  @Test
  void refusesAFolder() throws Exception {
    Files.createDirectory(folder.resolve("sub"));
    refuses("'sub'", "a folder");
  }

  @Test
  void refusesALinkEvenToAFile() throws Exception {
    Path outside = Files.writeString(folder.resolveSibling("secret"), "s");
    Files.createSymbolicLink(folder.resolve("link"), outside);
    refuses("'link'", "a link");
    Files.delete(outside);
  }

  @Test
  void refusesAPipe() throws Exception {
    new ProcessBuilder("mkfifo", folder.resolve("pipe").toString()).start().waitFor();
    refuses("'pipe'", "a device or a pipe");
  }

  // B21, B23
  @Test
  void refusesNamesThatReadersSkip() throws Exception {
    Path metadata = Files.writeString(folder.resolve("_SUCCESS"), "");
    refuses("'_SUCCESS'", "kept for metadata");
    Files.delete(metadata);
    Files.writeString(folder.resolve(".data.csv.crc"), "");
    refuses("'.data.csv.crc'");
  }

  @ParameterizedTest
  @CsvSource({
    "a.csv, .csv",
    "a.csv.gz, .csv.gz",
    "2026.09.05.parquet, .parquet",
    "noextension, ''",
    "odd.na me, ''",
    "trailing., ''"
  })
  void keepsTheExtension(String name, String extension) {
    assertThat(OutputFiles.extension(name)).isEqualTo(extension);
  }
}
