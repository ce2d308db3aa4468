/** What an object type is, and the builds that keep its index live or replace it. */
@NullMarked
package dev.tidemark.workflows.index;

import org.jspecify.annotations.NullMarked;
