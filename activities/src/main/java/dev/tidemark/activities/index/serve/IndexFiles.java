package dev.tidemark.activities.index.serve;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.activities.index.ledger.ObjectIndex;
import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.StoredText;
import java.io.FileNotFoundException;
import java.io.IOException;

/**
 * Where an index is kept in the store of its object type.
 *
 * @param folder with {@code /} at its end
 */
record IndexFiles(String folder) {
  private static final ObjectMapper JSON = new ObjectMapper();

  static IndexFiles of(ObjectIndex index) {
    return new IndexFiles(index.type().name() + "/" + index.id() + "/");
  }

  /** The manifest of that address. */
  IndexManifest manifest(OutputStore store, String address) throws IOException {
    String name = address.substring(Math.max(0, address.lastIndexOf(folder)));
    StoredText text =
        store
            .read(name)
            .orElseThrow(() -> new FileNotFoundException(store.address(name) + " is not there"));
    return JSON.readValue(text.text(), IndexManifest.class);
  }
}
