package dev.tidemark.activities.index.query;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.activities.index.query.ObjectQuery.Sorting;
import dev.tidemark.activities.index.serve.ObjectReader;
import dev.tidemark.activities.index.serve.ServingScene;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Questions about forty customers with a value of each type, and one with none. */
@Timeout(60)
class ObjectSearchTest {
  private static final int ALL = 41;

  @TempDir static Path folder;
  private static ServingScene scene;
  private static ObjectReader reader;

  @BeforeAll
  static void serve() throws Exception {
    scene = new ServingScene(folder);
    for (int i = 0; i < 40; i++) {
      scene.hasOneOfEach(i, "Customer number " + i, i % 2 == 0 ? "Bonn" : "Berlin", 39 - i);
    }
    scene.has(40, null, null);
    long index = scene.index(ServingScene.type(), "live");
    scene.build(index);
    scene.serve(index);
    reader = scene.reader("one");
    assertThat(reader.await(ServingScene.TYPE, Duration.ofSeconds(30))).isTrue();
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  private static FoundObjects search(String filter) throws Exception {
    return search(filter, null, List.of());
  }

  private static FoundObjects search(String filter, @Nullable String text, List<Sorting> sort)
      throws Exception {
    Filter read = FilterReader.read(ServingScene.type(), new ObjectMapper().readTree(filter));
    return reader.search(
        ServingScene.TYPE, new ObjectQuery(read, text, sort, ObjectQuery.MOST, null), 0);
  }

  private static List<String> keys(FoundObjects found) {
    return found.objects().stream().map(FoundObject::key).toList();
  }

  @Test
  void filtersAreOfEachType() throws Exception {
    assertThat(search("{}").total()).isEqualTo(ALL);
    assertThat(search("{\"eq\": {\"city\": \"Bonn\"}}").total()).isEqualTo(20);
    assertThat(search("{\"eq\": {\"city\": null}}").total()).isEqualTo(1);
    assertThat(keys(search("{\"eq\": {\"id\": 7}}"))).containsExactly("7");
    assertThat(keys(search("{\"in\": {\"age\": [0, 39]}}"))).containsExactly("0", "39");
    assertThat(search("{\"gte\": {\"age\": 30}}").total()).isEqualTo(10);
    assertThat(search("{\"lt\": {\"score\": 1.0}}").total()).isEqualTo(2);
    assertThat(search("{\"gt\": {\"balance\": \"38.50\"}}").total()).isEqualTo(1);
    assertThat(search("{\"lte\": {\"born\": \"2000-01-02\"}}").total()).isEqualTo(2);
    assertThat(search("{\"lt\": {\"seen\": \"2026-01-01T00:00:05Z\"}}").total()).isEqualTo(5);
    assertThat(search("{\"eq\": {\"active\": true}}").total()).isEqualTo(20);
    assertThat(search("{\"exists\": \"extra\"}").total()).isEqualTo(40);
    assertThat(search("{\"prefix\": {\"city\": \"Ber\"}}").total()).isEqualTo(20);
  }

  @Test
  void filtersAreCombined() throws Exception {
    assertThat(
            keys(
                search(
                    """
                    {"and": [{"eq": {"city": "Bonn"}}, {"not": {"lt": {"age": 36}}},
                             {"exists": "age"}]}
                    """)))
        .containsExactly("0", "2");
    assertThat(search("{\"or\": [{\"eq\": {\"id\": 1}}, {\"eq\": {\"id\": 2}}]}").total())
        .isEqualTo(2);
    assertThat(search("{\"or\": []}").total()).isZero();
    assertThat(search("{\"not\": {\"eq\": {\"city\": \"Bonn\"}}}").total()).isEqualTo(21);
    assertThat(search("{\"gte\": {\"age\": 3, \"score\": 19}}").total()).isEqualTo(2);
  }

  @Test
  void wordsAreSearchedWhereTheTypeSaysSo() throws Exception {
    assertThat(keys(search("{}", "NUMBER 17", List.of()))).containsExactly("17");
    assertThat(search("{}", "customer", List.of()).total()).isEqualTo(40);
    assertThat(search("{}", "Bonn", List.of()).total()).isZero();
    assertThat(search("{}", "!!!", List.of()).total()).isZero();
  }

  @Test
  void objectsAreSortedByEachTypeAndThoseWithoutAreLast() throws Exception {
    List<String> falling = new ArrayList<>();
    for (int i = 39; i >= 0; i--) {
      falling.add(Integer.toString(i));
    }
    List<String> rising = new ArrayList<>(falling);
    Collections.reverse(rising);
    falling.add("40");
    rising.add("40");
    for (String property : List.of("age", "score", "balance", "born", "seen")) {
      assertThat(keys(search("{}", null, List.of(new Sorting(property, false)))))
          .as(property)
          .containsExactlyElementsOf(falling);
      assertThat(keys(search("{}", null, List.of(new Sorting(property, true)))))
          .as(property)
          .containsExactlyElementsOf(rising);
    }
    List<String> byCity =
        keys(search("{}", null, List.of(new Sorting("city", true), new Sorting("age", true))));
    assertThat(byCity.get(0)).isEqualTo("0");
    assertThat(byCity.get(20)).isEqualTo("1");
    assertThat(byCity.get(40)).isEqualTo("40");
  }

  @Test
  void pagesTogetherAreAllOfThemOnceInEachOrder() throws Exception {
    for (List<Sorting> sort :
        List.of(
            List.<Sorting>of(),
            List.of(new Sorting("active", false)),
            List.of(new Sorting("city", true)),
            List.of(new Sorting("score", true)))) {
      List<String> pages = new ArrayList<>();
      ObjectQuery query = new ObjectQuery(Filter.EVERY, null, sort, 7, null);
      FoundObjects page = reader.search(ServingScene.TYPE, query, 0);
      pages.addAll(keys(page));
      while (page.next() != null) {
        page = reader.search(ServingScene.TYPE, query.from(page.next()), 0);
        pages.addAll(keys(page));
        assertThat(page.total()).isEqualTo(ALL);
      }
      assertThat(pages).as("%s", sort).containsExactlyElementsOf(keys(search("{}", null, sort)));
    }
  }

  @Test
  void pagesOfWordsAreInTheOrderOfWhatFitsBest() throws Exception {
    ObjectQuery query = new ObjectQuery(Filter.EVERY, "customer", List.of(), 30, null);
    FoundObjects first = reader.search(ServingScene.TYPE, query, 0);
    FoundObjects second = reader.search(ServingScene.TYPE, query.from(first.next()), 0);

    assertThat(first.objects()).hasSize(30);
    assertThat(second.objects()).hasSize(10).doesNotContainAnyElementsOf(first.objects());
  }

  @Test
  void aQuestionThatDoesNotFitIsRefusedNamingWhatIsWrong() throws Exception {
    refused("{\"eq\": {\"town\": \"Bonn\"}}", "has no property 'town'");
    refused("{\"eq\": {\"age\": \"old\"}}", "'old' is no such value");
    refused("{\"like\": {\"city\": \"B\"}}", "'like' is no operator");
    refused("{\"prefix\": {\"age\": \"3\"}}", "is no string");
    refused("{\"eq\": {\"extra\": 3}}", "are not compared");
    refused("{\"in\": {\"age\": 3}}", "takes a list");
    refused("[]", "must be an object");
    refused("{\"lt\": {\"age\": null}}", "compared with null");
    refused("{\"not\": ".repeat(20) + "{}" + "}".repeat(20), "nested");
    refused("{\"in\": {\"age\": [" + "1,".repeat(1_100) + "1]}}", "more than 1000 operators");
    assertThatThrownBy(() -> search("{}", null, List.of(new Sorting("extra", false))))
        .hasMessageContaining("has no order");
    assertThatThrownBy(() -> new ObjectQuery(Filter.EVERY, null, List.of(), 501, null))
        .hasMessageContaining("limit 501 must be from 1 to 500");
  }

  private static void refused(String filter, String message) {
    assertThatThrownBy(() -> search(filter))
        .isInstanceOf(QueryRefusal.class)
        .hasMessageContaining(message);
  }

  @Test
  void aCursorOfAnotherQuestionIsRefused() throws Exception {
    ObjectQuery byKey = new ObjectQuery(Filter.EVERY, null, List.of(), 5, null);
    String next = reader.search(ServingScene.TYPE, byKey, 0).next();
    ObjectQuery byAge =
        new ObjectQuery(Filter.EVERY, null, List.of(new Sorting("age", true)), 5, next);

    assertThatThrownBy(() -> reader.search(ServingScene.TYPE, byAge, 0))
        .hasMessageContaining("another question");
    assertThatThrownBy(() -> reader.search(ServingScene.TYPE, byKey.from("nonsense"), 0))
        .hasMessageContaining("none that was handed out");
    assertThatThrownBy(
            () ->
                reader.search(
                    ServingScene.TYPE, byKey.from(new Cursor("gone", "0", 1, List.of()).text()), 0))
        .hasMessageContaining("not kept any more");
  }

  @Test
  void manyValuesAreOneQuestionAndTooManyPartsAreRefused() throws Exception {
    String numbers = IntStream.range(0, 900).mapToObj(Integer::toString).collect(joining(","));
    String empty = String.join(",", Collections.nCopies(1_001, "{}"));

    for (String property : List.of("id", "age", "score", "balance", "city")) {
      String values =
          property.equals("city") ? "\"" + numbers.replace(",", "\",\"") + "\"" : numbers;
      assertThat(search("{\"in\": {\"%s\": [%s]}}".formatted(property, values)).total())
          .as(property)
          .isEqualTo(
              switch (property) {
                case "id" -> 41;
                case "age" -> 40;
                case "score" -> 20;
                default -> 0;
              });
    }
    assertThat(search("{\"in\": {\"id\": []}}").total()).isZero();
    refused("{\"and\": [" + empty + "]}", "more than 1000");
    assertThatThrownBy(
            () ->
                search(
                    "{}", numbers.replace(',', ' ') + " " + numbers.replace(',', ' '), List.of()))
        .isInstanceOf(QueryRefusal.class);
  }
}
