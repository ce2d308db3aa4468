/** The client for other applications: asks Tidemark for work, and how far it is. */
@NullMarked
package dev.tidemark.workflows.client;

import org.jspecify.annotations.NullMarked;
