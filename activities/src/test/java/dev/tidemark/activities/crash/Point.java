package dev.tidemark.activities.crash;

/**
 * A point of the publish protocol, as a store sees it: between two of its steps (design, "Publish
 * protocol"; numbers are those of the steps).
 */
enum Point {
  /** 1. */
  BEFORE_STAGING_A_PART,
  BEFORE_STAGING_THE_SECOND_PART,
  BEFORE_STAGING_THE_MARKER,
  /** Between 1 and 2. */
  AFTER_STAGING_THE_MARKER,
  /** Between 2 and 3. */
  BEFORE_ENDING_EARLIER_STAGINGS,
  /** Between 3 and 4. */
  BEFORE_REMOVING_THE_OLD_MARKER,
  /** Between 4 and 5. */
  BEFORE_PROMOTING_A_PART,
  /** In the middle of 5. */
  BEFORE_PROMOTING_THE_SECOND_PART,
  /** Between 5 and 6. */
  BEFORE_LISTING_THE_PARTS,
  BEFORE_REMOVING_A_STALE_PART,
  /** In the middle of 6. */
  BEFORE_REMOVING_THE_SECOND_STALE_PART,
  /** Between 6 and 7. */
  BEFORE_PROMOTING_THE_MARKER,
  /** Between 7 and 8. */
  AFTER_PROMOTING_THE_MARKER
}
