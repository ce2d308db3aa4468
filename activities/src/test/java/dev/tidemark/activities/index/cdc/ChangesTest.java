package dev.tidemark.activities.index.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.index.source.BadRowsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChangesTest {
  private static final Changes CHANGES = new Changes(List.of("id"), "seq", "gone");

  @TempDir Path folder;

  private Path file(String name, String... rows) throws IOException {
    return Files.write(folder.resolve(name), List.of(rows));
  }

  // D21
  @Test
  void theNewestRowOfEachKeyIsLeftAndDeletionsAreKept() throws IOException {
    Path one = file("one", row(1, 9, false), row(2, 1, false), row(1, 10, false));
    Path two = file("two", row(2, 2, true), row(2, 2, true));
    Path output = folder.resolve("latest");

    assertThat(CHANGES.latestRows(List.of(one, two), output)).isEqualTo(2);
    assertThat(output).hasContent(row(1, 10, false) + "\n" + row(2, 2, true));
  }

  // D22, D23
  @Test
  void aSnapshotOfTheWholeHistoryHasNoDeletedRowAndOneOfItsEndBringsItBack() throws IOException {
    Path begin = file("begin", row(1, 1, false), row(2, 5, true));
    Path end = file("end", row(2, 4, false), row(3, 1, false));

    assertThat(CHANGES.currentSnapshot(List.of(begin, end), folder.resolve("whole"))).isEqualTo(2);
    assertThat(folder.resolve("whole")).hasContent(row(1, 1, false) + "\n" + row(3, 1, false));
    assertThat(CHANGES.currentSnapshot(List.of(end), folder.resolve("part"))).isEqualTo(2);
    assertThat(folder.resolve("part")).content().contains("\"id\":2");
  }

  // D20
  @Test
  void changesThatBreakAPreconditionAreRefused() throws IOException {
    refuses("'id' is null", "{\"seq\":1,\"gone\":false}");
    refuses("'seq' is null", "{\"id\":1,\"gone\":false}");
    refuses("'gone' is null", "{\"id\":1,\"seq\":1}");
    refuses("neither true nor false", "{\"id\":1,\"seq\":1,\"gone\":\"no\"}");
    refuses("__latest_rank", "{\"id\":1,\"seq\":1,\"gone\":false,\"__latest_rank\":1}");
    refuses("the same 'seq', of the keys [[1]]", row(1, 1, false), row(1, 1, true));
    refuses("cannot be compared", row(1, 1, false), "{\"id\":1,\"seq\":\"x\",\"gone\":false}");
  }

  private void refuses(String because, String... rows) throws IOException {
    Path input = file("bad", rows);
    assertThatThrownBy(() -> CHANGES.latestRows(List.of(input), folder.resolve("none")))
        .isInstanceOf(BadRowsException.class)
        .hasMessageContaining(because);
  }

  private static String row(long id, long seq, boolean gone) {
    return "{\"id\":%d,\"seq\":%d,\"gone\":%b}".formatted(id, seq, gone);
  }
}
