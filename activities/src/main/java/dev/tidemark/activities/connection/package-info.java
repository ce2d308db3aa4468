/** Named connections to what pipelines read and write. */
@NullMarked
package dev.tidemark.activities.connection;

import org.jspecify.annotations.NullMarked;
