package dev.tidemark.activities.crash;

import dev.tidemark.testing.S3Server;
import java.util.UUID;
import java.util.stream.Stream;

class S3CrashTest extends CrashMatrix {
  @Override
  StoreAddress store() {
    return StoreAddress.bucket(S3Server.start(), "crash-" + UUID.randomUUID());
  }

  @Override
  Stream<Point> points() {
    return Point.betweenSteps();
  }
}
