package dev.tidemark.activities.index.query;

import dev.tidemark.activities.index.segment.ObjectDocuments;
import dev.tidemark.activities.index.segment.PropertyField;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import java.util.List;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.QueryBuilder;

/** Filters and words as questions of Lucene; what is not seen of objects is never found. */
final class FilterQueries {
  private final ObjectType type;
  private final ObjectDocuments documents;

  FilterQueries(ObjectType type) {
    this.type = type;
    this.documents = new ObjectDocuments(type);
  }

  PropertyField field(String property, String asked) {
    return documents.field(Properties.find(type, property, asked).name());
  }

  /** The objects that a question is about. */
  Query query(ObjectQuery asked) {
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    all.add(ObjectDocuments.VISIBLE, Occur.FILTER);
    // Without it, what there is in all need not be counted one by one.
    if (!asked.filter().equals(Filter.EVERY)) {
      all.add(query(asked.filter()), Occur.FILTER);
    }
    if (asked.text() != null) {
      all.add(words(asked.text()), Occur.MUST);
    }
    return all.build();
  }

  private Query query(Filter filter) {
    try {
      if (filter instanceof Filter.And and) {
        return together(and.all(), Occur.FILTER);
      } else if (filter instanceof Filter.Or or) {
        return or.any().isEmpty() ? new MatchNoDocsQuery() : together(or.any(), Occur.SHOULD);
      } else if (filter instanceof Filter.Not not) {
        return but(query(not.filter()));
      } else if (filter instanceof Filter.In in) {
        return field(in.property(), "filter").in(in.values());
      } else if (filter instanceof Filter.Compare compare) {
        return compared(compare);
      } else if (filter instanceof Filter.Prefix prefix) {
        return field(prefix.property(), "filter").prefix(prefix.prefix());
      }
      return field(((Filter.Exists) filter).property(), "filter").exists();
    } catch (IllegalArgumentException | ClassCastException e) {
      throw QueryRefusal.invalid("filter", String.valueOf(e.getMessage()));
    }
  }

  private Query together(List<Filter> filters, Occur how) {
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    if (filters.isEmpty()) {
      all.add(ObjectDocuments.VISIBLE, how);
    }
    filters.forEach(filter -> all.add(query(filter), how));
    return all.build();
  }

  private static Query but(Query query) {
    return new BooleanQuery.Builder()
        .add(ObjectDocuments.VISIBLE, Occur.FILTER)
        .add(query, Occur.MUST_NOT)
        .build();
  }

  private Query compared(Filter.Compare compare) {
    PropertyField field = field(compare.property(), "filter");
    Object value = compare.value();
    return switch (compare.comparison()) {
      case LT -> field.between(null, true, value, false);
      case LTE -> field.between(null, true, value, true);
      case GT -> field.between(value, false, null, true);
      case GTE -> field.between(value, true, null, true);
    };
  }

  /** Every word must be in one of the properties, whichever. */
  private Query words(String text) {
    List<String> fields =
        type.properties().stream()
            .filter(Property::text)
            .map(property -> documents.field(property.name()).words())
            .toList();
    if (fields.isEmpty()) {
      throw QueryRefusal.invalid(
          "text",
          "no property of '" + type.name() + "' has text: true, so that its words can be searched");
    }
    QueryBuilder builder = new QueryBuilder(ObjectDocuments.ANALYZER);
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    for (String word : text.strip().split("\\s+", -1)) {
      BooleanQuery.Builder any = new BooleanQuery.Builder();
      for (String field : fields) {
        // Null where nothing of it is a word.
        Query query = builder.createPhraseQuery(field, word);
        if (query != null) {
          any.add(query, Occur.SHOULD);
        }
      }
      BooleanQuery inAny = any.build();
      if (!inAny.clauses().isEmpty()) {
        all.add(inAny, Occur.MUST);
      }
    }
    BooleanQuery words = all.build();
    return words.clauses().isEmpty() ? new ConstantScoreQuery(new MatchNoDocsQuery()) : words;
  }
}
