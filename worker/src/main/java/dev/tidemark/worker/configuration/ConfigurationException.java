package dev.tidemark.worker.configuration;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration that is refused, with every problem in it. */
public final class ConfigurationException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  /** With at least one problem; the message has one line for each. */
  public ConfigurationException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** Every problem, in the file's order. */
  public List<Problem> problems() {
    return problems;
  }
}
