package dev.tidemark.workflows.index;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** What becomes of edits where the property that they set is renamed, retyped or dropped. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "migration")
@JsonSubTypes({
  @JsonSubTypes.Type(value = EditMigration.Move.class, name = "move"),
  @JsonSubTypes.Type(value = EditMigration.Drop.class, name = "drop"),
  @JsonSubTypes.Type(value = EditMigration.DropAll.class, name = "drop-all")
})
public sealed interface EditMigration {

  /** They set another property from now on. */
  record Move(String from, String to) implements EditMigration {}

  /** Those of this property are forgotten. */
  record Drop(String property) implements EditMigration {}

  /** All edits are forgotten: the objects are what the datasources say. */
  record DropAll() implements EditMigration {}
}
