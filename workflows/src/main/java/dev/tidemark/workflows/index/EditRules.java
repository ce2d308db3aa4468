package dev.tidemark.workflows.index;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;

/**
 * What the edits of people count beside what datasources say.
 *
 * @param keepsEdited whether an object that people edited stays when its last row is deleted; else
 *     it is gone until a row or a person brings it back
 * @param migrations what a replacement does to the edits made so far
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record EditRules(Conflicts conflicts, boolean keepsEdited, List<EditMigration> migrations) {
  public static final EditRules DEFAULT = new EditRules(new Conflicts.EditsWin(), false, List.of());

  public EditRules {
    migrations = List.copyOf(migrations);
  }
}
