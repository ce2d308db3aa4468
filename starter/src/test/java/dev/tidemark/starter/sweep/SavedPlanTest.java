package dev.tidemark.starter.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.starter.session.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A saved plan is a file that people keep, edit and lose. */
class SavedPlanTest {
  private static final String WHOLE =
      """
      {"format_version": 1, "pipeline": "days", "revision": 1, "fingerprint": "f",
       "now": "2026-08-01T00:00:00Z", "partitions": [%s]}
      """;

  @TempDir Path folder;

  // C24
  @Test
  void whatNamesNeitherInputNorCommitIsAPlanToo() throws IOException {
    Path file = save(WHOLE.formatted("{\"partition\": \"2026-07-25\", \"slice\": {}}"));

    assertThat(SavedPlan.read(file).partitions()).hasSize(1);
  }

  // C24
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "not JSON",
        "{\"format_version\": 1}",
        "{\"format_version\": 2, \"pipeline\": \"days\", \"partitions\": []}",
        "{\"format_version\": 1, \"pipeline\": \"days\", \"partitions\": []}",
        "line null",
        "line {}",
        "line {\"partition\": \"2026-07-25\"}",
        "line {\"slice\": {}}",
      })
  void aDamagedPlanIsAUsageErrorThatNamesTheFile(String text) throws IOException {
    Path file = save(text.startsWith("line ") ? WHOLE.formatted(text.substring(5)) : text);

    assertThatThrownBy(() -> SavedPlan.read(file))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining(file.toString());
  }

  private Path save(String text) throws IOException {
    return Files.writeString(folder.resolve("plan.json"), text);
  }
}
