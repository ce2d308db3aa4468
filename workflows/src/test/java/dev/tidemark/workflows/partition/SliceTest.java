package dev.tidemark.workflows.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SliceTest {

  // A16, contracts section 3
  @Test
  void dimensionsAreSorted() {
    Slice slice = Slice.of(Map.of("unit", "istanbul", "category", "rain"));

    assertThat(slice.canonical()).isEqualTo("category=rain/unit=istanbul");
    assertThat(Slice.parse("category=rain/unit=istanbul")).isEqualTo(slice);
  }

  @Test
  void theEmptySliceIsEmptyText() {
    assertThat(Slice.EMPTY.canonical()).isEmpty();
    assertThat(Slice.parse("")).isEqualTo(Slice.EMPTY);
  }

  // c-H5
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "a-z.A_Z~0 | a-z.A_Z~0",
        "a/b | a%2Fb",
        "a,b | a%2Cb",
        "a=b | a%3Db",
        "100% | 100%25",
        "a b | a%20b",
        "a+b | a%2Bb",
        "a'b | a%27b",
        "ışık | %C4%B1%C5%9F%C4%B1k",
        "😀 | %F0%9F%98%80",
        ". | %2E",
        ".. | %2E.",
        "... | ...",
        ".hidden | .hidden",
        "\"\" | __HIVE_DEFAULT_PARTITION__",
        "__HIVE_DEFAULT_PARTITION__ | %5F_HIVE_DEFAULT_PARTITION__",
      })
  void valuesAreEncodedAndReadBack(String value, String text) {
    Slice slice = Slice.of(Map.of("unit", value));

    assertThat(slice.canonical()).isEqualTo("unit=" + text);
    assertThat(Slice.parse(slice.canonical())).isEqualTo(slice);
    assertThat(Slice.parse(slice.canonical()).values()).containsEntry("unit", value);
  }

  // c-H5
  @Test
  void anyTextSurvivesAsAValueAndNoTwoShareATextOrLeaveTheirFolder() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 5_000; i++) {
      Slice slice = Slice.of(Map.of("a", text(random), "b", text(random)));
      assertThat(Slice.parse(slice.canonical()).values())
          .as("seed %d", seed)
          .isEqualTo(slice.values());
      assertThat(slice.canonical())
          .as("seed %d", seed)
          .matches("a=[-._~%A-Za-z0-9]+/b=[-._~%A-Za-z0-9]+");
    }
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(6); i > 0; i--) {
      int character = random.nextInt(random.nextBoolean() ? 0x80 : 0x10FFFF);
      boolean surrogate = character >= 0xD800 && character <= 0xDFFF;
      text.appendCodePoint(surrogate ? '.' : character);
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "unit=istanbul/category=rain",
        "unit=a%2fb",
        "unit=%41",
        "unit=a b",
        "unit=a%2",
        "unit=a%zz",
        "unit=%FF",
        "unit=",
        "unit=.",
        "unit",
        "/unit=a",
        "unit=a/",
        "unit=a/unit=b",
        "=a",
        "Unit=a",
      })
  void whatIsNotCanonicalIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> Slice.parse(text));
  }

  @Test
  void aDimensionNameIsPlain() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Slice.of(Map.of("Unit", "a")))
        .withMessage("slice dimension 'Unit' must match [a-z][a-z0-9_]*");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Slice.of(Map.of("unit", "\uD800")))
        .withMessage("the value of slice dimension 'unit' must be well-formed Unicode");
  }

  // A28
  @Test
  void orderIsThatOfTheCanonicalText() {
    List<Slice> slices =
        new ArrayList<>(
            List.of(
                Slice.of(Map.of("unit", "b")),
                Slice.of(Map.of("unit", "é")),
                Slice.of(Map.of("unit", "B")),
                Slice.of(Map.of("unit", "a"))));

    slices.sort(null);

    assertThat(slices)
        .extracting(Slice::canonical)
        .containsExactly("unit=%C3%A9", "unit=B", "unit=a", "unit=b");
  }
}
