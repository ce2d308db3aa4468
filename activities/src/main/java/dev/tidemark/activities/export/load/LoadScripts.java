package dev.tidemark.activities.export.load;

import dev.tidemark.activities.publish.PublishedOutput;
import dev.tidemark.workflows.export.Dataset;
import dev.tidemark.workflows.export.Load;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The scripts that lie beside an export's files (contracts, section 5; B35 to B39). */
public final class LoadScripts {
  private LoadScripts() {}

  /**
   * The scripts by their names.
   *
   * @param folder the partition's full address
   */
  public static Map<String, String> of(
      Dataset dataset, Load load, String folder, PublishedOutput output) {
    Map<String, String> scripts = new TreeMap<>();
    LoadJob job = LoadJob.of(dataset, load, folder, output);
    for (Load.Engine engine : load.engines()) {
      scripts.put("_load_" + engine.code() + ".sql", dialect(engine).script(job));
      if (engine == Load.Engine.REDSHIFT) {
        scripts.put(RedshiftScript.MANIFEST, RedshiftScript.manifest(job));
      }
    }
    return scripts;
  }

  /**
   * The names of the partition's folders that are its time, such as {@code dt} and {@code hour}.
   */
  public static List<String> timeColumns(String folder, PublishedOutput output) {
    List<LoadJob.Coordinate> keys = LoadJob.keys(folder, output);
    return keys.subList(output.slice().size(), keys.size()).stream()
        .map(LoadJob.Coordinate::name)
        .toList();
  }

  private static Dialect dialect(Load.Engine engine) {
    return switch (engine) {
      case SNOWFLAKE -> new SnowflakeScript();
      case BIGQUERY -> new BigQueryScript();
      case ATHENA -> new AthenaScript();
      case TRINO -> new TrinoScript();
      case REDSHIFT -> new RedshiftScript();
      case DUCKDB -> new DuckDbScript();
      case POSTGRES -> new PostgresScript();
    };
  }
}
