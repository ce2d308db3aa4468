/** What the tests of several modules use. */
@NullMarked
package dev.tidemark.testing;

import org.jspecify.annotations.NullMarked;
