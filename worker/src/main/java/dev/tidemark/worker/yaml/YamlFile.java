package dev.tidemark.worker.yaml;

import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.reader.ReaderException;

/** Reads a YAML file as a tree with lines and columns; constructs no object from it. */
public final class YamlFile {
  /** Far more than people write; keeps a wrong file from filling the memory. */
  private static final int MAX_BYTES = 2_000_000;

  private YamlFile() {}

  /** The file's section, or empty where it cannot be read as one, which is then reported. */
  public static Optional<Section> read(
      Path file, Map<String, String> environment, Findings findings) {
    Path folder = file.toAbsolutePath().resolveSibling("");
    return text(file, findings)
        .flatMap(text -> parse(text, new Reading(folder, environment, findings)));
  }

  private static Optional<String> text(Path file, Findings findings) {
    try {
      if (!Files.isRegularFile(file)) {
        findings.add(
            Files.exists(file)
                ? "is not a file; name the file with --config"
                : "does not exist; make one with 'tidemark init', or name another with --config");
        return Optional.empty();
      }
      if (Files.size(file) > MAX_BYTES) {
        findings.add("has more than " + MAX_BYTES + " bytes; it is probably another file");
        return Optional.empty();
      }
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
      return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(bytes).toString());
    } catch (CharacterCodingException notUtf8) {
      findings.add("is not UTF-8 text; save it as UTF-8");
    } catch (IOException unreadable) {
      findings.add("cannot be read: " + unreadable);
    }
    return Optional.empty();
  }

  private static Optional<Section> parse(String text, Reading reading) {
    Findings findings = reading.findings();
    try {
      Node root = new Yaml(new LoaderOptions()).compose(new StringReader(text));
      if (root instanceof MappingNode mapping) {
        return Optional.of(Section.of(reading, "", root, mapping));
      }
      findings.add(
          root == null
              ? "is empty; 'tidemark init' writes an example"
              : "must be keys and values, beginning with 'pipelines:'");
    } catch (MarkedYAMLException malformed) {
      Mark mark = malformed.getProblemMark();
      String problem = malformed.getProblem().strip().toLowerCase(Locale.ROOT);
      findings.add(
          mark.getLine() + 1, mark.getColumn() + 1, "", "is not YAML: " + explain(problem));
    } catch (ReaderException malformed) {
      long line = text.chars().limit(malformed.getPosition()).filter(c -> c == '\n').count() + 1;
      findings.add((int) line, 1, "", "has a character that YAML does not allow; remove it");
    } catch (YAMLException malformed) {
      findings.add("is not YAML: " + malformed.getMessage());
    }
    return Optional.empty();
  }

  private static String explain(String problem) {
    return problem.contains("\\t")
        ? "a tab; indent with spaces"
        : problem + "; look at this line and the one before";
  }
}
