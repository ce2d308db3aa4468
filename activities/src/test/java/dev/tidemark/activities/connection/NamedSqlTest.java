package dev.tidemark.activities.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.ledger.LedgerTestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

class NamedSqlTest {
  private final LedgerTestDatabase database = LedgerTestDatabase.create();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void findsNamesInOrder() {
    NamedSql sql = NamedSql.parse("select :a, :b_2 where x=:a and y >= :from");

    assertThat(sql.names()).containsExactly("a", "b_2", "a", "from");
    assertThat(sql).hasToString("select ?, ? where x=? and y >= ?");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select ':a'",
        "select 'it''s :a'",
        "select E'it\\'s :a'",
        "select \":a\"",
        "select 1 -- :a\n",
        "select /* :a\n */ 1",
        "select $$ :a $$",
        "select $tag$ $$ :a $tag$",
        "select '1'::a",
        "select x[1:a]"
      })
  void leavesQuotesCommentsAndCastsAlone(String sql) {
    assertThat(NamedSql.parse(sql).names()).isEmpty();
    assertThat(NamedSql.parse(sql)).hasToString(sql);
  }

  @Test
  void findsNamesAfterQuotesThatEnd() {
    NamedSql sql = NamedSql.parse("select 'x', $$y$$, \"z\", e'\\\\', :a::date -- :b");

    assertThat(sql.names()).containsExactly("a");
  }

  @Test
  void keepsTheOperatorsOfJson() throws Exception {
    try (Connection connection = database.dataSource().getConnection();
        PreparedStatement statement =
            NamedSql.parse("select '{\"k\":1}'::jsonb ? :key")
                .prepare(connection, Map.of("key", "k"));
        ResultSet rows = statement.executeQuery()) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getBoolean(1)).isTrue();
    }
  }

  // What is quoted may not join what stands before it.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "select :a | select ('it''s')",
        "select U&:a ; -- done | select U&('it''s')",
        "select ';', :a, '?' ? 'k';  | select ';', ('it''s'), '?' ? 'k'"
      })
  void writesValuesAsLiterals(String sql, String literal) throws Exception {
    try (Connection connection = database.dataSource().getConnection()) {
      String inlined =
          NamedSql.parse(sql).inline(connection.unwrap(PGConnection.class), Map.of("a", "it's"));

      assertThat(inlined.strip()).isEqualTo(literal);
    }
  }

  @Test
  void refusesAParameterWithoutValue() throws Exception {
    try (Connection connection = database.dataSource().getConnection()) {
      assertThatThrownBy(
              () -> NamedSql.parse("select :parttion").prepare(connection, Map.of("partition", "")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("the SQL has the parameter :parttion; there are [partition]");
    }
  }

  // B29: a day is a date, never midnight in some zone.
  @Test
  void boundsATimeAsItsPlaceNeedsIt() throws Exception {
    database.execute(
        """
        create table t (d date, ts timestamp, tz timestamptz);
        insert into t values
          ('2026-09-04', '2026-09-04 23:59:59', '2026-09-04 20:59:59Z'),
          ('2026-09-05', '2026-09-05 00:00:00', '2026-09-04 21:00:00Z')
        """);
    // Midnight in Istanbul is 21:00 of the day before in UTC.
    String start =
        NamedSql.time(Instant.parse("2026-09-04T21:00:00Z"), ZoneId.of("Europe/Istanbul"));
    for (String column : new String[] {"d", "ts", "tz"}) {
      String sql = "select count(*) from t where " + column + " >= :start";
      try (Connection connection = database.dataSource().getConnection();
          PreparedStatement statement =
              NamedSql.parse(sql).prepare(connection, Map.of("start", start));
          ResultSet rows = statement.executeQuery()) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getInt(1)).as(column).isEqualTo(1);
      }
    }
  }
}
