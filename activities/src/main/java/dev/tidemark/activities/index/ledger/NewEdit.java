package dev.tidemark.activities.index.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.activities.index.object.Edit;

/**
 * An edit that a person asks for.
 *
 * @param requestId the same request sent twice is one edit
 * @param key of the object
 * @param values of the properties that it sets, checked, as {@link
 *     dev.tidemark.activities.index.object.Values} writes them; empty for a deletion
 * @param by who
 */
public record NewEdit(
    String requestId, String key, Edit.Action action, ObjectNode values, String by) {}
