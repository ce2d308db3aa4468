package dev.tidemark.testing;

import dev.tidemark.activities.connection.Bucket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * A real S3 server on a free port, one for all tests of a JVM. It ends with the JVM, however that
 * ends, and its data with it.
 */
public final class S3Server {
  public static final String ACCESS_KEY = "tidemark-tests";
  public static final String SECRET_KEY = "tidemark-tests-secret";
  public static final String REGION = "us-east-1";

  private static final int ATTEMPTS = 3;
  private static final int PATIENCE_MILLIS = 20_000;

  private static @Nullable S3Server running;

  private final int port;
  private final boolean strict;

  private S3Server(int port, boolean strict) {
    this.port = port;
    this.strict = strict;
  }

  /** The server of this JVM, started by the first who asks. */
  public static synchronized S3Server start() {
    S3Server server = running;
    for (int attempt = 1; server == null && attempt <= ATTEMPTS; attempt++) {
      try {
        server = tryStart();
      } catch (IOException e) {
        throw new UncheckedIOException("cannot start the S3 server", e);
      }
    }
    if (server == null) {
      throw new AssertionError("the S3 server did not start");
    }
    running = server;
    return server;
  }

  private static @Nullable S3Server tryStart() throws IOException {
    Path tools = Path.of(System.getenv().getOrDefault("TIDEMARK_S3", "../.tools/s3"));
    Path strict = tools.resolve("versitygw");
    int port = freePort();
    // Below target: it needs extended attributes, which a temporary folder may not have.
    Path data = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "s3-");
    boolean isStrict = Files.isExecutable(strict);
    Process process = isStrict ? versitygw(strict, port, data) : moto(tools, port);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  process.destroy();
                  remove(data);
                }));
    return answers(process, port) ? new S3Server(port, isStrict) : null;
  }

  private static Process versitygw(Path program, int port, Path data) throws IOException {
    return run(
        program.toAbsolutePath().toString(),
        "--port",
        "127.0.0.1:" + port,
        "--quiet",
        "--keep-alive",
        "posix",
        data.toAbsolutePath().toString());
  }

  private static Process moto(Path tools, int port) throws IOException {
    Path program = tools.resolve("moto/bin/moto_server").toAbsolutePath();
    return run(program.toString(), "-H", "127.0.0.1", "-p", Integer.toString(port));
  }

  /** Runs a program that is ended once nobody holds the other end of its guard's input. */
  private static Process run(String... program) throws IOException {
    List<String> guarded =
        new ArrayList<>(
            List.of(
                "sh",
                "-c",
                "exec 3<&0; \"$@\" </dev/null 3<&- & server=$!; trap 'kill $server' TERM;"
                    + " (while read -r line <&3; do :; done; kill $server) & wait $server",
                "guard"));
    guarded.addAll(List.of(program));
    ProcessBuilder builder = new ProcessBuilder(guarded);
    builder.environment().put("ROOT_ACCESS_KEY", ACCESS_KEY);
    builder.environment().put("ROOT_SECRET_KEY", SECRET_KEY);
    return builder
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static boolean answers(Process process, int port) {
    for (int waited = 0; waited < PATIENCE_MILLIS && process.isAlive(); waited += 20) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
        return true;
      } catch (IOException notYet) {
        try {
          Thread.sleep(20);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return false;
        }
      }
    }
    return false;
  }

  private static void remove(Path folder) {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException | UncheckedIOException e) {
      System.err.println("left behind by the S3 server: " + folder + ": " + e);
    }
  }

  /** Whether it checks credentials and checksums; the one that is used without Go does not. */
  public boolean isStrict() {
    return strict;
  }

  public int port() {
    return port;
  }

  /** Its address: {@code http://127.0.0.1:port}. */
  public String endpoint() {
    return "http://127.0.0.1:" + port;
  }

  /** A bucket, made if it is not there; the caller closes what it is given. */
  public Bucket bucket(String name) {
    Bucket bucket = connection(name, endpoint(), SECRET_KEY);
    try {
      bucket.client().createBucket(create -> create.bucket(name));
    } catch (S3Exception e) {
      if (e.statusCode() != 409) {
        throw e;
      }
    }
    return bucket;
  }

  /** The same bucket by another way or with another key; nothing is asked of it. */
  public static Bucket connection(String name, String endpoint, String secretKey) {
    return new Bucket(
        new Bucket.Place(name, REGION, endpoint, true),
        new Bucket.Credentials.Keys(ACCESS_KEY, secretKey));
  }
}
