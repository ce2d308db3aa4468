/** Whether what pipelines read and write can be used: the check behind the command and the page. */
@NullMarked
package dev.tidemark.worker.connection;

import org.jspecify.annotations.NullMarked;
