package dev.tidemark.activities.index.query;

import java.util.List;

/**
 * Which objects are looked for. Values are as {@link dev.tidemark.activities.index.object.Values}
 * has them, of the property's type.
 */
public sealed interface Filter {
  /** All that there are. */
  Filter EVERY = new And(List.of());

  /** Those that pass each; every object where there is none. */
  record And(List<Filter> all) implements Filter {
    public And {
      all = List.copyOf(all);
    }
  }

  /** Those that pass any; no object where there is none. */
  record Or(List<Filter> any) implements Filter {
    public Or {
      any = List.copyOf(any);
    }
  }

  /** Those that do not pass. */
  record Not(Filter filter) implements Filter {}

  /** Those whose property is one of these values. */
  record In(String property, List<Object> values) implements Filter {
    public In {
      values = List.copyOf(values);
    }
  }

  /** Those whose property is so compared with a value; never those without the property. */
  record Compare(String property, Comparison comparison, Object value) implements Filter {}

  /** Those whose property, a string, begins so. */
  record Prefix(String property, String prefix) implements Filter {}

  /** Those whose property is not null. */
  record Exists(String property) implements Filter {}

  /** How a property is compared with a value. */
  enum Comparison {
    LT,
    LTE,
    GT,
    GTE
  }

  /** Those whose property is this value. */
  static Filter eq(String property, Object value) {
    return new In(property, List.of(value));
  }
}
