"""Reads the files of an export with PyArrow, and what that has no type for with Python's own readers.

From {"format", "files", "columns": [{"name", "type"}, ...]} to {"types", "rows"}: the types that a Parquet file says, and each value
as something that JSON keeps exactly: a decimal and JSON as texts, a date as days and an instant as microseconds since 1970, a double as
the hexadecimal digits of its bits, bytes as such digits.
"""

import base64
import decimal
import json
import re
import struct
import sys

import pyarrow as pa
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet

LONGEST_LINE = 1 << 24

TYPES = {
    "boolean": pa.bool_(),
    "int": pa.int32(),
    "bigint": pa.int64(),
    "double": pa.float64(),
    "string": pa.string(),
    "date": pa.date32(),
    "timestamp": pa.timestamp("us", tz="UTC"),
    "json": pa.string(),
    "bytes": pa.string(),
}


def arrow(kind):
    measures = re.fullmatch(r"decimal\((\d+),(\d+)\)", kind)
    return pa.decimal128(int(measures[1]), int(measures[2])) if measures else TYPES[kind]


def schema(columns):
    return pa.schema([(column["name"], arrow(column["type"])) for column in columns])


def parquet(files, columns):
    tables = [pyarrow.parquet.read_table(file, partitioning=None) for file in files]
    assert all(table.schema == tables[0].schema for table in tables)
    return pa.concat_tables(tables)


def csv(files, columns):
    convert = pyarrow.csv.ConvertOptions(
        column_types=schema(columns), null_values=[""], strings_can_be_null=True, quoted_strings_can_be_null=False
    )
    parse = pyarrow.csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=False)
    read = pyarrow.csv.ReadOptions(block_size=LONGEST_LINE)
    return pa.concat_tables(
        [pyarrow.csv.read_csv(file, read_options=read, parse_options=parse, convert_options=convert) for file in files]
    )


def lines(files):
    for file in files:
        with open(file, encoding="utf-8", newline="\n") as text:
            yield from (json.loads(line, parse_float=decimal.Decimal) for line in text)


def ndjson(files, columns):
    """PyArrow makes of a text neither a date at once, nor a double, which NaN is, nor values of several kinds, which JSON is."""
    own = [
        {**column, "type": column["type"].replace("date", "string")}
        for column in columns
        if column["type"] not in ("double", "json")
    ]
    parse = pyarrow.json.ParseOptions(explicit_schema=schema(own), unexpected_field_behavior="ignore", newlines_in_values=False)
    read = pyarrow.json.ReadOptions(block_size=LONGEST_LINE)
    table = pa.concat_tables([pyarrow.json.read_json(file, read_options=read, parse_options=parse) for file in files])
    for at, column in enumerate(columns):
        values = [line[column["name"]] for line in lines(files)]
        if column["type"] == "double":
            values = [None if value is None else float(value) for value in values]
            table = table.add_column(at, column["name"], pa.array(values, pa.float64()))
        elif column["type"] == "json":
            values = [None if value is None else json.dumps(value, default=float) for value in values]
            table = table.add_column(at, column["name"], pa.array(values, pa.string()))
        elif column["type"] == "date":
            table = table.set_column(at, column["name"], table.column(at).cast(pa.date32()))
    return table


def integers(column, kind):
    return column.cast(kind).to_pylist()


def exact(column, kind, is_text_of_bytes):
    if kind == "date":
        return integers(column, pa.int32())
    if kind == "timestamp":
        return integers(column, pa.int64())
    values = column.to_pylist()
    if kind == "double":
        return [value if value is None else struct.pack(">d", value).hex() for value in values]
    if kind == "bytes":
        return [value if value is None else (base64.b64decode(value, validate=True) if is_text_of_bytes else value).hex() for value in values]
    if kind.startswith("decimal"):
        return [value if value is None else format(value, "f") for value in values]
    return values


def chunks(files):
    """How each column is kept: its compression, whether there are statistics, and whether it may have nulls."""
    for_all = set()
    for file in files:
        metadata = pyarrow.parquet.read_metadata(file)
        for group in range(metadata.num_row_groups):
            for at in range(metadata.num_columns):
                column = metadata.row_group(group).column(at)
                may_be_null = metadata.schema.column(at).max_definition_level == 1
                for_all.add(f"{column.compression} {column.is_stats_set} {may_be_null}")
    return sorted(for_all)


asked = json.load(sys.stdin)
read = {"PARQUET": parquet, "CSV": csv, "NDJSON": ndjson}[asked["format"]](asked["files"], asked["columns"])
assert read.column_names == [column["name"] for column in asked["columns"]], read.column_names
values = [
    exact(read.column(column["name"]), column["type"], asked["format"] != "PARQUET") for column in asked["columns"]
]
json.dump(
    {
        "types": [str(field.type) for field in read.schema],
        "rows": list(zip(*values)),
        "chunks": chunks(asked["files"]) if asked["format"] == "PARQUET" else [],
    },
    sys.stdout,
)
