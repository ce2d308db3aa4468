package dev.tidemark.activities.index.segment;

import dev.tidemark.activities.index.object.ObjectState;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * What an open index knows of objects, seen or not. For one thread: make another one for each,
 * which costs nothing.
 */
public final class StoredObjects {
  private static final int NONE = -1;

  private final ObjectDocuments documents;
  private final List<LeafReaderContext> leaves;
  private final Leaf[] opened;

  public StoredObjects(ObjectDocuments documents, IndexReader reader) {
    this.documents = documents;
    this.leaves = reader.leaves();
    this.opened = new Leaf[leaves.size()];
  }

  /** The document of an object, or -1 if nothing is known of it. */
  public int find(BytesRef key) throws IOException {
    for (int i = 0; i < leaves.size(); i++) {
      int found = leaf(i).find(key);
      if (found != NONE) {
        return leaves.get(i).docBase + found;
      }
    }
    return NONE;
  }

  /** What is known of an object, null if nothing is. */
  public @Nullable ObjectState state(BytesRef key) throws IOException {
    int document = find(key);
    return document == NONE ? null : state(document);
  }

  /** What a document says. */
  public ObjectState state(int document) throws IOException {
    int leaf = ReaderUtil.subIndex(document, leaves);
    return documents.codec().state(leaf(leaf).state(document - leaves.get(leaf).docBase));
  }

  /** Whose document it is. */
  public String key(int document) throws IOException {
    int leaf = ReaderUtil.subIndex(document, leaves);
    return leaf(leaf).key(document - leaves.get(leaf).docBase);
  }

  private Leaf leaf(int i) throws IOException {
    Leaf leaf = opened[i];
    if (leaf == null) {
      leaf = new Leaf(leaves.get(i).reader());
      opened[i] = leaf;
    }
    return leaf;
  }

  /** One segment. */
  private static final class Leaf {
    private final LeafReader reader;
    private final @Nullable TermsEnum terms;
    private final @Nullable Bits live;
    private @Nullable PostingsEnum postings;
    private BinaryDocValues states;
    private SortedDocValues keys;

    Leaf(LeafReader reader) throws IOException {
      this.reader = reader;
      Terms all = reader.terms(ObjectDocuments.KEY);
      this.terms = all == null ? null : all.iterator();
      this.live = reader.getLiveDocs();
      this.states = DocValues.getBinary(reader, ObjectDocuments.STATE);
      this.keys = DocValues.getSorted(reader, ObjectDocuments.KEY);
    }

    int find(BytesRef key) throws IOException {
      if (terms == null || !terms.seekExact(key)) {
        return NONE;
      }
      postings = terms.postings(postings, PostingsEnum.NONE);
      for (int doc = postings.nextDoc();
          doc != DocIdSetIterator.NO_MORE_DOCS;
          doc = postings.nextDoc()) {
        if (live == null || live.get(doc)) {
          return doc;
        }
      }
      return NONE;
    }

    BytesRef state(int doc) throws IOException {
      if (states.docID() > doc) {
        states = DocValues.getBinary(reader, ObjectDocuments.STATE);
      }
      if (!states.advanceExact(doc)) {
        throw new IllegalStateException("document " + doc + " of " + reader + " has no state");
      }
      return states.binaryValue();
    }

    String key(int doc) throws IOException {
      if (keys.docID() > doc) {
        keys = DocValues.getSorted(reader, ObjectDocuments.KEY);
      }
      if (!keys.advanceExact(doc)) {
        throw new IllegalStateException("document " + doc + " of " + reader + " has no key");
      }
      return keys.lookupOrd(keys.ordValue()).utf8ToString();
    }
  }
}
