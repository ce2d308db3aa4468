package dev.tidemark.activities.ledger.output;

import javax.sql.DataSource;

/** What is known of outputs, as those who compare them with the stores need it. */
public record OutputLedger(Outputs outputs, TakingIn takingIn, HeldOutputs held) {
  public static OutputLedger of(DataSource dataSource) {
    return new OutputLedger(
        new Outputs(dataSource), new TakingIn(dataSource), new HeldOutputs(dataSource));
  }
}
