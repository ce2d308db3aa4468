package dev.tidemark.activities.crash;

import java.util.stream.Stream;

/**
 * A point of the publish protocol, as a store sees it: between two of its steps (design, "Publish
 * protocol"; numbers are those of the steps).
 */
enum Point {
  /** 1. */
  BEFORE_STAGING_A_PART(true),
  BEFORE_STAGING_THE_SECOND_PART(false),
  BEFORE_STAGING_THE_MARKER(false),
  /** Between 1 and 2. */
  AFTER_STAGING_THE_MARKER(true),
  /** Between 2 and 3. */
  BEFORE_ENDING_EARLIER_STAGINGS(true),
  /** Between 3 and 4. */
  BEFORE_REMOVING_THE_OLD_MARKER(true),
  /** Between 4 and 5. */
  BEFORE_PROMOTING_A_PART(true),
  /** In the middle of 5. */
  BEFORE_PROMOTING_THE_SECOND_PART(false),
  /** Between 5 and 6. */
  BEFORE_LISTING_THE_PARTS(false),
  BEFORE_REMOVING_A_STALE_PART(true),
  /** In the middle of 6. */
  BEFORE_REMOVING_THE_SECOND_STALE_PART(false),
  /** Between 6 and 7. */
  BEFORE_PROMOTING_THE_MARKER(true),
  /** Between 7 and 8. */
  AFTER_PROMOTING_THE_MARKER(true);

  private final boolean betweenSteps;

  Point(boolean betweenSteps) {
    this.betweenSteps = betweenSteps;
  }

  static Stream<Point> all() {
    return Stream.of(values());
  }

  /** One for each step, where a point costs more. */
  static Stream<Point> betweenSteps() {
    return all().filter(point -> point.betweenSteps);
  }
}
