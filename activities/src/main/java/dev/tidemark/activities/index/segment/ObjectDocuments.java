package dev.tidemark.activities.index.segment;

import dev.tidemark.activities.index.codec.StateCodec;
import dev.tidemark.activities.index.object.Merge;
import dev.tidemark.activities.index.object.ObjectState;
import dev.tidemark.activities.index.object.SourceRow;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * The documents of an object type: one for each object of which anything is known. What people see
 * of it can be searched by its {@link PropertyField}s; what else is known of it is kept beside,
 * also where nothing is seen, so that an older row that comes later does not bring it back (paimon
 * 5387). Names of fields that are no properties begin with a dot, which no property's does.
 */
public final class ObjectDocuments {
  /** Cuts texts into words. */
  public static final Analyzer ANALYZER = new StandardAnalyzer();

  /** Every document that is an object; the others are what is known of objects that are not. */
  public static final Query VISIBLE = new TermQuery(new Term(".visible", "1"));

  /** The order that tells any two objects apart. */
  public static final SortField BY_KEY = new SortField(".key", SortField.Type.STRING);

  static final String KEY = ".key";
  static final String STATE = ".state";

  private static final String TRANSACTION = ".transaction.";

  private final StateCodec codec;
  private final Merge merge;
  private final Map<String, PropertyField> fields = new LinkedHashMap<>();

  public ObjectDocuments(ObjectType type) {
    this.codec = new StateCodec(type);
    this.merge = new Merge(type);
    for (Property property : type.properties()) {
      fields.put(property.name(), new PropertyField(property));
    }
  }

  /** How every writer of such documents is configured; each writer needs one of its own. */
  public static IndexWriterConfig config() {
    return new IndexWriterConfig(ANALYZER).setRAMBufferSizeMB(64);
  }

  /** What replaces the document of an object, and finds it. */
  public static Term term(String key) {
    return new Term(KEY, key);
  }

  /** The document of an object. */
  public Document document(String key, ObjectState state) {
    return document(key, state, codec.encode(state));
  }

  /**
   * The same of a state that is encoded already.
   *
   * @param encoded the state by {@link StateCodec}
   */
  public Document document(String key, ObjectState state, BytesRef encoded) {
    Document document = new Document();
    document.add(new StringField(KEY, key, Field.Store.NO));
    document.add(new SortedDocValuesField(KEY, new BytesRef(key)));
    document.add(new BinaryDocValuesField(STATE, encoded));
    for (int i = 0; i < state.rows().size(); i++) {
      SourceRow row = state.rows().get(i);
      if (row != null) {
        document.add(new LongField(TRANSACTION + i, row.transaction(), Field.Store.NO));
      }
    }
    Optional<List<@Nullable Object>> visible = merge.visible(key, state);
    if (visible.isPresent()) {
      document.add(new StringField(".visible", "1", Field.Store.NO));
      int i = 0;
      for (PropertyField field : fields.values()) {
        field.addTo(document, visible.get().get(i++));
      }
    }
    return document;
  }

  /** What is seen of an object: see {@link Merge#visible}. */
  public Optional<List<@Nullable Object>> visible(String key, ObjectState state) {
    return merge.visible(key, state);
  }

  /**
   * The fields of a property.
   *
   * @throws IllegalArgumentException if there is no such property, naming those there are
   */
  public PropertyField field(String property) {
    PropertyField field = fields.get(property);
    if (field == null) {
      throw new IllegalArgumentException(
          "there is no property '" + property + "'; there are " + fields.keySet());
    }
    return field;
  }

  StateCodec codec() {
    return codec;
  }

  /** Documents whose row of a datasource came with one of these transactions. */
  public static Query ofTransactions(int datasource, List<Long> numbers) {
    return LongField.newSetQuery(
        TRANSACTION + datasource, numbers.stream().mapToLong(Long::longValue).toArray());
  }
}
