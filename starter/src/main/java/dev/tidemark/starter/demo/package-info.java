/** The bundled example: four years of real weather, late data, a backfill. */
@NullMarked
package dev.tidemark.starter.demo;

import org.jspecify.annotations.NullMarked;
