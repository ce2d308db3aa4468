/** What the tests of several packages use. */
@NullMarked
package dev.tidemark.activities;

import org.jspecify.annotations.NullMarked;
