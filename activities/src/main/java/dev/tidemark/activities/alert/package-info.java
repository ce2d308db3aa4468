/** What people are told: alerts as recorded in the ledger, and the messages that carry them. */
@NullMarked
package dev.tidemark.activities.alert;

import org.jspecify.annotations.NullMarked;
