package dev.tidemark.activities.index.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.index.segment.ObjectDocuments;
import dev.tidemark.activities.index.serve.ServingScene;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;

/** For how long, and how many of, the views of cursors are kept. */
class KeptViewsTest {
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  private final KeptViews kept =
      new KeptViews(
          new Clock() {
            @Override
            public Instant instant() {
              return now;
            }

            @Override
            public ZoneId getZone() {
              return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
              return this;
            }
          });

  private static View view(String id) throws IOException {
    ByteBuffersDirectory directory = new ByteBuffersDirectory();
    try (IndexWriter writer = new IndexWriter(directory, ObjectDocuments.config())) {
      writer.commit();
    }
    return new View(
        id,
        ServingScene.type(),
        new IndexSearcher(DirectoryReader.open(directory)),
        new Generation(1, 1, 0));
  }

  @Test
  void aViewIsKeptForFiveMinutesAfterItsLastUse() throws IOException {
    View view = view("a");
    kept.keep(view);
    view.close();
    now = now.plus(Duration.ofMinutes(4));
    View used = kept.find("a");
    kept.keep(used);
    used.close();
    now = now.plus(Duration.ofMinutes(4));
    kept.find("a").close();

    now = now.plus(Duration.ofMinutes(2));
    assertThatThrownBy(() -> kept.find("a")).hasMessageContaining("begin again without it");
    assertThat(view.searcher().getIndexReader().getRefCount()).isZero();
  }

  @Test
  void ofTooManyTheOneThatWasUsedLeastRecentlyGoes() throws IOException {
    for (int i = 0; i <= KeptViews.MOST; i++) {
      View view = view("v" + i);
      kept.keep(view);
      view.close();
    }

    assertThatThrownBy(() -> kept.find("v0")).isInstanceOf(QueryRefusal.class);
    kept.find("v1").close();
  }
}
