/** The page for the people who operate it, and the API that it uses. */
@NullMarked
package dev.tidemark.worker.page;

import org.jspecify.annotations.NullMarked;
