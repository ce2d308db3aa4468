/** Outputs in a bucket of an S3 store. */
@NullMarked
package dev.tidemark.activities.store.s3;

import org.jspecify.annotations.NullMarked;
