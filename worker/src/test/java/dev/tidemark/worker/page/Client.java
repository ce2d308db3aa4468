package dev.tidemark.worker.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** A client of the API that is no browser. */
record Client(String url, String token) {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final ObjectMapper JSON = new ObjectMapper();

  HttpResponse<String> get(String path, String... headers) throws Exception {
    return send(request(path, headers).GET());
  }

  HttpResponse<String> post(String path, String body, String... headers) throws Exception {
    return send(
        request(path, headers).header("X-Tidemark", "1").POST(BodyPublishers.ofString(body)));
  }

  /** The answer, which must be a good one. */
  JsonNode json(String path) throws Exception {
    return good(get(path));
  }

  /** The same, of an action. */
  JsonNode act(String path, String body) throws Exception {
    return good(post(path, body));
  }

  private static JsonNode good(HttpResponse<String> response) throws Exception {
    if (response.statusCode() != 200) {
      throw new AssertionError(response.statusCode() + " " + response.body());
    }
    return JSON.readTree(response.body());
  }

  HttpRequest.Builder request(String path, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return headers.length == 0 ? request : request.headers(headers);
  }

  static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return HTTP.send(request.build(), BodyHandlers.ofString());
  }
}
