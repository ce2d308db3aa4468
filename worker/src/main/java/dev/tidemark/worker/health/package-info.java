/** What a worker says to whoever keeps it running: a container's engine, Kubernetes. */
@NullMarked
package dev.tidemark.worker.health;

import org.jspecify.annotations.NullMarked;
