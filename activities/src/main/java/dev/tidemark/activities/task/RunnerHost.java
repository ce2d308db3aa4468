package dev.tidemark.activities.task;

/**
 * What a runner of partitions is part of.
 *
 * @param worker who runs the partitions, for people
 * @param wakes whom their commits concern
 */
public record RunnerHost(String worker, Wakes wakes) {}
