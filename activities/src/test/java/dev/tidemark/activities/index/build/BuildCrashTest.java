package dev.tidemark.activities.index.build;

import static dev.tidemark.activities.index.build.Customers.LIVE;
import static dev.tidemark.activities.index.build.Customers.TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.index.ledger.ObjectDefinitions;
import dev.tidemark.activities.index.ledger.ObjectIndex;
import dev.tidemark.activities.index.ledger.ObjectIndexes;
import dev.tidemark.activities.index.stage.Watch;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.workflows.index.Build;
import dev.tidemark.workflows.index.BuildDecision;
import dev.tidemark.workflows.index.Datasource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The building process is killed with {@code kill -9}; then the normal algorithm runs again. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class BuildCrashTest {
  /** Each of three stages asks before its files and before its manifest; then comes the settle. */
  private static final int POINTS = 7;

  @TempDir Path folder;

  private void write(int file) throws IOException {
    Path input = Files.createDirectories(folder.resolve("input"));
    Files.writeString(
        input.resolve(file + ".ndjson"),
        "{\"id\":0,\"name\":\"of %1$d\"}\n{\"id\":%1$d,\"name\":\"new\"}\n".formatted(file));
  }

  // Issue 8, point 2; D2, D12; A43 to A47, A56: at each point of each stage
  @Test
  void aKilledBuildIsGoneOnWithOrTakenOverAndNothingIsSeenTwiceOrLost() throws Exception {
    try (LedgerTestDatabase database = LedgerTestDatabase.create()) {
      new ObjectDefinitions(database.dataSource())
          .register(Customers.type(new Datasource.Append(), "objects"));
      BuildProcess here = new BuildProcess(database.dataSource(), folder);
      write(1);
      assertThat(here.run(begun(here), Watch.NONE)).isTrue();

      for (int point = 1; point <= POINTS; point++) {
        write(point + 1);
        Path log = folder.resolve(point + ".log");
        Process process = BuildProcess.start(database.jdbcUrl(), folder, TYPE, point, log);
        assertThat(process.waitFor()).as(Files.readString(log)).isEqualTo(128 + 9);
        ObjectIndex killed = live(database);
        assertThat(killed.built().generation()).as("what was there is served").isEqualTo(point);
        assertThat(here.begin(LIVE).kind()).isEqualTo(BuildDecision.Kind.BUSY);

        Build build = point % 2 == 0 ? theSame(killed) : takenOver(database, here);
        assertThat(here.run(build, Watch.NONE)).isTrue();

        ObjectIndex.Built built = live(database).built();
        assertThat(built.generation()).isEqualTo(point + 1L);
        assertThat(built.objects()).as("with 0").isEqualTo(point + 2L);
      }
      assertThat(here.begin(LIVE).kind()).isEqualTo(BuildDecision.Kind.UP_TO_DATE);
    }
  }

  private static Build begun(BuildProcess process) throws IOException {
    return Objects.requireNonNull(process.begin(LIVE).build());
  }

  private static ObjectIndex live(LedgerTestDatabase database) {
    return new ObjectIndexes(database.dataSource()).in(TYPE, ObjectIndex.Role.LIVE).orElseThrow();
  }

  /** Temporal gives the stage to another worker before the lease has ended. */
  private static Build theSame(ObjectIndex index) {
    return new Build(
        TYPE,
        index.id(),
        index.built().generation() + 1,
        index.built().token(),
        false,
        List.of("files"));
  }

  /** Nobody went on with it in time. */
  private static Build takenOver(LedgerTestDatabase database, BuildProcess process)
      throws IOException {
    database.execute(
        "update tidemark.object_build set lease_until = clock_timestamp() where state = 'running'");
    return begun(process);
  }
}
