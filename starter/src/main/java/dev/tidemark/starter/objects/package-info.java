/** Commands about object types: how they stand, their objects, and what keeps their indexes. */
@NullMarked
package dev.tidemark.starter.objects;

import org.jspecify.annotations.NullMarked;
