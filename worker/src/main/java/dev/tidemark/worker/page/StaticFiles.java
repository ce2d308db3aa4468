package dev.tidemark.worker.page;

import dev.tidemark.worker.http.Method;
import dev.tidemark.worker.http.Need;
import dev.tidemark.worker.http.Response;
import dev.tidemark.worker.http.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What a browser loads before it says who it is: there is nothing of the pipelines in it. Every
 * file is named here, so that no path of a request is ever one of a file.
 */
final class StaticFiles {
  private static final String PREACT =
      "/META-INF/resources/webjars/preact/10.26.4/dist/preact.module.js";
  private static final String SCRIPT = "text/javascript; charset=utf-8";

  private static final List<String> SCRIPTS =
      List.of(
          "app.js",
          "api.js",
          "store.js",
          "links.js",
          "words.js",
          "parts.js",
          "overview.js",
          "pipeline.js",
          "calendar.js",
          "partition.js",
          "backfills.js",
          "objects.js",
          "objectType.js",
          "object.js",
          "objectDialogs.js",
          "dialogs.js",
          "others.js");

  private StaticFiles() {}

  static List<Route> routes() {
    List<Route> routes = new ArrayList<>();
    routes.add(file("/", "index.html", "text/html; charset=utf-8"));
    routes.add(file("/page/style.css", "style.css", "text/css; charset=utf-8"));
    routes.add(file("/page/icon.svg", "icon.svg", "image/svg+xml"));
    routes.add(file("/api/openapi.json", "openapi.json", "application/json; charset=utf-8"));
    routes.add(file("/page/preact.js", PREACT, SCRIPT));
    SCRIPTS.forEach(script -> routes.add(file("/page/" + script, script, SCRIPT)));
    return routes;
  }

  /** Read once, here: a file that is missing is missed at the start. */
  private static Route file(String path, String resource, String type) {
    Response response = Response.text(type, read(resource));
    return new Route(Method.GET, path, Need.NOTHING, request -> response);
  }

  private static String read(String resource) {
    try (InputStream in = StaticFiles.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the page lacks its file " + resource);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
