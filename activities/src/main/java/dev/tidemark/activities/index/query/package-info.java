/** What people ask of the objects of a type, and what they get. */
@NullMarked
package dev.tidemark.activities.index.query;

import org.jspecify.annotations.NullMarked;
