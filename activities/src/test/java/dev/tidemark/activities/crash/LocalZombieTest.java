package dev.tidemark.activities.crash;

import java.util.stream.Stream;

class LocalZombieTest extends ZombieMatrix {
  @Override
  StoreAddress store() {
    return StoreAddress.folder();
  }

  @Override
  Stream<Point> points() {
    return Point.all();
  }
}
