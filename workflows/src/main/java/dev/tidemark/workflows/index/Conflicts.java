package dev.tidemark.workflows.index;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** Who wins where a person's edit and a datasource say different things of a property (D16). */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "policy")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Conflicts.EditsWin.class, name = "edits-win"),
  @JsonSubTypes.Type(value = Conflicts.NewestWins.class, name = "newest-wins")
})
public sealed interface Conflicts {

  /** The edit, always. */
  record EditsWin() implements Conflicts {}

  /**
   * The edit while it was made after the time that the object's row gives; a row without a time is
   * older than any edit.
   *
   * @param property a timestamp, of the datasource whose rows it dates
   */
  record NewestWins(String property) implements Conflicts {}
}
