/**
 * How the indexes of object types stand: their builds, and how far behind their sources they are.
 */
@NullMarked
package dev.tidemark.activities.index.health;

import org.jspecify.annotations.NullMarked;
