package dev.tidemark.activities.index.sort;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExternalSortTest {
  @TempDir Path folder;

  // D22: inputs beyond memory
  @Test
  void moreThanMemoryHoldsIsSortedInRunsAndEqualKeysStayInTheirOrder() throws IOException {
    Random random = new Random(17);
    List<Entry> expected = new ArrayList<>();
    List<Entry> sorted = new ArrayList<>();
    try (ExternalSort sort = new ExternalSort(folder, 40_000)) {
      for (int i = 0; i < 120_000; i++) {
        Entry entry =
            new Entry(
                new BytesRef("schlüssel-" + random.nextInt(17_000)),
                new BytesRef(Integer.toString(i)));
        expected.add(entry);
        sort.add(entry.key(), entry.value());
      }
      expected.sort(Comparator.comparing(Entry::key));
      try (Entries entries = sort.sorted()) {
        for (Entry entry = entries.next(); entry != null; entry = entries.next()) {
          sorted.add(entry);
        }
      }
      assertThat(sort.runs()).isGreaterThan(100);
    }
    assertThat(sorted).isEqualTo(expected);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
  }
}
