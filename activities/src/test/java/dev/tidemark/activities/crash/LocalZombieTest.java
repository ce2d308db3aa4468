package dev.tidemark.activities.crash;

class LocalZombieTest extends ZombieMatrix {
  @Override
  StoreAddress store() {
    return StoreAddress.folder();
  }
}
