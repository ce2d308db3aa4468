package dev.tidemark.activities.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A real staging, for those that change one of its steps. */
public abstract class ForwardingStaging implements Staging {
  private final Staging staging;

  protected ForwardingStaging(Staging staging) {
    this.staging = staging;
  }

  @Override
  public Path folder() throws IOException {
    return staging.folder();
  }

  @Override
  public String share() throws IOException {
    return staging.share();
  }

  @Override
  public void take() {
    staging.take();
  }

  @Override
  public boolean isUsed() {
    return staging.isUsed();
  }

  @Override
  public String add(Path file, String target) throws IOException {
    return staging.add(file, target);
  }

  @Override
  public void add(String text, String target) throws IOException {
    staging.add(text, target);
  }

  @Override
  public void startSecuring() {
    staging.startSecuring();
  }

  @Override
  public void secure() throws IOException {
    staging.secure();
  }

  @Override
  public List<StagedUpload> uploads() {
    return staging.uploads();
  }

  @Override
  public void promote(List<String> targets) throws IOException {
    staging.promote(targets);
  }

  @Override
  public boolean promoteIfAbsent(String target) throws IOException {
    return staging.promoteIfAbsent(target);
  }

  @Override
  public void close() throws IOException {
    staging.close();
  }
}
