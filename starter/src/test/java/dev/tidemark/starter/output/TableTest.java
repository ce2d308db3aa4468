package dev.tidemark.starter.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest {
  // c-H5: slice values may be 500 characters long
  @Test
  void aVeryLongCellMovesTheRestOfItsOwnLineOnly() {
    String slice = "x".repeat(500);

    String table = new Table("SLICE", "STATE").row(slice, "failed").row("short", null).render();

    assertThat(table.lines()).containsExactly("SLICE  STATE", slice + "  failed", "short  -");
  }
}
