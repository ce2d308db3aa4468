package dev.tidemark.starter.process;

import dev.tidemark.activities.ledger.database.LedgerSchema;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.worker.embedded.ServicesRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code migrate}: the ledger's schema. */
@Command(name = "migrate", description = "Creates or upgrades the ledger's schema.")
public final class MigrateCommand implements Callable<Integer> {
  private final Workspace workspace;

  public MigrateCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    ServicesRequest request =
        ServicesRequest.of(Services.Need.LEDGER).with(ServicesRequest.Schema.UNCHECKED);
    try (Session session = workspace.open(workspace.configuration(), request)) {
      int migrations = LedgerSchema.migrate(session.ledger());
      workspace
          .console()
          .result(
              new View(migrations),
              () ->
                  migrations == 0
                      ? "the ledger's schema is up to date"
                      : migrations + (migrations == 1 ? " migration ran" : " migrations ran"));
    }
    return ExitCode.DONE.code();
  }

  /** The result as JSON: how many migrations ran. */
  record View(int migrations) {}
}
