package dev.tidemark.activities.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.connection.Destinations;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfiguredStoresTest {
  @TempDir Path folder;
  private final LedgerTestDatabase database = LedgerTestDatabase.create();
  private final HttpServer honouring = store(true);
  private final HttpServer ignoring = store(false);

  ConfiguredStoresTest() throws IOException {}

  @AfterEach
  void close() {
    honouring.stop(0);
    ignoring.stop(0);
    database.close();
  }

  /** It has every object, and takes what is written. */
  private static HttpServer store(boolean honoursConditions) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        request -> {
          boolean conditional =
              request.getRequestHeaders().containsKey("If-None-Match")
                  || request.getRequestHeaders().containsKey("If-Match");
          request.getRequestBody().readAllBytes();
          if (conditional && honoursConditions) {
            byte[] error = "<Error><Code>PreconditionFailed</Code></Error>".getBytes(UTF_8);
            request.sendResponseHeaders(412, error.length);
            request.getResponseBody().write(error);
          } else {
            request.sendResponseHeaders(200, -1);
          }
          request.close();
        });
    server.start();
    return server;
  }

  private static String endpoint(HttpServer server) {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  // B40: what one store honours says nothing of the store that an account is moved to
  @Test
  void anAccountThatIsMovedToAnotherStoreHasThatOnesGuarantees() throws IOException {
    database.execute("create table destination (endpoint text)");
    database.execute("insert into destination values ('" + endpoint(honouring) + "')");
    try (Destinations destinations =
        new Destinations(
            "customers",
            database.dataSource(),
            "select 'exports' as bucket, endpoint, true as path_style, 'k' as access_key,"
                + " 's' as secret_key from destination where :account <> ''")) {
      Stores stores =
          new ConfiguredStores(
              folder,
              new Connections(Map.of(), Map.of(), Map.of("customers", destinations)),
              Clock.systemUTC());
      assertThat(stores.open("connection:customers:acme/daily").guarantees().createIfAbsent())
          .isTrue();

      database.execute("update destination set endpoint = '" + endpoint(ignoring) + "'");

      assertThat(stores.open("connection:customers:acme/daily").guarantees().createIfAbsent())
          .isFalse();
    }
  }
}
