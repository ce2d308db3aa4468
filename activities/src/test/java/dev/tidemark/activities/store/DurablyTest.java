package dev.tidemark.activities.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurablyTest {
  private static final int REMOVERS = 4;
  private static final int ROUNDS = 10;

  @TempDir Path folder;

  // A-g1: attempts that begin at once clean the same area, and none of them fails of it.
  @Test
  void removesATreeThatOthersRemoveToo() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(REMOVERS);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        Path tree = tree("tree-" + round);
        CyclicBarrier together = new CyclicBarrier(REMOVERS);
        Callable<Boolean> remover =
            () -> {
              together.await();
              Durably.removeTree(tree);
              return true;
            };
        for (Future<Boolean> removed : threads.invokeAll(Collections.nCopies(REMOVERS, remover))) {
          assertThat(removed.get()).isTrue();
        }
        assertThat(tree).doesNotExist();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private Path tree(String name) throws IOException {
    Path tree = folder.resolve(name);
    for (int i = 0; i < 40; i++) {
      Path below = Files.createDirectories(tree.resolve("a" + i + "/b/c"));
      Files.writeString(below.resolve("file"), "x");
    }
    return tree;
  }

  @Test
  void leavesWhatALinkPointsTo() throws IOException {
    Path kept = Files.writeString(Files.createDirectory(folder.resolve("kept")).resolve("a"), "x");
    Path tree = Files.createDirectory(folder.resolve("tree"));
    Files.createSymbolicLink(tree.resolve("link"), kept.getParent());

    Durably.removeTree(tree);
    Durably.removeTree(tree);

    assertThat(tree).doesNotExist();
    assertThat(kept).exists();
  }
}
