package dev.tidemark.worker.alert;

import dev.tidemark.activities.alert.Channel;
import dev.tidemark.activities.alert.Message;
import dev.tidemark.activities.alert.Outbox;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Posts the message as JSON. The header {@value #ID} tells deliveries apart: one that is sent
 * again, because its answer was lost, has the same. Redirects are not followed.
 */
final class Webhook implements Channel {
  static final String ID = "Tidemark-Notification";

  private static final int REQUEST_TIMEOUT = 408;
  private static final int TOO_MANY_REQUESTS = 429;

  private final ChannelSettings.Webhook settings;
  private final HttpClient client;

  Webhook(ChannelSettings.Webhook settings) {
    this.settings = settings;
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(settings.timeout())
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  @Override
  public void send(long id, Message message) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(settings.url())
            .timeout(settings.timeout())
            .header("Content-Type", "application/json")
            .header(ID, String.valueOf(id))
            .POST(HttpRequest.BodyPublishers.ofString(Outbox.json(message)));
    if (settings.bearer() != null) {
      request.header("Authorization", "Bearer " + settings.bearer());
    }
    judge(answer(request.build()));
  }

  // Also bounds an answer whose body never ends.
  private int answer(HttpRequest request) throws Exception {
    CompletableFuture<HttpResponse<Void>> answer =
        client.sendAsync(request, HttpResponse.BodyHandlers.discarding());
    try {
      return answer.get(settings.timeout().toMillis(), TimeUnit.MILLISECONDS).statusCode();
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new IOException(settings.url().getHost() + " did not answer in " + settings.timeout());
    } catch (ExecutionException e) {
      // The cause's own text may hold the URL.
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IOException(
          "cannot reach " + settings.url().getHost() + ": " + cause.getClass().getSimpleName());
    }
  }

  private void judge(int status) throws IOException, RefusedException {
    if (status / 100 == 2) {
      return;
    }
    String answered = settings.url().getHost() + " answered " + status;
    boolean passes = status / 100 == 5 || status == REQUEST_TIMEOUT || status == TOO_MANY_REQUESTS;
    if (passes) {
      throw new IOException(answered);
    }
    throw new RefusedException(answered);
  }
}
