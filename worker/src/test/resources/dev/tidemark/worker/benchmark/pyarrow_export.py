# Exports a query into each file that standard input names, and says how many seconds and CPU seconds that took.
import sys
import time

import adbc_driver_postgresql.dbapi
import pyarrow.parquet

uri, query = sys.argv[1:]
for line in sys.stdin:
    began, cpu = time.perf_counter(), time.process_time()
    with adbc_driver_postgresql.dbapi.connect(uri) as connection, connection.cursor() as cursor:
        cursor.execute(query)
        table = cursor.fetch_arrow_table()
    pyarrow.parquet.write_table(table, line.rstrip("\n"), compression="zstd")
    print(time.perf_counter() - began, time.process_time() - cpu, flush=True)
