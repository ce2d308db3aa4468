package dev.tidemark.activities.store.s3;

import dev.tidemark.activities.store.Durably;
import dev.tidemark.activities.store.Guarantees;
import dev.tidemark.activities.store.Scratch;
import dev.tidemark.activities.store.StagedUpload;
import dev.tidemark.activities.store.Staging;
import dev.tidemark.activities.store.s3.Uploads.Sent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A private local folder, and uploads that are not completed: {@code files} in the folder is the
 * task's, {@code texts} holds the small ones, to be sent again where that is needed.
 */
final class S3Staging implements Staging {
  private final S3Store store;
  private final Uploads uploads;
  private final String name;
  private final SharedObjects shared;
  private final Map<String, Staged> staged = new LinkedHashMap<>();
  private @Nullable Path root;
  private boolean used;
  private boolean taken;

  /**
   * @param upload null once it was promoted
   */
  private record Staged(Path file, @Nullable Upload upload) {}

  /**
   * @param name for the local folder, so that people know whose it is
   */
  S3Staging(S3Store store, Uploads uploads, String name, SharedObjects shared) {
    this.store = store;
    this.uploads = uploads;
    this.name = name;
    this.shared = shared;
  }

  @Override
  public Path folder() throws IOException {
    Path folder = root().resolve("files");
    if (!used) {
      Files.createDirectory(folder);
      used = true;
      if (taken) {
        shared.fetch(folder);
      }
    }
    return folder;
  }

  @Override
  public String share() {
    return shared.address();
  }

  @Override
  public void take() {
    taken = true;
  }

  private Path root() throws IOException {
    Path made = root;
    if (made == null) {
      made = Scratch.folder(name);
      root = made;
    }
    return made;
  }

  @Override
  public boolean isUsed() {
    return used || taken;
  }

  @Override
  public String add(Path file, String target) throws IOException {
    Sent sent = uploads.send(file, target);
    staged.put(target, new Staged(file, sent.upload()));
    return sent.sha256();
  }

  @Override
  public void add(String text, String target) throws IOException {
    // Asked before anything is removed, and not first when the text is promoted.
    store.guarantees();
    Path folder = Files.createDirectories(root().resolve("texts"));
    Path file = folder.resolve(Integer.toString(staged.size()));
    add(Files.writeString(file, text, StandardCharsets.UTF_8), target);
  }

  @Override
  public List<StagedUpload> uploads() {
    return open().stream().map(upload -> new StagedUpload(upload.target(), upload.id())).toList();
  }

  @Override
  public void promote(List<String> targets) throws IOException {
    for (String target : targets) {
      promote(target, false);
    }
  }

  @Override
  public boolean promoteIfAbsent(String target) throws IOException {
    Guarantees guarantees = store.guarantees();
    if (!guarantees.createIfAbsent() && store.isThere(target)) {
      return false;
    }
    return promote(target, guarantees.createIfAbsent());
  }

  private boolean promote(String target, boolean ifAbsent) throws IOException {
    Staged object = staged.get(target);
    if (object == null) {
      throw new IllegalStateException(target + " is not staged; staged are " + staged.keySet());
    }
    Upload upload = object.upload();
    if (upload == null) {
      throw new IllegalStateException(target + " is promoted already");
    }
    switch (uploads.complete(upload, ifAbsent)) {
      case DONE -> {
        staged.put(target, new Staged(object.file(), null));
        return true;
      }
      case EXISTS -> {
        // A store may not complete the same upload twice; it is paid for until it is aborted.
        Upload anew = uploads.send(object.file(), target).upload();
        staged.put(target, new Staged(object.file(), anew));
        uploads.abort(target, upload.id());
        return false;
      }
      case ABORTED -> throw Uploads.takenAway(store.address(target), null);
    }
    throw new IllegalStateException("every completion is handled above");
  }

  private List<Upload> open() {
    List<Upload> open = new ArrayList<>();
    for (Staged object : staged.values()) {
      if (object.upload() != null) {
        open.add(object.upload());
      }
    }
    return open;
  }

  @Override
  public void close() throws IOException {
    uploads.abandon(open());
    staged.clear();
    if (taken) {
      shared.remove();
    }
    if (root != null) {
      Durably.removeTree(root);
    }
  }
}
