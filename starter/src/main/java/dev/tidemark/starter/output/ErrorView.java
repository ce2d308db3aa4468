package dev.tidemark.starter.output;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The error that ends a command, as JSON (contracts, section 1). */
public record ErrorView(Details error) {

  /**
   * What went wrong.
   *
   * @param code one of a few words for programs
   * @param message names the thing, the value, the rule and the way out
   * @param field the option, argument or key that is wrong, or null
   * @param problems each problem of a configuration; empty, and left out, for other errors
   */
  public record Details(
      String code,
      String message,
      @Nullable String field,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ProblemView> problems) {
    public Details {
      problems = List.copyOf(problems);
    }
  }

  /** One problem of a configuration. */
  public record ProblemView(String file, int line, int column, String key, String message) {}
}
