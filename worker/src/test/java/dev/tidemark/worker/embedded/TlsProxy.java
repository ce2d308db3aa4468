package dev.tidemark.worker.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.security.KeyStore;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * Mutual TLS in front of a server that has none: only who shows the client's certificate gets
 * through.
 */
final class TlsProxy implements AutoCloseable {
  private final SSLServerSocket server;
  private final int target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger through = new AtomicInteger();

  TlsProxy(int target, Certificate own, Certificate client) throws Exception {
    this.target = target;
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(store(own), Certificate.PASSWORD);
    TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
    trusted.init(certificates(client));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
    server =
        (SSLServerSocket)
            context
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    SSLParameters parameters = server.getSSLParameters();
    parameters.setNeedClientAuth(true);
    // gRPC speaks to nobody who does not agree to HTTP/2.
    parameters.setApplicationProtocols(new String[] {"h2"});
    server.setSSLParameters(parameters);
    threads.execute(this::accept);
  }

  private static KeyStore store(Certificate certificate) throws Exception {
    return KeyStore.getInstance(certificate.store().toFile(), Certificate.PASSWORD);
  }

  /** Its certificate alone, as one that is trusted. */
  private static KeyStore certificates(Certificate certificate) throws Exception {
    KeyStore all = store(certificate);
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, Certificate.PASSWORD);
    trusted.setCertificateEntry("client", all.getCertificate(all.aliases().nextElement()));
    return trusted;
  }

  String address() {
    return "127.0.0.1:" + server.getLocalPort();
  }

  /** How many connections have shown the client's certificate. */
  int through() {
    return through.get();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        SSLSocket client = (SSLSocket) server.accept();
        open.add(client);
        threads.execute(() -> connect(client));
      } catch (SocketException e) {
        // Closed.
        return;
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private void connect(SSLSocket client) {
    try {
      client.startHandshake();
      through.incrementAndGet();
      Socket behind = new Socket(InetAddress.getLoopbackAddress(), target);
      open.add(behind);
      threads.execute(() -> copy(behind, client));
      copy(client, behind);
    } catch (IOException refused) {
      close(client);
    }
  }

  private void copy(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException eitherIsClosed) {
      // Both are, below.
    } finally {
      close(from);
      close(to);
    }
  }

  private void close(Socket socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    Set.copyOf(open).forEach(this::close);
    threads.shutdownNow();
  }
}
