package dev.tidemark.worker.yaml;

/**
 * One thing wrong in a file.
 *
 * @param line from 1; 0 where it is the file as a whole
 * @param column from 1; 0 where it is the file as a whole
 * @param key path of the key; empty for the file as a whole
 */
public record Finding(int line, int column, String key, String message) {}
