/**
 * What every command stands on: arguments checked against the configuration, services opened,
 * failures turned into exit codes.
 */
@NullMarked
package dev.tidemark.starter.session;

import org.jspecify.annotations.NullMarked;
