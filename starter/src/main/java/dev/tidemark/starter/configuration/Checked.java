package dev.tidemark.starter.configuration;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.tidemark.starter.session.ExitCode;

/**
 * What came of one check.
 *
 * @param exit the exit code that it alone would give
 */
record Checked(String name, String kind, boolean ok, String detail, @JsonIgnore ExitCode exit) {
  static Checked works(String name, String kind, String detail) {
    return new Checked(name, kind, true, detail, ExitCode.DONE);
  }

  static Checked fails(String name, String kind, String detail, ExitCode exit) {
    return new Checked(name, kind, false, detail, exit);
  }
}
