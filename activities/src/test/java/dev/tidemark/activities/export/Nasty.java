package dev.tidemark.activities.export;

import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.ColumnType.Kind;
import dev.tidemark.workflows.export.Dataset;
import dev.tidemark.workflows.export.Dataset.Format;
import dev.tidemark.workflows.export.Load;
import dev.tidemark.workflows.export.PartSize;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table with what goes wrong in one format or another, and its export. */
public final class Nasty {
  public static final String TABLE =
      """
      create table nasty (id bigint, flag boolean, small integer, ratio double precision,
        large numeric(38,10), amount numeric(10,2), word text, day date, at timestamptz,
        properties jsonb, raw bytea);
      insert into nasty values
        (1, true, 2147483647, 'NaN', 1234567890123456789012345678.0123456789, 10.10, '',
         '0001-01-01', '0001-01-01T00:00:00Z', '{"a": "\\u00e9\\n\\"q\\"", "b": null}', '\\x00ff0a'),
        (2, null, null, null, null, null, null, null, null, null, null),
        (3, false, -2147483648, 'Infinity', -0.0000000001, -99999999.99,
         e'line\\nbreak,"quoted",\\r\\n\\\\', '9999-12-31', '9999-12-31T23:59:59.999999Z',
         '[1, null, "x"]', ''),
        (4, true, 0, '-Infinity', 0, 0, e'\\U0001F389 \\u00e9 \\ttab', '2026-09-05',
         '2026-09-05T10:00:00.123456Z', '"text"', '\\x01'),
        (9223372036854775807, true, 5, 0.1, 1, 1, '\\.', '1582-10-10', '1582-10-10T12:00:00Z',
         '12345.125', '\\x5c'),
        (-9223372036854775808, true, 6, 4.9e-324, 1, 1, ' NULL ', '1900-02-28',
         '1969-12-31T23:59:59.999999Z', '{}', '\\x27');
      """;

  /**
   * Many more, for those who compare a whole table: every character of Latin 1 that a text can
   * have, at both ends of one and by itself, beside every byte; what CSV readers take for null or
   * for a number; what ends a line somewhere.
   */
  public static final String MORE =
      """
      insert into nasty
        select 1000 + i, i % 2 = 0, i, i / 7.0, i / 1000.0, i, chr(i) || 'x' || chr(i),
               date '2026-02-28' + i, timestamptz '2026-03-29T00:59:59.999999Z' + i * interval '1 hour',
               to_jsonb(chr(i)), decode(lpad(to_hex(i), 2, '0'), 'hex')
          from generate_series(1, 255) i
        union all
        select 2000 + i, null, null, null, null, null, chr(i), null, null, jsonb_build_array(chr(i)),
               '\\x00'
          from generate_series(1, 255) i;
      insert into nasty (id, word, ratio, properties) values
        (3001, 'null', '-0', 'null'), (3002, 'NULL', 1e308, '"null"'), (3003, '\\N', -1e-308, '0.1'),
        (3004, 'NaN', 1e22, '""'), (3005, '""', 123456789.125, '[]'), (3006, '"', 5e-324, '{"": ""}'),
        (3007, ',', 1.7976931348623157e308, '[[[]]]'), (3008, '0x1', 0.3, 'true'),
        (3009, e'a\\u2028b\\u2029c\\u0085d', 2.2250738585072014e-308, '"\\u2028"'),
        (3010, e'\\r', 9007199254740993, '-1'), (3011, e'\\n', 100, '1e5'), (3012, e'\\n\\n', 1e15, '{}'),
        (3013, e'\\ufeffx', 1e-5, '{"a": {"b": [1, {"c": null}]}}'), (3014, ' ', 3, '" "'),
        (3015, repeat('é"' || chr(10), 5000), 1e16, to_jsonb(repeat('"\\', 5000))),
        (3016, '=1+1', 1e17, '"="'), (3017, '\\.', 1e21, '{"k\\"": 1}'), (3018, '2026-01-01', 0, '[null]'),
        (3019, repeat('"', 1100000), 1, '1');
      """;

  public static final List<Column> COLUMNS =
      List.of(
          new Column("id", ColumnType.of(Kind.BIGINT)),
          new Column("flag", ColumnType.of(Kind.BOOLEAN)),
          new Column("small", ColumnType.of(Kind.INT)),
          new Column("ratio", ColumnType.of(Kind.DOUBLE)),
          new Column("large", ColumnType.decimal(38, 10)),
          new Column("amount", ColumnType.decimal(10, 2)),
          new Column("word", ColumnType.of(Kind.STRING)),
          new Column("day", ColumnType.of(Kind.DATE)),
          new Column("at", ColumnType.of(Kind.TIMESTAMP)),
          new Column("properties", ColumnType.of(Kind.JSON)),
          new Column("raw", ColumnType.of(Kind.BYTES)));

  private Nasty() {}

  public static TaskSpec.Export export(Format format, @Nullable Load load) {
    return export("select * from nasty order by id", COLUMNS, format, load);
  }

  public static TaskSpec.Export export(
      String query, List<Column> columns, Format format, @Nullable Load load) {
    return new TaskSpec.Export(
        "shop",
        query,
        new Dataset(format, columns, Dataset.Meaning.EVENT_TIME),
        new PartSize.Rows(4),
        load,
        Duration.ofMinutes(1));
  }
}
