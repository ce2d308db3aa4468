package dev.tidemark.activities.index.ledger;

import dev.tidemark.activities.index.ledger.ObjectIndex.Role;
import dev.tidemark.activities.index.source.Sources;
import dev.tidemark.activities.index.source.Transaction;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.index.Datasource;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Why an index needs a build.
 *
 * @param full whether all is read anew
 * @param datasources all of them: one with nothing new has an empty changelog
 * @param input tells apart what failed builds were made from
 */
record BuildNeed(String cause, boolean full, List<String> datasources, String input) {

  /** What is known of a type as a build begins. */
  record Standing(
      long editOffset, boolean fullAsked, boolean editsAreDue, @Nullable Integer replacement) {}

  private static final Sql STANDING =
      Sql.of(
          """
          select t.edit_offset, t.full_asked_at is not null as full_asked,
                 exists (
                   select from tidemark.object_edit e
                    where e.object_type_id = t.object_type_id and e.edit_offset = :persisted + 1
                      and e.made_at <= clock_timestamp() - :persist * interval '1 millisecond')
                   as edits_are_due,
                 (select r.revision from tidemark.object_index r
                   where r.object_type_id = t.object_type_id and r.role = 'replacement')
                   as replacement
            from tidemark.object_type t
           where t.object_type_id = :type
          """);

  static Standing standing(Connection connection, ObjectIndex index) throws SQLException {
    return STANDING
        .on(connection)
        .set("type", index.typeId())
        .set("persisted", index.built().editOffset())
        .set("persist", index.type().rhythm().persistEdits().toMillis())
        .list(
            row -> {
              Long replacement = row.numberOrNull("replacement");
              return new Standing(
                  row.number("edit_offset"),
                  row.flag("full_asked"),
                  row.flag("edits_are_due"),
                  replacement == null ? null : replacement.intValue());
            })
        .get(0);
  }

  /**
   * Null where it has all that there is.
   *
   * @param asked a person has asked for a full reindex
   */
  static @Nullable BuildNeed of(
      Connection connection, ObjectIndex index, Standing standing, boolean asked)
      throws SQLException {
    Map<String, List<Transaction>> fresh = Transactions.toTakeIn(connection, index.id(), false);
    List<String> gone = Transactions.withGone(connection, index);
    List<Datasource> sources = index.type().datasources();
    boolean retention =
        sources.stream().anyMatch(one -> keepsAll(one) && gone.contains(one.name()));
    boolean view =
        sources.stream()
            .anyMatch(one -> Sources.isAlwaysFull(one) && fresh.containsKey(one.name()));
    String cause;
    if (asked) {
      cause = "asked";
    } else if (index.built().generation() == 0) {
      cause = index.role() == Role.REPLACEMENT ? "schema" : "source";
    } else if (retention) {
      cause = "retention";
    } else if (view) {
      cause = "view";
    } else if (!fresh.isEmpty()) {
      cause = "source";
    } else if (standing.editsAreDue()) {
      cause = "edits";
    } else {
      return null;
    }
    boolean full = asked || index.built().generation() == 0 || retention || view;
    List<String> datasources = sources.stream().map(Datasource::name).toList();
    return new BuildNeed(cause, full, datasources, fingerprint(fresh, gone));
  }

  /**
   * Rows of a transaction that is not there any more must not stay (D26). A snapshot has one
   * transaction at a time, and a query gives all that it has each time.
   */
  private static boolean keepsAll(Datasource datasource) {
    return !(datasource.kind() instanceof Datasource.Snapshot)
        && !(datasource.origin() instanceof Datasource.FromSql);
  }

  private static String fingerprint(Map<String, List<Transaction>> fresh, List<String> gone) {
    StringBuilder text = new StringBuilder(gone.toString());
    fresh.forEach(
        (datasource, transactions) ->
            transactions.forEach(
                one ->
                    text.append('\n')
                        .append(datasource)
                        .append(' ')
                        .append(one.identity())
                        .append(' ')
                        .append(one.version())));
    return UUID.nameUUIDFromBytes(text.toString().getBytes(StandardCharsets.UTF_8)).toString();
  }
}
