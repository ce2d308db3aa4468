package dev.tidemark.activities.index.build;

/** Another build, or another attempt of this one, has taken its place: it must write nothing. */
public final class SupersededException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SupersededException(String what) {
    super(what + " is not the newest any more");
  }
}
