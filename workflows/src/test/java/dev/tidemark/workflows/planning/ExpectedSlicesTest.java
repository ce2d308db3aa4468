package dev.tidemark.workflows.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.SliceSet;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpectedSlicesTest {
  private final Partitioning days =
      new Partitioning(Grain.DAY, ZoneId.of("America/Los_Angeles"), "2012-01-01", "2016-01-01");

  private static SliceSet.Product product(
      Map<String, List<String>> values, @Nullable String since) {
    return new SliceSet.Product(new TreeMap<>(values), since);
  }

  private List<String> expected(SliceSet.Product... products) {
    return ExpectedSlices.ofProducts(days, List.of(products)).stream()
        .map(slice -> slice.slice() + " since " + slice.since().label())
        .toList();
  }

  // A16, A17
  @Test
  void aLineIsACartesianProduct() {
    assertThat(
            expected(
                product(
                    Map.of("category", List.of("wind", "rain"), "value", List.of("sum", "mean")),
                    null)))
        .containsExactly(
            "category=rain/value=mean since 2012-01-01",
            "category=rain/value=sum since 2012-01-01",
            "category=wind/value=mean since 2012-01-01",
            "category=wind/value=sum since 2012-01-01");
  }

  // A21
  @ParameterizedTest
  @CsvSource({"2014-06-01, 2014-06-01", "2011-01-01, 2012-01-01"})
  void aSliceBeginsAtTheLaterOfItsSinceAndTheStart(String since, String first) {
    assertThat(expected(product(Map.of("unit", List.of("seattle")), since)))
        .containsExactly("unit=seattle since " + first);
  }

  @Test
  void aSliceOfSeveralLinesBeginsAtTheEarliest() {
    assertThat(
            expected(
                product(Map.of("unit", List.of("seattle", "tacoma")), "2014-06-01"),
                product(Map.of("unit", List.of("seattle", "seattle")), "2013-01-01"),
                product(Map.of("unit", List.of("seattle")), "2015-01-01")))
        .containsExactly("unit=seattle since 2013-01-01", "unit=tacoma since 2014-06-01");
  }

  @Test
  void aPipelineWithoutSlicesHasTheEmptyOne() {
    assertThat(ExpectedSlices.none(days))
        .singleElement()
        .satisfies(slice -> assertThat(slice.slice().canonical()).isEmpty());
  }

  @Test
  void rowsOfAQueryMergeLikeLines() {
    ExpectedSlice late = ExpectedSlices.of(days, Map.of("unit", "seattle"), "2014-06-01", null);
    ExpectedSlice early = ExpectedSlices.of(days, Map.of("unit", "seattle"), null, null);

    assertThat(ExpectedSlices.merge(List.of(late, early))).containsExactly(early);
  }

  // A17: units differ by date
  @Test
  void aSliceEndsBeforeItsUntilAndLinesThatTouchAreJoined() {
    assertThat(
            ExpectedSlices.ofProducts(
                days,
                List.of(
                    until("tacoma", null, "2013-01-01"),
                    until("seattle", "2014-01-01", "2015-01-01"),
                    until("seattle", "2013-01-01", "2014-01-01"),
                    until("bremen", "2012-06-01", "2013-01-01"),
                    until("bremen", "2012-01-01", null))))
        .extracting(
            slice -> slice.slice() + " " + slice.since().label() + " " + label(slice.until()))
        .containsExactly(
            "unit=bremen 2012-01-01 none",
            "unit=seattle 2013-01-01 2015-01-01",
            "unit=tacoma 2012-01-01 2013-01-01");
  }

  private static SliceSet.Product until(
      String unit, @Nullable String since, @Nullable String until) {
    return new SliceSet.Product(new TreeMap<>(Map.of("unit", List.of(unit))), since, until);
  }

  private static String label(@Nullable Window window) {
    return window == null ? "none" : window.label();
  }

  @Test
  void aSliceThatEndedBeforeThePipelineStartsHasNoWindow() {
    ExpectedSlice gone = ExpectedSlices.of(days, Map.of("unit", "a"), "2009-01-01", "2011-01-01");

    assertThat(gone.has(days.first())).isFalse();
  }

  @Test
  void aSliceWithAGapIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ExpectedSlices.ofProducts(
                    days,
                    List.of(
                        until("a", "2012-01-01", "2012-02-01"), until("a", "2012-03-01", null))))
        .withMessageStartingWith(
            "slices: 'unit=a' ends before 2012-02-01 and is there again since 2012-03-01");
  }

  // design, invariant 12
  @Test
  void whatMakesNoSliceIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> expected(product(Map.of("unit", List.of("a")), "2014-02-30")))
        .withMessage("since: '2014-02-30' does not exist in the calendar");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> expected(product(Map.of("unit", List.of()), null)))
        .withMessage("slices: dimension 'unit' has no value");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                expected(
                    product(Map.of("unit", List.of("a")), null),
                    product(Map.of("category", List.of("b")), null)))
        .withMessage(
            "slices must all have the same dimensions: 'unit=a' has [unit], 'category=b' has"
                + " [category]");
  }

  @Test
  void moreSlicesThanTheBoundAreRefusedBeforeTheyAreMade() {
    List<String> many = IntStream.range(0, 1_000).mapToObj(Integer::toString).toList();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> expected(product(Map.of("a", many, "b", many, "c", many), null)))
        .withMessage("slices must be at most 100000");
    assertThat(expected(product(Map.of("a", Collections.nCopies(1_000, "x")), null))).hasSize(1);
  }
}
