/** What stands for an account in outputs (B24). */
@NullMarked
package dev.tidemark.activities.account;

import org.jspecify.annotations.NullMarked;
