package dev.tidemark.worker.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.worker.embedded.TestServices;
import dev.tidemark.worker.http.Method;
import dev.tidemark.worker.http.Need;
import dev.tidemark.worker.http.Route;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The API by itself: who may do what on which route, and what the answers say. */
@Timeout(120)
class PageApiTest {
  private static final String DAY = "2026-01-09";

  @TempDir static Path folder;
  private static Scene scene;
  private static Client operator;
  private static Client viewer;
  private static Client nobody;

  @BeforeAll
  static void start() throws Exception {
    scene = new Scene(folder);
    operator = new Client(scene.url(), scene.operateToken);
    viewer = new Client(scene.url(), scene.viewToken);
    nobody = new Client(scene.url(), "");
    scene.run();
  }

  @AfterAll
  static void stop() {
    scene.close();
  }

  private static String filled(Route route) {
    return route
        .path()
        .replace("{pipeline}", scene.orders)
        .replace("{partition}", DAY)
        .replace("{backfill}", "bf-20260101-aaaaaa")
        .replace("{type}", scene.customers)
        .replace("{key}", "1");
  }

  /** A search is a question that is too long for an address: it changes nothing. */
  private static List<Route> actions() {
    return scene.routes().stream()
        .filter(route -> route.method() == Method.POST && !route.path().endsWith("/search"))
        .toList();
  }

  /** All that an action could change, of the scene's pipelines. */
  private static String contents() throws Exception {
    List<String> contents = new ArrayList<>();
    try (Connection connection = TestServices.ledger().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                """
                select 'row ' || l::text as text from tidemark.partition_ledger l
                  join tidemark.pipeline p using (pipeline_id) where p.name like '%1$s-%%'
                union all select 'pipeline ' || p::text from tidemark.pipeline p where p.name like '%1$s-%%'
                union all select 'push ' || s::text from tidemark.push s
                  join tidemark.pipeline p using (pipeline_id) where p.name like '%1$s-%%'
                union all select 'backfill ' || b::text from tidemark.backfill b
                  join tidemark.pipeline p using (pipeline_id) where p.name like '%1$s-%%'
                union all select 'audit ' || a::text from tidemark.audit a where a.pipeline like '%1$s-%%'
                order by 1
                """
                    .formatted(scene.family))) {
      while (rows.next()) {
        contents.add(rows.getString("text"));
      }
    }
    return String.join("\n", contents);
  }

  // issue 7, what must be shown 2
  @Test
  void whoMayOnlyViewOrHasNotSaidWhoTheyAreChangesNothing() throws Exception {
    String before = contents();
    String body =
        "{\"partitions\": [\"%s\"], \"reason\": \"none\", \"from\": \"%s\", \"to\": \"%s\", \"parallel\": 1}"
            .formatted(DAY, DAY, DAY);
    Client other = new Client(scene.url(), scene.otherToken);
    Client stranger = new Client(scene.url(), "a-token-that-nobody-has");

    assertThat(actions()).hasSizeGreaterThan(10);
    for (Route route : actions()) {
      String path = filled(route);
      assertThat(route.need()).as(path).isEqualTo(Need.OPERATE);
      assertThat(nobody.post(path, body).statusCode()).as(path).isEqualTo(401);
      assertThat(stranger.post(path, body).statusCode()).as(path).isEqualTo(401);
      assertThat(viewer.post(path, body).statusCode()).as(path).isEqualTo(403);
      if (route.path().contains("{pipeline}")) {
        assertThat(other.post(path, body).statusCode()).as(path).isEqualTo(403);
      }
      // A GET of it does nothing either.
      assertThat(operator.get(path).statusCode()).as(path).isIn(404, 405, 200);
    }
    assertThat(contents()).isEqualTo(before);
  }

  // A page of another site, open in the same browser, cannot act
  @Test
  void anotherSiteCannotActInTheNameOfWhoeverLooksAtIt() throws Exception {
    String before = contents();
    for (Route route : actions()) {
      String path = filled(route);
      assertThat(
              Client.send(operator.request(path).POST(BodyPublishers.ofString("{}"))).statusCode())
          .as("without the header: " + path)
          .isEqualTo(403);
      assertThat(operator.post(path, "{}", "Origin", "https://elsewhere.example").statusCode())
          .as("of another origin: " + path)
          .isEqualTo(403);
      assertThat(
              operator
                  .post(path, "{}", "Origin", scene.url(), "Sec-Fetch-Site", "cross-site")
                  .statusCode())
          .as("of another site: " + path)
          .isEqualTo(403);
    }
    assertThat(contents()).isEqualTo(before);
  }

  @Test
  void nothingOfThePipelinesIsSaidToWhoHasNotSaidWhoTheyAre() throws Exception {
    for (Route route : scene.routes()) {
      if (route.method() == Method.GET || route.path().endsWith("/search")) {
        HttpResponse<String> answer =
            route.method() == Method.GET
                ? nobody.get(filled(route))
                : nobody.post(filled(route), "{}");
        assertThat(answer.statusCode())
            .as(route.path())
            .isEqualTo(route.need() == Need.NOTHING ? 200 : 401);
        assertThat(answer.body()).as(route.path()).doesNotContain(scene.family);
        assertThat(answer.headers().firstValue("Content-Security-Policy"))
            .as(route.path())
            .hasValueSatisfying(
                policy ->
                    assertThat(policy).contains("script-src 'self'").doesNotContain("unsafe"));
      }
    }
  }

  @Test
  void rolesAreOfPipelines() throws Exception {
    Client other = new Client(scene.url(), scene.otherToken);
    assertThat(names(other.json("/api/overview").get("pipelines"))).containsExactly(scene.clicks);
    assertThat(other.get("/api/pipelines/" + scene.orders).statusCode()).isEqualTo(403);
    assertThat(other.get("/api/audit?pipeline=" + scene.orders).statusCode()).isEqualTo(403);
    assertThat(names(operator.json("/api/overview").get("pipelines")))
        .containsExactly(scene.clicks, scene.dataset, scene.orders);
    assertThat(viewer.json("/api/me").get("operates")).isEmpty();
  }

  @Test
  void connectionsAreCheckedByWhoMayOperateEveryPipeline() throws Exception {
    HttpResponse<String> refused = operator.post("/api/connections/check", "{}");

    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("every pipeline");
  }

  @Test
  void aNameThatIsNotThereIsAnsweredWithThoseThatTheCallerMayView() throws Exception {
    HttpResponse<String> answer =
        new Client(scene.url(), scene.otherToken).get("/api/pipelines/" + scene.family + "-none");

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).contains("unknown_pipeline", scene.clicks);
    assertThat(answer.body()).doesNotContain(scene.orders, scene.dataset);
  }

  // C24: what reads a pipeline is named to whoever may view it, and to nobody else
  @Test
  void whatReadsAPipelineIsNamedToWhoMayViewIt() throws Exception {
    Client root = new Client(scene.url(), scene.rootToken);
    String partition = "/api/pipelines/" + scene.orders + "/partitions/2026-01-05";
    String preview = "/api/pipelines/" + scene.orders + "/backfills/preview";
    String range = "{\"from\": \"2026-01-05\", \"to\": \"2026-01-06\"}";

    assertThat(root.get(partition).body()).contains(scene.report);
    assertThat(root.post(preview, range).body())
        .contains(
            scene.report + "\",\"first\":\"2026-01-05\",\"last\":\"2026-01-06\",\"slice\":{}");
    assertThat(operator.json(partition).toString()).doesNotContain(scene.report);
    assertThat(operator.act(preview, range).toString()).doesNotContain(scene.report);
  }

  private static List<String> names(JsonNode pipelines) {
    List<String> names = new ArrayList<>();
    pipelines.forEach(one -> names.add(one.get("status").get("pipeline").asText()));
    return names;
  }

  @Test
  void theDocumentDescribesEveryRoute() throws Exception {
    Set<String> documented = new TreeSet<>();
    JsonNode document = new ObjectMapper().readTree(nobody.get("/api/openapi.json").body());
    document
        .get("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(
                        method ->
                            documented.add(
                                Method.valueOf(method.toUpperCase(java.util.Locale.ROOT))
                                    + " "
                                    + path.getKey())));
    Set<String> served = new TreeSet<>();
    scene.routes().stream()
        .filter(route -> route.path().startsWith("/api/"))
        .forEach(route -> served.add(route.method() + " " + route.path()));
    assertThat(documented).isEqualTo(served);
  }

  // C15, c-M7
  @Test
  void aPartitionSaysWhyItIsNotMadeAndWhatWasTried() throws Exception {
    JsonNode partition =
        operator.json("/api/pipelines/%s/partitions/%s".formatted(scene.orders, "2026-01-21"));

    JsonNode explanation = partition.get("explanation");
    assertThat(explanation.get("reasons").get(0).get("code").asText()).isEqualTo("parked");
    assertThat(explanation.at("/freshness/state").asText())
        .as("it has no rule")
        .isEqualTo("unknown");
    assertThat(explanation.get("attempts").get(0).get("error").asText()).contains(Scene.HTML);
    assertThat(partition.get("row").get("parked").asBoolean()).isTrue();
    assertThat(partition.get("attempts").get(0).get("log").asText())
        .contains("reading the orders of 2026-01-21");
    assertThat(partition.get("attempts").get(0).get("workflow").asText())
        .startsWith("http://temporal.example:8233/namespaces/default/workflows?query=RunId");
  }

  // B42
  @Test
  void datasetsAndFormatsAreShown() throws Exception {
    JsonNode export = operator.json("/api/exports").get("exports").get(0);

    assertThat(export.get("pipeline").asText()).isEqualTo(scene.dataset);
    assertThat(export.get("format").asText()).isEqualTo("ndjson");
    assertThat(export.get("accounts").get(0).get("complete").asInt()).isEqualTo(45);
    assertThat(export.get("accounts").get(0).get("newest").asText()).isEqualTo("2026-02-14");
  }

  @Test
  void theCalendarAddsUpWhateverItsCells() throws Exception {
    String calendar = "/api/pipelines/" + scene.clicks + "/calendar";
    for (String query : List.of("", "?within=2026", "?within=2026-03-01", "?by=window")) {
      int complete = 0;
      for (JsonNode cell : operator.json(calendar + query).get("cells")) {
        complete += cell.get("counts").get("complete").asInt();
      }
      assertThat(complete).as(query).isEqualTo(48);
    }
    JsonNode hours = operator.json(calendar + "?within=2026-03-01&slice=unit=istanbul");
    assertThat(hours.get("cells")).hasSize(24);
    assertThat(hours.get("cells").get(13).get("key").asText()).isEqualTo("2026-03-01T13");
    assertThat(operator.get(calendar + "?within=yesterday").statusCode()).isEqualTo(400);
  }

  @Test
  void noSecretIsShown() throws Exception {
    for (Route route : scene.routes()) {
      if (route.method() == Method.GET) {
        assertThat(operator.get(filled(route)).body())
            .as(route.path())
            .doesNotContain("s3cret")
            .doesNotContain("jdbc:")
            .doesNotContain(scene.operateToken);
      }
    }
    assertThat(new Client(scene.url(), scene.rootToken).post("/api/connections/check", "{}").body())
        .contains("\"ok\":true")
        .doesNotContain("s3cret");
  }

  @Test
  void everyActionLeavesARecordOfWhoDidWhatAndHowItEnded() throws Exception {
    operator.act(
        "/api/pipelines/" + scene.clicks + "/retry", "{\"partitions\": [\"2026-03-01T05\"]}");
    operator.post("/api/pipelines/" + scene.clicks + "/retry", "{\"partitions\": [\"2031\"]}");

    JsonNode records = operator.json("/api/audit?pipeline=" + scene.clicks).get("records");
    JsonNode refused = records.get(0);
    JsonNode done = records.get(1);
    assertThat(done.get("who").asText()).isEqualTo("olga");
    assertThat(done.get("from").asText()).isEqualTo("127.0.0.1");
    assertThat(done.get("what").get("action").asText()).isEqualTo("retry");
    assertThat(done.get("what").get("detail").get("partitions").get(0).asText())
        .isEqualTo("2026-03-01T05");
    assertThat(done.get("outcome").asText()).isEqualTo("done");
    assertThat(refused.get("outcome").asText()).isEqualTo("refused");
    assertThat(refused.get("message").asText()).contains("2031");
  }

  // The record says what was acted on, whatever the body says of it
  @Test
  void theRecordNamesTheBackfillOfThePathWhateverTheBodySays() throws Exception {
    operator.post(
        "/api/pipelines/" + scene.orders + "/backfills/bf-20260101-aaaaaa/pause",
        "{\"backfill\": \"another\"}");

    JsonNode record = operator.json("/api/audit?pipeline=" + scene.orders).get("records").get(0);
    assertThat(record.at("/what/action").asText()).isEqualTo("pause backfill");
    assertThat(record.at("/what/detail/backfill").asText()).isEqualTo("bf-20260101-aaaaaa");
  }

  @Test
  void aCharacterNulIsRefusedWhereverItStands() throws Exception {
    String pipeline = "/api/pipelines/" + scene.orders;
    assertThat(operator.get(pipeline + "/partitions/%00").statusCode()).isEqualTo(400);
    assertThat(operator.get(pipeline + "/calendar?within=%00").statusCode()).isEqualTo(400);
    assertThat(operator.post(pipeline + "/backfills/a%00/pause", "{}").statusCode()).isEqualTo(400);
  }

  @Test
  void badInputIsRefusedWithTheFieldTheValueAndTheRule() throws Exception {
    String backfills = "/api/pipelines/" + scene.orders + "/backfills";
    assertThat(
            operator.post(backfills, "{\"from\": \"2026-01-99\", \"to\": \"2026-01-02\"}").body())
        .contains("\"code\":\"usage\"")
        .contains("2026-01-99");
    assertThat(operator.post(backfills, "[]").statusCode()).isEqualTo(400);
    assertThat(operator.post(backfills, "{").statusCode()).isEqualTo(400);
    assertThat(operator.post(backfills, "{\"reason\": \"\\u0000\"}").statusCode()).isEqualTo(400);
    assertThat(operator.post(backfills, "x".repeat(70_000)).statusCode()).isEqualTo(413);
    assertThat(operator.get("/api/pipelines/" + scene.family + "-none").statusCode())
        .isEqualTo(403);
    assertThat(
            operator
                .get("/api/pipelines/" + scene.orders + "/partitions/2026-01-01?slice=unit")
                .body())
        .contains("\"field\":\"slice\"");
    assertThat(
            operator
                .post(
                    "/api/pipelines/" + scene.orders + "/excuse",
                    "{\"partitions\": [\"2026-01-02\"]}")
                .body())
        .contains("\"field\":\"reason\"");
  }

  @Test
  void whatDidNotChangeIsNotSentAgain() throws Exception {
    HttpResponse<String> first = operator.get("/api/connections");
    String tag = first.headers().firstValue("ETag").orElseThrow();

    HttpResponse<String> second = operator.get("/api/connections", "If-None-Match", tag);

    assertThat(second.statusCode()).isEqualTo(304);
    assertThat(second.body()).isEmpty();
  }

  // A page that is only looked at costs no more than the asking
  @Test
  void nothingIsSentAgainWhereNothingHappens() throws Exception {
    int looked = 0;
    for (Route route : scene.routes()) {
      if (route.method() == Method.GET && route.need() == Need.VIEW) {
        String path = filled(route);
        HttpResponse<String> answer = operator.get(path);
        boolean isFound = answer.statusCode() == 200;
        // What another test has left under way may still end meanwhile.
        for (int i = 0; i < 20 && answer.statusCode() == 200; i++) {
          String tag = answer.headers().firstValue("ETag").orElseThrow();
          answer = operator.get(path, "If-None-Match", tag);
        }
        if (isFound) {
          assertThat(answer.statusCode()).as(path).isEqualTo(304);
          looked++;
        }
      }
    }
    assertThat(looked).isGreaterThan(15);
  }

  // Questions, edits, and the answer of one state that has the edit
  @Test
  void objectsAreSearchedReadAndEdited() throws Exception {
    String type = "/api/objects/" + scene.customers;
    JsonNode found =
        operator.act(
            type + "/search",
            """
            {"filter": {"eq": {"city": "Bonn"}}, "text": "customer", "limit": 2,
             "sort": [{"property": "id", "order": "desc"}]}
            """);
    assertThat(found.get("total").asInt()).isEqualTo(3);
    assertThat(found.at("/objects/0/key").asText()).isEqualTo("3");
    assertThat(found.at("/objects/0/values/name").asText()).isEqualTo("Customer number 3");
    assertThat(found.get("next").isTextual()).isTrue();

    JsonNode made =
        operator.act(
            type + "/edits",
            "{\"key\": \"2\", \"action\": \"set\", \"values\": {\"name\": \"Ada\"}}");
    JsonNode object = viewer.json(type + "/objects/2?after_edit=" + made.get("offset").asInt());
    assertThat(object.at("/object/values/name").asText()).isEqualTo("Ada");
    assertThat(object.at("/generation/edit_offset").asInt()).isEqualTo(made.get("offset").asInt());
    assertThat(operator.get(type + "/objects/9").statusCode()).isEqualTo(404);
    assertThat(
            operator.post(type + "/search", "{\"filter\": {\"eq\": {\"town\": \"Bonn\"}}}").body())
        .contains("\"field\":\"filter\"", "has no property 'town'");
    assertThat(
            operator.post(type + "/edits", "{\"key\": \"2\", \"action\": \"create\"}").statusCode())
        .isEqualTo(409);
  }

  // D30, D31, D33: every job of a type's builds, and nothing waits
  @Test
  void anObjectTypeSaysHowItStands() throws Exception {
    JsonNode type = viewer.json("/api/objects/" + scene.customers);
    assertThat(type.at("/served/objects").asInt()).isEqualTo(3);
    assertThat(type.get("waiting_seconds").asInt()).isZero();
    assertThat(type.at("/processes/0/process").asText()).isEqualTo(scene.family);
    assertThat(type.get("may_edit").asBoolean()).isFalse();
    assertThat(type.at("/properties/1/text").asBoolean()).isTrue();
    List<String> stages = new ArrayList<>();
    viewer
        .json("/api/objects/" + scene.customers + "/jobs")
        .get("jobs")
        .forEach(job -> stages.add(job.get("stage").asText() + " " + job.get("subject").asText()));
    assertThat(stages).contains("changelog events", "merge ", "index ", "hydrate " + scene.family);
  }

  // D32: whoever may view the datasource sees what went wrong with it, and nobody else
  @Test
  void theErrorOfAJobIsShownToWhoMayViewItsDatasource() throws Exception {
    try (Connection connection = TestServices.ledger().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          with build as (
            insert into tidemark.object_build
                   (object_index_id, generation, token, cause, full_build, state, through_edit,
                    input, lease_until)
            select object_index_id, 1, nextval('tidemark.object_token'), 'source', true, 'failed',
                   0, '', now()
              from tidemark.object_index join tidemark.object_type using (object_type_id)
             where name = '%s'
            returning build_id)
          insert into tidemark.object_job (build_id, stage, subject, state, error)
          select build_id, 'changelog', 'events', 'failed', 'a secret of the events' from build
          union all
          select build_id, 'changelog', 'clicks', 'failed', 'known of the clicks' from build
          union all
          select build_id, 'merge', '', 'failed', 'a secret of both' from build
          """
              .formatted(scene.mixed));
    }
    String jobs = "/api/objects/" + scene.mixed + "/jobs";
    Client other = new Client(scene.url(), scene.otherToken);

    assertThat(operator.get(jobs).body())
        .contains("a secret of the events", "known of the clicks", "a secret of both");
    assertThat(other.get(jobs).body())
        .contains("known of the clicks", "is shown to who may view")
        .doesNotContain("secret");
    assertThat(other.get("/api/objects/" + scene.mixed + "/objects/1").statusCode()).isEqualTo(403);
    assertThat(other.get("/api/objects/" + scene.customers).statusCode()).isEqualTo(404);
    assertThat(other.json("/api/objects").findValuesAsText("object_type"))
        .containsExactly(scene.mixed);
  }
}
