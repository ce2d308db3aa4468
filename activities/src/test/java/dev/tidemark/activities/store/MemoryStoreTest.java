package dev.tidemark.activities.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.store.MemoryStore.Moment;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The stand-in keeps the contract that it stands in for. */
class MemoryStoreTest extends OutputStoreContract {
  private final MemoryStore store = new MemoryStore();

  @Override
  protected OutputStore store() {
    return store;
  }

  @Override
  protected void put(String name, String content) {
    store.put(name, content);
  }

  @Override
  protected boolean tellsVersions() {
    return true;
  }

  @Test
  void failsBeforeOrAfterTheEffect() throws IOException {
    try (Staging staging = stage(1)) {
      staging.add("marker", "p/m");
      store.fail(Moment.BEFORE_PROMOTION, 1);
      assertThatThrownBy(() -> staging.promoteIfAbsent("p/m")).isInstanceOf(StoreException.class);
      assertThat(text("p/m")).isEmpty();

      store.fail(Moment.AFTER_PROMOTION, 1);
      assertThatThrownBy(() -> staging.promoteIfAbsent("p/m")).isInstanceOf(StoreException.class);
      assertThat(text("p/m")).contains("marker");

      store.fail(Moment.READ, 1);
      assertThatThrownBy(() -> text("p/m")).isInstanceOf(StoreException.class);
    }
  }
}
