package dev.tidemark.activities.ledger.claim;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CandidateSqlTest {
  private static final String ARM =
      "(select l.id from t l where /*waited*/ and /*accounts*/ order by /*order*/ limit :most)";

  @Test
  void anArmThatTellsNoAccountsApartIsRefused() {
    String blind = ARM.replace("/*accounts*/", "true");

    assertThatThrownBy(() -> CandidateSql.of(ARM + " union all " + blind))
        .hasMessage("2 arms and 1 times /*accounts*/: each arm needs one");
  }
}
