package dev.tidemark.activities.index.source;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.ObjectType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import javax.sql.DataSource;

/** The datasources of this process, for the configuration that it has. */
public final class Sources {
  private final Connections connections;
  private final Stores stores;
  private final Path baseFolder;
  private final DataSource ledger;

  /**
   * @param stores of the outputs of pipelines
   * @param baseFolder what globs are relative to: the configuration's folder
   */
  public Sources(Connections connections, Stores stores, Path baseFolder, DataSource ledger) {
    this.connections = connections;
    this.stores = stores;
    this.baseFolder = baseFolder;
    this.ledger = ledger;
  }

  /**
   * The transactions that a datasource has now, in the order of their commits; of a snapshot the
   * newest one only.
   */
  public List<Found> find(Datasource datasource) throws IOException {
    return source(datasource).find();
  }

  /** Reads the rows of a datasource. */
  public RowReader reader(ObjectType type, Datasource datasource) {
    Source source = source(datasource);
    RowShape shape = new RowShape(type, datasource);
    return (transaction, sink) ->
        source.read(transaction, row -> shape.accept(row, transaction.number(), sink));
  }

  /**
   * Whether no build of a datasource can be incremental: a query with a deletion column, of which
   * nobody knows what is not in it any more (D24).
   */
  public static boolean isAlwaysFull(Datasource datasource) {
    return datasource.origin() instanceof Datasource.FromSql
        && datasource.kind() instanceof Datasource.Cdc cdc
        && cdc.deletion() != null;
  }

  /** Whether each look finds another version: a query that nobody can ask for its version. */
  public static boolean isAlwaysNew(Datasource datasource) {
    return datasource.origin() instanceof Datasource.FromSql query && query.version() == null;
  }

  private Source source(Datasource datasource) {
    Datasource.Origin origin = datasource.origin();
    if (origin instanceof Datasource.FromPipeline pipeline) {
      return new PipelineSource(datasource, pipeline, stores, ledger);
    }
    if (origin instanceof Datasource.FromSql query) {
      return new QuerySource(query, connections.database(query.connection()));
    }
    return new FileSource(datasource, (Datasource.FromFiles) origin, baseFolder);
  }
}
