package dev.tidemark.activities.index.build;

import static dev.tidemark.activities.index.build.Customers.LIVE;
import static dev.tidemark.activities.index.build.Customers.REPLACEMENT;
import static dev.tidemark.activities.index.build.Customers.TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.index.ledger.ObjectDefinitions;
import dev.tidemark.activities.index.ledger.Replacements;
import dev.tidemark.activities.index.stage.Watch;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.workflows.index.Build;
import dev.tidemark.workflows.index.Datasource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process that builds keeps on its own disk. */
class KeptSegmentsTest {
  @TempDir Path folder;

  // D12: a build fetches nothing that is here; and what is of no use any more is not kept for ever
  @Test
  void filesOfAnIndexThatIsBuiltNoMoreGoWithTheNextBuild() throws Exception {
    try (LedgerTestDatabase ledger = LedgerTestDatabase.create()) {
      ObjectDefinitions definitions = new ObjectDefinitions(ledger.dataSource());
      BuildProcess process = new BuildProcess(ledger.dataSource(), folder);
      definitions.register(Customers.type(new Datasource.Append(), "objects"));
      write(1);
      Build first = process.build(LIVE, Watch.NONE);
      definitions.register(Customers.type(new Datasource.Append(), "objects", "mail"));
      Build second = process.build(REPLACEMENT, Watch.NONE);
      assertThat(kept(process))
          .containsExactly("customer-" + first.index(), "customer-" + second.index());

      assertThat(new Replacements(ledger.dataSource()).tryToSwitch(TYPE, 2).switched()).isTrue();
      write(2);
      process.build(LIVE, Watch.NONE);

      assertThat(kept(process)).containsExactly("customer-" + second.index());
    }
  }

  private void write(int file) throws IOException {
    Path input = Files.createDirectories(folder.resolve("input"));
    Files.writeString(
        input.resolve(file + ".ndjson"),
        "{\"id\":%d,\"name\":\"n\",\"mail\":\"m\"}\n".formatted(file));
  }

  private static List<String> kept(BuildProcess process) throws IOException {
    try (Stream<Path> folders = Files.list(process.segments())) {
      return folders.map(one -> one.getFileName().toString()).sorted().toList();
    }
  }
}
