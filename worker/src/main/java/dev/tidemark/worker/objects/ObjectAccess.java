package dev.tidemark.worker.objects;

import dev.tidemark.activities.index.serve.ObjectReader;
import dev.tidemark.workflows.client.ObjectsClient;

/**
 * The way to objects in a process.
 *
 * @param reader answers questions about them, and takes edits
 * @param builds asks for builds of their indexes
 */
public record ObjectAccess(ObjectReader reader, ObjectsClient builds) {}
