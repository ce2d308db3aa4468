package dev.tidemark.activities.index.query;

/**
 * What a question was answered from: this generation of this index, with all edits up to an offset
 * and no later one.
 */
public record Generation(long index, long generation, long editOffset) {}
