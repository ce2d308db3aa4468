package dev.tidemark.activities.index.query;

import dev.tidemark.workflows.index.ObjectType;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.search.IndexSearcher;

/**
 * One state of the objects of a type, which never changes: whoever holds it sees nothing but it.
 * What it reads stays until the last holder has closed it.
 *
 * @param id tells it from all others, of other processes too
 * @param type as the index has it
 */
public record View(String id, ObjectType type, IndexSearcher searcher, Generation generation)
    implements AutoCloseable {

  /** Whether this is one holder more, who closes it too; false where the last one has left. */
  public boolean hold() {
    return searcher.getIndexReader().tryIncRef();
  }

  @Override
  public void close() {
    try {
      searcher.getIndexReader().decRef();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
