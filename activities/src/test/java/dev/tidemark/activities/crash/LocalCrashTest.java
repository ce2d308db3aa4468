package dev.tidemark.activities.crash;

import java.util.stream.Stream;

class LocalCrashTest extends CrashMatrix {
  @Override
  StoreAddress store() {
    return StoreAddress.folder();
  }

  @Override
  Stream<Point> points() {
    return Point.all();
  }
}
