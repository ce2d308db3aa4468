package dev.tidemark.activities.index.segment;

import dev.tidemark.activities.store.Durably;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.index.Property;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoubleField;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.SortedSetSelector;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * A property in a document: as a number, a double or a term, by its type. Values of JSON and bytes
 * cannot be searched: only whether there is one.
 */
public final class PropertyField {
  /** The field of the words of a property that is {@link Property#text}. */
  private static final String WORDS = ".words";

  /** Has the names of the properties that have a value and no field of their own. */
  private static final String HAS = ".has";

  /** A text that is longer is a term of its begin and its hash; Lucene takes none above 32 766. */
  private static final int LONGEST_TERM = 8_192;

  private static final int LONG_DIGITS = 18;
  private static final int DECIMAL_BYTES = 16;
  private static final long MICROS = 1_000_000;

  private final Property property;
  private final Form form;

  private enum Form {
    LONG,
    DOUBLE,
    TERM,
    HIDDEN
  }

  public PropertyField(Property property) {
    this.property = property;
    ColumnType type = property.type();
    this.form =
        switch (type.kind()) {
          case BOOLEAN, INT, BIGINT, DATE, TIMESTAMP -> Form.LONG;
          case DECIMAL -> type.precision() <= LONG_DIGITS ? Form.LONG : Form.TERM;
          case DOUBLE -> Form.DOUBLE;
          case STRING -> Form.TERM;
          case JSON, BYTES -> Form.HIDDEN;
        };
  }

  /** Puts a value into a document; null puts nothing there. */
  void addTo(Document document, @Nullable Object value) {
    if (value == null) {
      return;
    }
    String name = property.name();
    switch (form) {
      case LONG -> document.add(new LongField(name, number(value), Field.Store.NO));
      case DOUBLE -> document.add(new DoubleField(name, real(value), Field.Store.NO));
      case TERM -> document.add(new KeywordField(name, term(value), Field.Store.NO));
      case HIDDEN -> document.add(new StringField(HAS, name, Field.Store.NO));
    }
    if (property.text()) {
      document.add(new TextField(words(), (String) value, Field.Store.NO));
    }
  }

  /** Whether {@link #in}, {@link #between} and {@link #sort} can be asked. */
  public boolean canBeCompared() {
    return form != Form.HIDDEN;
  }

  /** The name of the field of its words, for a query of {@link ObjectDocuments#ANALYZER}. */
  public String words() {
    return property.name() + WORDS;
  }

  /** Objects with a value. */
  public Query exists() {
    return form == Form.HIDDEN
        ? new TermQuery(new Term(HAS, property.name()))
        : new FieldExistsQuery(property.name());
  }

  /**
   * Objects with one of these values.
   *
   * @throws IllegalArgumentException if values of the property are not compared
   */
  public Query in(List<?> values) {
    String name = property.name();
    return switch (form) {
      case LONG -> LongField.newSetQuery(name, values.stream().mapToLong(this::number).toArray());
      case DOUBLE ->
          DoubleField.newSetQuery(name, values.stream().mapToDouble(PropertyField::real).toArray());
      case TERM -> new TermInSetQuery(name, values.stream().map(PropertyField::term).toList());
      case HIDDEN -> throw notCompared();
    };
  }

  private IllegalArgumentException notCompared() {
    return new IllegalArgumentException(
        "property '%s' is %s, whose values are not compared; ask whether it exists"
            .formatted(property.name(), property.type()));
  }

  /** Objects whose text begins so; of texts longer than 8 192 bytes that begin is looked at. */
  public Query prefix(String begin) {
    if (property.type().kind() != ColumnType.Kind.STRING) {
      throw new IllegalArgumentException(
          "property '" + property.name() + "' is no string: it has no prefix");
    }
    return new PrefixQuery(new Term(property.name(), begin));
  }

  /**
   * Objects with a value within bounds.
   *
   * @param from null for no bound
   * @param to null for no bound
   * @throws IllegalArgumentException if values of the property are not compared
   */
  public Query between(
      @Nullable Object from, boolean includesFrom, @Nullable Object to, boolean includesTo) {
    String name = property.name();
    return switch (form) {
      case LONG -> {
        long least = from == null ? Long.MIN_VALUE : number(from) + (includesFrom ? 0 : 1);
        long greatest = to == null ? Long.MAX_VALUE : number(to) - (includesTo ? 0 : 1);
        yield LongField.newRangeQuery(name, least, greatest);
      }
      case DOUBLE -> {
        double least = from == null ? Double.NEGATIVE_INFINITY : real(from);
        double greatest = to == null ? Double.POSITIVE_INFINITY : real(to);
        yield DoubleField.newRangeQuery(
            name,
            includesFrom || from == null ? least : Math.nextUp(least),
            includesTo || to == null ? greatest : Math.nextDown(greatest));
      }
      case TERM ->
          from != null && from.equals(to) && includesFrom && includesTo
              ? new TermQuery(new Term(name, term(from)))
              : new TermRangeQuery(
                  name,
                  from == null ? null : term(from),
                  to == null ? null : term(to),
                  includesFrom,
                  includesTo);
      case HIDDEN -> throw notCompared();
    };
  }

  /** An order of objects, those without a value last; empty if its values are not compared. */
  public Optional<SortField> sort(boolean descending) {
    SortField sort =
        switch (form) {
          case LONG ->
              LongField.newSortField(property.name(), descending, SortedNumericSelector.Type.MIN);
          case DOUBLE ->
              DoubleField.newSortField(property.name(), descending, SortedNumericSelector.Type.MIN);
          case TERM ->
              KeywordField.newSortField(property.name(), descending, SortedSetSelector.Type.MIN);
          case HIDDEN -> null;
        };
    if (sort == null) {
      return Optional.empty();
    }
    sort.setMissingValue(
        switch (form) {
          case LONG -> descending ? (Object) Long.MIN_VALUE : (Object) Long.MAX_VALUE;
          case DOUBLE -> descending ? Double.NEGATIVE_INFINITY : Double.NaN;
          case TERM, HIDDEN -> descending ? SortField.STRING_FIRST : SortField.STRING_LAST;
        });
    return Optional.of(sort);
  }

  private long number(Object value) {
    return switch (property.type().kind()) {
      case BOOLEAN -> (Boolean) value ? 1 : 0;
      case DATE -> ((LocalDate) value).toEpochDay();
      case TIMESTAMP -> {
        Instant time = (Instant) value;
        yield time.getEpochSecond() * MICROS + time.getNano() / 1_000;
      }
      case DECIMAL -> ((BigDecimal) value).unscaledValue().longValueExact();
      default -> (Long) value;
    };
  }

  /** Both zeros are one. */
  private static double real(Object value) {
    return (Double) value + 0.0;
  }

  /** Bytes in the order of the values. */
  private static BytesRef term(Object value) {
    if (value instanceof BigDecimal decimal) {
      return term(decimal.unscaledValue());
    }
    BytesRef text = new BytesRef((String) value);
    if (text.length <= LONGEST_TERM) {
      return text;
    }
    MessageDigest digest = Durably.sha256();
    digest.update(((String) value).getBytes(StandardCharsets.UTF_8));
    byte[] hash = digest.digest();
    byte[] bytes = Arrays.copyOf(text.bytes, LONGEST_TERM + hash.length);
    System.arraycopy(hash, 0, bytes, LONGEST_TERM, hash.length);
    return new BytesRef(bytes);
  }

  private static BytesRef term(BigInteger digits) {
    byte[] bytes = digits.toByteArray();
    byte[] padded = new byte[DECIMAL_BYTES];
    int from = padded.length - bytes.length;
    Arrays.fill(padded, 0, from, (byte) (digits.signum() < 0 ? -1 : 0));
    System.arraycopy(bytes, 0, padded, from, bytes.length);
    padded[0] ^= (byte) 0x80;
    return new BytesRef(padded);
  }
}
