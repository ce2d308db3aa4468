package dev.tidemark.activities.export.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.activities.export.Nasty;
import dev.tidemark.activities.export.Readers;
import dev.tidemark.activities.publish.PublishedOutput;
import dev.tidemark.workflows.export.Dataset;
import dev.tidemark.workflows.export.Dataset.Format;
import dev.tidemark.workflows.export.Load;
import dev.tidemark.workflows.export.Load.Engine;
import dev.tidemark.workflows.partition.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The scripts as sqlglot reads them, a parser of each engine's dialect that knows nothing of
 * Tidemark. What it does not know it takes for a command as it stands: those are listed here.
 */
class DialectsTest {
  private static final String PLAIN = "plain";
  private static final List<Format> FORMATS = List.of(Format.values());

  /**
   * What the parser has no grammar for: Trino's CALL, which has only names of the definition in it;
   * the block around CREATE SCHEMA and the temporary table that is dropped on commit, which the
   * tests execute in PostgreSQL.
   */
  private static final Map<Engine, Set<String>> NOT_IN_ITS_GRAMMAR =
      Map.of(Engine.TRINO, Set.of("CALL"), Engine.POSTGRES, Set.of("DO", "CREATE"));

  /** The account's name is in its slice, and in the prefix that its bucket has for it. */
  private record Script(Engine engine, Format format, int files, String unit) {

    String text() {
      Slice slice = Slice.of(Map.of("unit", unit));
      String folder = "s3://lake/" + unit + "/sales/" + slice.canonical() + "/dt=2026-09-05";
      List<PublishedOutput.File> parts = new ArrayList<>();
      for (int i = 0; i < files; i++) {
        String name = "/part-%05d-7.%s".formatted(i, format.name().toLowerCase(Locale.ROOT));
        parts.add(new PublishedOutput.File(folder + name, 3L, 700, null));
      }
      PublishedOutput output =
          new PublishedOutput("sales", "2026-09-05", slice.values(), 7L, 6L, 1_400, null, parts);
      String script =
          LoadScripts.of(
                  new Dataset(format, Nasty.COLUMNS, null),
                  new Load(List.of(engine), "warehouse.analytics.events"),
                  folder,
                  output)
              .getOrDefault("_load_" + engine.code() + ".sql", "");
      // What begins with a backslash is for psql and not for its server.
      return script.replaceAll("(?m)^\\\\(set|copy) .*$", "");
    }
  }

  private static List<JsonNode> parse(List<Script> scripts) throws Exception {
    JsonNode parsed =
        Readers.python(
            "load/parse.py",
            scripts.stream()
                .map(script -> List.of(script.engine().code(), script.text()))
                .toList());
    return StreamSupport.stream(parsed.spliterator(), false).toList();
  }

  // B30, B35, B36, B38
  @Test
  void everyScriptIsInTheLanguageOfItsEngine() throws Exception {
    List<Script> scripts = new ArrayList<>();
    for (Engine engine : Engine.values()) {
      for (Format format : FORMATS) {
        scripts.add(new Script(engine, format, 0, PLAIN));
        scripts.add(new Script(engine, format, 2, PLAIN));
      }
      scripts.add(new Script(engine, Format.PARQUET, 1_500, PLAIN));
    }

    List<JsonNode> parsed = parse(scripts);

    for (int i = 0; i < scripts.size(); i++) {
      Script script = scripts.get(i);
      assertThat(parsed.get(i).isArray()).as("%s: %s", script, parsed.get(i)).isTrue();
      Set<String> commands = new TreeSet<>();
      parsed.get(i).forEach(statement -> commands.add(statement.get("command").asText("")));
      commands.remove("");
      commands.removeAll(NOT_IN_ITS_GRAMMAR.getOrDefault(script.engine(), Set.of()));
      assertThat(commands).as("not parsed in %s", script).isEmpty();
      assertThat(parsed.get(i).size()).as("statements of %s", script).isGreaterThan(1);
    }
  }

  /** The same statements but for the texts in them, and those are what they should be. */
  @ParameterizedTest
  @EnumSource
  void nothingInAnAccountsNameBreaksOut(Engine engine) throws Exception {
    List<Script> scripts = new ArrayList<>();
    for (Format format : FORMATS) {
      scripts.add(new Script(engine, format, 2, PLAIN));
    }
    List<String> units = OddTexts.with(8);
    for (int i = 0; i < units.size(); i++) {
      scripts.add(new Script(engine, FORMATS.get(i % FORMATS.size()), 2, units.get(i)));
    }

    List<JsonNode> parsed = parse(scripts);

    for (int i = FORMATS.size(); i < scripts.size(); i++) {
      Script script = scripts.get(i);
      JsonNode plain = parsed.get(FORMATS.indexOf(script.format()));
      assertThat(parsed.get(i).findValuesAsText("shape"))
          .as("statements of %s, from %s", script, script.text())
          .isEqualTo(plain.findValuesAsText("shape"));
      assertThat(texts(parsed.get(i))).as("texts of %s", script).isEqualTo(texts(plain, script));
    }
  }

  private static List<String> texts(JsonNode statements) {
    List<String> texts = new ArrayList<>();
    statements.forEach(
        statement -> statement.get("texts").forEach(text -> texts.add(text.asText())));
    return texts;
  }

  /** What the texts of a plain script are with this script's unit and prefix. */
  private static List<String> texts(JsonNode plain, Script script) {
    String folder = Slice.of(Map.of("unit", script.unit())).canonical();
    return texts(plain).stream()
        .map(text -> text.equals(PLAIN) ? script.unit() : text.replace("unit=" + PLAIN, folder))
        .map(text -> text.replace("://lake/" + PLAIN + "/", "://lake/" + script.unit() + "/"))
        .toList();
  }
}
