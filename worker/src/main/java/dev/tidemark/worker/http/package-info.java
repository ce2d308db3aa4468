/** The worker's HTTP server: routes, and what guards every one of them. */
@NullMarked
package dev.tidemark.worker.http;

import org.jspecify.annotations.NullMarked;
