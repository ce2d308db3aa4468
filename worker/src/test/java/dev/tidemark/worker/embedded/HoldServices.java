package dev.tidemark.worker.embedded;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A command that opens the services of a folder and stays, as a process to be killed. */
public final class HoldServices {
  private HoldServices() {}

  /** Prints a line once the services are open. */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    ServicesRequest request =
        args[1].equals("dev")
            ? ServicesRequest.staying()
            : ServicesRequest.of(Services.Need.LEDGER_AND_TEMPORAL);
    Services services =
        Services.open(
            Trial.nothingConfigured(folder), request, Trial.surroundings(), System.err::println);
    if (request.stays()) {
      services.publish("http://127.0.0.1:8080");
    }
    System.out.println("open");
    new CountDownLatch(1).await();
  }
}
