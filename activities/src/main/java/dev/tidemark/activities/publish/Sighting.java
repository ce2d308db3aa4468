package dev.tidemark.activities.publish;

import dev.tidemark.activities.ledger.output.OutputRow;
import dev.tidemark.activities.publish.Layout.HiveLayout;
import dev.tidemark.activities.store.StoredObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a walk saw of one partition's output: names and sizes, nothing else. Of many files it keeps
 * the counts, so that ten thousand partitions fit into memory however many files they have.
 */
final class Sighting {
  private static final int KEPT = 16;

  private final OutputRow row;
  private final OutputPlaces.OutputPlace place;
  private final List<StoredObject> first = new ArrayList<>();
  private final List<String> leftovers = new ArrayList<>();
  private boolean marked;
  private int files;
  private int parts;
  private long bytes;
  private long newestToken = -1;

  Sighting(OutputRow row, OutputPlaces.OutputPlace place) {
    this.row = row;
    this.place = place;
  }

  /** How the store differs from the ledger. */
  enum Finding {
    /** As committed, or never committed and not there. */
    SAME,
    /** It was lost, and by its names and sizes it is as committed again. */
    BACK,
    /** All of it is there but the marker. */
    UNMARKED,
    /** There is a marker, with other parts than were committed. */
    OTHER,
    /** Nothing that is complete. */
    GONE,
    /** Complete, and the ledger knows nothing of it. */
    UNKNOWN
  }

  OutputRow row() {
    return row;
  }

  OutputPlaces.OutputPlace place() {
    return place;
  }

  /** The files, without the marker; listed anew where there are many. */
  List<StoredObject> files() throws IOException {
    return files == first.size() ? first : OutputWalk.files(place);
  }

  void see(StoredObject object) {
    String marker = place.layout().marker();
    if (object.name().equals(marker)) {
      marked = true;
    } else {
      seeFile(object);
      // Where the atomic move of the file is the commit, the file is the marker.
      marked |= marker == null;
    }
  }

  private void seeFile(StoredObject file) {
    files++;
    if (first.size() < KEPT) {
      first.add(file);
    }
    boolean named = place.layout() instanceof HiveLayout;
    long token = named ? HiveLayout.token(file.base()) : -1;
    newestToken = Math.max(newestToken, token);
    OutputRow.Commit commit = row.commit();
    if (commit != null && (!named || token == commit.token())) {
      parts++;
      bytes += file.bytes();
    } else if (commit != null && token >= 0 && token < commit.token() && leftovers.size() < KEPT) {
      leftovers.add(file.name());
    }
  }

  Finding finding() {
    OutputRow.Commit commit = row.commit();
    if (commit == null) {
      return marked ? Finding.UNKNOWN : Finding.SAME;
    }
    boolean whole = isWhole(commit);
    if (marked) {
      return !whole ? Finding.OTHER : row.lost() ? Finding.BACK : Finding.SAME;
    }
    return whole && files > 0 ? Finding.UNMARKED : Finding.GONE;
  }

  private boolean isWhole(OutputRow.Commit commit) {
    // Names without tokens: the marker alone says what belongs to it.
    return commit.files() == null
        || (parts == commit.files() && (commit.bytes() == null || commit.bytes() == bytes));
  }

  /**
   * Parts of attempts before the committed one: a zombie's leftovers (B18). Of many only the first;
   * the next comparison finds more.
   */
  List<String> leftovers() {
    boolean named = row.commit() != null && row.commit().files() != null;
    return named ? leftovers : List.of();
  }

  /** The largest token that a name has, -1 where none has one. */
  long newestToken() {
    return newestToken;
  }
}
