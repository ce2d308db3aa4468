package dev.tidemark.activities.crash;

class LocalCrashTest extends CrashMatrix {
  @Override
  StoreAddress store() {
    return StoreAddress.folder();
  }
}
