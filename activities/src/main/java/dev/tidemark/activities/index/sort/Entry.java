package dev.tidemark.activities.index.sort;

import org.apache.lucene.util.BytesRef;

/**
 * A key and what belongs to it. Entries are in the order of their keys' bytes, which is the one of
 * an index's terms.
 */
public record Entry(BytesRef key, BytesRef value) {}
