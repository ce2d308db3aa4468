package dev.tidemark.activities.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Programs that know nothing of Tidemark: what they read is what a customer reads. */
public final class Readers {
  private static final Path RESOURCES =
      Path.of("src", "test", "resources", "dev", "tidemark", "activities", "export");
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private Readers() {}

  /** The folder of the programs: {@code python} with PyArrow and sqlglot, and {@code duckdb}. */
  public static Path programs() {
    return Path.of(System.getenv().getOrDefault("TIDEMARK_READERS", "../.tools/readers/bin"))
        .toAbsolutePath()
        .normalize();
  }

  /**
   * What a script in Python makes of its input.
   *
   * @param script below the resources of this package
   */
  public static JsonNode python(String script, Object input) throws Exception {
    return JSON.readTree(
        run(
            List.of(programs().resolve("python").toString(), RESOURCES.resolve(script).toString()),
            JSON.writeValueAsBytes(input),
            Path.of(".")));
  }

  /** What a command of the shell prints in a folder; {@code duckdb} is on its path. */
  public static byte[] shell(String command, Path folder) throws Exception {
    return run(List.of("sh", "-c", command), new byte[0], folder);
  }

  private static byte[] run(List<String> command, byte[] input, Path folder)
      throws IOException, InterruptedException {
    Path errors = Files.createTempFile(Path.of("target"), "reader-", ".err");
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectError(errors.toFile());
    // As far from UTC as a zone is, so that no reader is right by chance.
    builder.environment().put("TZ", "Pacific/Kiritimati");
    builder.environment().put("PYTHONUTF8", "1");
    builder.environment().merge("PATH", programs().toString(), (path, own) -> own + ":" + path);
    Process process = builder.start();
    try (OutputStream in = process.getOutputStream()) {
      in.write(input);
    }
    byte[] output = process.getInputStream().readAllBytes();
    assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
    Files.delete(errors);
    return output;
  }
}
