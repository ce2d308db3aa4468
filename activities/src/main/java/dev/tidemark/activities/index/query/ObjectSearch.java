package dev.tidemark.activities.index.query;

import dev.tidemark.activities.index.object.ObjectState;
import dev.tidemark.activities.index.segment.ObjectDocuments;
import dev.tidemark.activities.index.segment.StoredObjects;
import dev.tidemark.workflows.index.ObjectType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Answers questions about the objects of one view. */
public final class ObjectSearch {
  private final View view;
  private final ObjectType type;
  private final ObjectDocuments documents;
  private final StoredObjects objects;

  /**
   * @param view which the caller holds for as long as it asks
   */
  public ObjectSearch(View view) {
    this.view = view;
    this.type = view.type();
    this.documents = new ObjectDocuments(type);
    this.objects = new StoredObjects(documents, view.searcher().getIndexReader());
  }

  /** The object of a key, or empty if there is none. */
  public Optional<FoundObject> find(String key) throws IOException {
    ObjectState state = objects.state(new BytesRef(key));
    return state == null ? Optional.empty() : seen(key, state);
  }

  /**
   * One page.
   *
   * @param kept takes the view where there is a page after this one
   * @throws QueryRefusal if the question does not fit the type, or is too large
   */
  public FoundObjects search(ObjectQuery asked, KeptViews kept) throws IOException {
    try {
      return page(asked, kept);
    } catch (IndexSearcher.TooManyClauses e) {
      throw QueryRefusal.invalid(
          asked.text() == null ? "filter" : "text",
          "the question is too large: with its words in each property, it may have "
              + IndexSearcher.getMaxClauseCount()
              + " parts; ask for less at once");
    }
  }

  private FoundObjects page(ObjectQuery asked, KeptViews kept) throws IOException {
    FilterQueries queries = new FilterQueries(type);
    Query query = queries.query(asked);
    Sort sort = sort(asked, queries);
    Cursor from = asked.cursor() == null ? null : cursor(asked, sort);
    IndexSearcher searcher = view.searcher();
    long total = from == null ? searcher.count(query) : from.total();
    TopFieldDocs found =
        from == null
            ? searcher.search(query, asked.limit(), sort)
            : (TopFieldDocs) searcher.searchAfter(after(from), query, asked.limit(), sort);
    List<FoundObject> page = new ArrayList<>();
    for (ScoreDoc one : found.scoreDocs) {
      page.add(
          seen(objects.key(one.doc), objects.state(one.doc))
              .orElseThrow(() -> new IllegalStateException("found what is not seen: " + one)));
    }
    String next = null;
    if (page.size() == asked.limit()) {
      FieldDoc last = (FieldDoc) found.scoreDocs[page.size() - 1];
      next = new Cursor(view.id(), question(asked), total, Arrays.asList(last.fields)).text();
      kept.keep(view);
    }
    return new FoundObjects(view.generation(), type, total, page, next);
  }

  /** No two objects are equal by it: each is on one page, and on one only. */
  private static Sort sort(ObjectQuery asked, FilterQueries queries) {
    List<SortField> fields = new ArrayList<>();
    for (ObjectQuery.Sorting sorting : asked.sort()) {
      fields.add(
          queries
              .field(sorting.property(), "sort")
              .sort(sorting.descending())
              .orElseThrow(
                  () ->
                      QueryRefusal.invalid(
                          "sort",
                          "property '"
                              + sorting.property()
                              + "' is of a type that has no order; sort by another")));
    }
    if (fields.isEmpty() && asked.text() != null) {
      fields.add(SortField.FIELD_SCORE);
    }
    fields.add(ObjectDocuments.BY_KEY);
    return new Sort(fields.toArray(SortField[]::new));
  }

  private Cursor cursor(ObjectQuery asked, Sort sort) {
    Cursor cursor = Cursor.parse(Objects.requireNonNull(asked.cursor()));
    if (!cursor.question().equals(question(asked)) || !cursor.fits(sort.getSort())) {
      throw QueryRefusal.invalid(
          "cursor",
          "the cursor belongs to another question; keep filter, text and sort as they were");
    }
    return cursor;
  }

  /** The key tells objects apart: the number of a document decides nothing. */
  private FieldDoc after(Cursor cursor) {
    int last = Math.max(view.searcher().getIndexReader().maxDoc() - 1, 0);
    return new FieldDoc(last, Float.NaN, cursor.after().toArray());
  }

  private static String question(ObjectQuery asked) {
    return Integer.toHexString(Objects.hash(asked.filter(), asked.text(), asked.sort()));
  }

  private Optional<FoundObject> seen(String key, ObjectState state) {
    return documents.visible(key, state).map(values -> new FoundObject(key, named(values)));
  }

  private Map<String, @Nullable Object> named(List<@Nullable Object> values) {
    Map<String, @Nullable Object> named = new LinkedHashMap<>();
    for (int i = 0; i < values.size(); i++) {
      named.put(type.properties().get(i).name(), values.get(i));
    }
    return named;
  }

  /** The id of the view that a cursor was begun in. */
  public static String viewOf(String cursor) {
    return Cursor.parse(cursor).view();
  }
}
