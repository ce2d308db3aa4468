package dev.tidemark.worker.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/**
 * The page as people use it, in a real Chromium: each test comes as one who was never here, and
 * goes by what is written on the page. With {@code -Dtidemark.pictures=FOLDER} the test of axe
 * takes the pictures of the documentation.
 */
@Timeout(180)
class PageBrowserTest {
  private static final @Nullable String PICTURES = System.getProperty("tidemark.pictures");

  @TempDir static Path folder;
  private static Scene scene;
  private static Browser browser;

  @BeforeAll
  static void start() throws Exception {
    assertThat(Browser.isThere())
        .as("chromium and chromedriver must be on the PATH: .ci/run installs them")
        .isTrue();
    browser = new Browser();
    scene = PICTURES == null ? new Scene(folder) : new Scene(folder, "shop", "");
    scene.run();
  }

  @AfterAll
  static void stop() {
    if (Browser.isThere()) {
      browser.close();
      scene.close();
    }
  }

  @BeforeEach
  void forget() {
    browser.forget(scene.url());
  }

  @AfterEach
  void release() {
    scene.release();
  }

  private void comesAs(String token, String address) {
    browser.open(scene.url() + "/" + address);
    browser.type("Token", token);
    browser.press("Come in");
  }

  private void operatorAt(String address) {
    comesAs(scene.operateToken, address);
  }

  private static String orders(String partition) {
    return "#/pipelines/" + scene.orders + (partition.isEmpty() ? "" : "/" + partition);
  }

  @Test
  void theOverviewSaysWhatIsWrongFirstAndWhatIsWritableIsText() {
    operatorAt("");

    browser.awaitText("Needs somebody");
    browser.awaitText("the file of 2026-01-21 is cut off " + Scene.HTML);
    assertThat(browser.text()).contains(scene.clicks, scene.dataset, "2026-02-14");
    browser.press("2026-01-21");
    browser.awaitText("waits for a person");
    assertThat(browser.title()).startsWith("2026-01-21");
    browser.open(
        scene.url()
            + "/#/pipelines/"
            + scene.clicks
            + "/2026-03-01T05?slice=unit%3D%253Cb%253Eizmir%253C%252Fb%253E");
    browser.awaitText("unit <b>izmir</b>");
  }

  @Test
  void aTokenThatIsNotKnownIsNotLetIn() {
    comesAs("not-one-of-the-tokens", "");

    browser.awaitText("That token is not known here.");
    assertThat(browser.text()).doesNotContain(scene.family);
  }

  @Test
  void whoMayOnlyViewIsOfferedNoAction() {
    comesAs(scene.viewToken, orders("2026-01-21"));

    browser.awaitText("waits for a person");
    assertThat(browser.text()).doesNotContain("Retry").doesNotContain("Excuse");
  }

  // B42: manual queueing from the page
  @Test
  void aBackfillIsShownBeforeItIsAskedForAndFollowedUntilItIsDone() {
    operatorAt(orders(""));

    browser.press("Backfill");
    browser.type("From", "2026-02-01");
    browser.type("To", "2026-02-03");
    browser.choose("Which of them", "all");
    browser.type("Reason", "<i>again</i>");
    browser.pressInDialog("Show what that is");
    browser.awaitText("Ask for 3 partitions?");
    browser.pressInDialog("Ask for 3 partitions");
    browser.awaitText("is asked for.");
    browser.press("Backfills");
    browser.awaitText("<i>again</i>");
    browser.awaitText("3 of 3");
    browser.awaitText("completed");
  }

  // C24
  @Test
  void whatReadsARangeIsAskedForWithIt() {
    comesAs(scene.rootToken, orders(""));

    browser.press("Backfill");
    browser.type("From", "2026-02-05");
    browser.type("To", "2026-02-05");
    browser.choose("Which of them", "all");
    browser.pressInDialog("Show what that is");
    browser.awaitText("Ask for 1 partition?");
    browser.choose("And what reads them", "is asked");
    browser.pressInDialog("Ask for 1 partition");
    browser.awaitText("are asked for.");
    browser.press("Backfills");
    browser.awaitText(scene.report);
  }

  @Test
  void aRangeThatIsNoneIsRefusedInTheDialog() {
    operatorAt(orders(""));

    browser.press("Backfill");
    browser.type("From", "2026-02-31");
    browser.type("To", "2026-02-03");
    browser.pressInDialog("Show what that is");
    browser.awaitText("'2026-02-31' does not exist in the calendar");
    browser.keys(Keys.ESCAPE);
    browser.awaitGone("Show what that is");
  }

  @Test
  void aParkedPartitionIsTriedAgain() {
    operatorAt(orders("2026-01-09"));
    browser.awaitText("waits for a person");
    scene.repair("2026-01-09");

    browser.press("Retry");
    browser.pressInDialog("Retry");
    browser.awaitText("1 partition will be tried again.");
    browser.awaitText("up_to_date");
  }

  @Test
  void aPartitionIsExcusedAndExpectedAgain() {
    operatorAt(orders("2026-01-05"));

    browser.press("Excuse");
    browser.type("Reason", "a holiday");
    browser.pressInDialog("Excuse");
    browser.awaitText("1 partition excused.");
    browser.awaitText("a holiday");
    browser.press("Expect it again");
    browser.type("Reason", "no holiday after all");
    browser.pressInDialog("Expect it");
    browser.awaitText("1 partition expected again.");
    browser.awaitText("up_to_date");
  }

  // C15
  @Test
  void aChangedInputMakesThePartitionAgain() {
    operatorAt(orders("2026-01-12"));

    browser.press("Its input changed");
    browser.type("Version", "v2");
    browser.pressInDialog("Say so");
    browser.awaitText("1 partition marked as changed.");
    browser.awaitText("v2");
    browser.press("Read its manifest");
    browser.awaitText("orders");
  }

  @Test
  void aBackfillThatRunsIsPausedResumedSlowedAndCancelled() throws Exception {
    scene.hold("2026-02-05", "2026-02-06");
    String id =
        new Client(scene.url(), scene.operateToken)
            .act(
                "/api/pipelines/" + scene.orders + "/backfills",
                """
                {"from": "2026-02-05", "to": "2026-02-06", "mode": "all", "parallel": 1}\
                """)
            .get("backfill_id")
            .asText();
    operatorAt("#/backfills");

    browser.press("Pause " + id);
    browser.pressInDialog("Pause");
    browser.awaitText(id + " is paused.");
    browser.press("Resume " + id);
    browser.pressInDialog("Resume");
    browser.awaitText(id + " is r");
    browser.press("Parallel " + id);
    browser.type("At most at once", "2");
    browser.pressInDialog("Set");
    browser.awaitText("2 at once");
    browser.press("Cancel " + id);
    browser.pressInDialog("Cancel");
    browser.awaitText(id + " is cancelled.");
  }

  // B41
  @Test
  void connectionsAreChecked() {
    comesAs(scene.rootToken, "#/connections");

    browser.press("Check shop");
    browser.awaitText("works");
    browser.awaitText("PostgreSQL");
    assertThat(browser.text()).doesNotContain("s3cret");
  }

  // c-F4
  @Test
  void aPipelineIsPausedAndResumedAndTheRecordSaysByWhom() {
    operatorAt("#/pipelines/" + scene.clicks);
    browser.press("Pause");
    browser.pressInDialog("Pause");
    browser.awaitText("is paused.");
    browser.press("Resume");
    browser.pressInDialog("Resume");
    browser.awaitText("goes on; no closed partition is missing.");

    browser.press("Audit");
    browser.awaitText("resume " + scene.clicks);
    assertThat(browser.text()).contains("pause " + scene.clicks, "olga", "from 127.0.0.1");
  }

  // Live, without a reload: what somebody else does is seen, what one is at stays as it is
  @Test
  void whatOthersDoAppearsWhileFocusTextAndPlaceStay() throws Exception {
    Client other = new Client(scene.url(), scene.operateToken);
    browser.open(scene.url() + "/" + orders(""));
    browser.hurry(30);
    browser.type("Token", scene.operateToken);
    browser.press("Come in");
    browser.press("Backfill");
    browser.type("Reason", "half a sent");
    browser.scroll(200);
    browser.leave();

    other.act("/api/pipelines/" + scene.orders + "/pause", "{}");
    browser.awaitText(scene.orders + " paused");
    other.act("/api/pipelines/" + scene.orders + "/resume", "{}");
    browser.awaitGone(scene.orders + " paused");

    assertThat(browser.asks(20, Duration.ofSeconds(20))).isGreaterThanOrEqualTo(20);
    assertThat(browser.isAsItWasLeft()).isTrue();
  }

  // Nobody looks at a hidden tab
  @Test
  void aHiddenTabAsksForNothingAndAtOnceWhenItIsSeenAgain() {
    operatorAt("");
    browser.awaitText("Pipelines");
    browser.hurry(30);

    browser.hide(true);
    // What was asked before may still be answered.
    long asked = browser.asks(1, Duration.ofSeconds(1));
    for (int i = 0; i < 20 && asked > 0; i++) {
      asked = browser.asks(1, Duration.ofSeconds(1));
    }
    assertThat(asked).as("in a second, of which it waits a thirtieth").isZero();
    browser.hide(false);

    assertThat(browser.asks(1, Duration.ofSeconds(20))).isPositive();
  }

  @Test
  void theCalendarIsUsedWithTheKeyboardAlone() {
    operatorAt(orders(""));
    browser.awaitText("Calendar");

    browser.keys(Keys.TAB);
    assertThat(browser.focused()).isEqualTo("To the content");
    browser.keys(Keys.ENTER);
    browser.tabTo("2026-02-14: 1 complete");
    browser.keys(Keys.ARROW_LEFT, Keys.ARROW_UP);
    assertThat(browser.focused()).startsWith("2026-02-06: 1 complete");
    browser.keys(Keys.ENTER);
    browser.awaitText("2026-02-06");
    browser.tabTo("2026-02-06");
    browser.keys(Keys.ENTER);
    browser.awaitText("up_to_date");
  }

  @Test
  void axeFindsNothingSeriousInLightAndDarkAndOnAPhone() throws IOException {
    operatorAt("");
    browser.awaitText("Pipelines");
    picture("overview", 1100, 680);
    examine("#/pipelines/" + scene.clicks + "?cell=2026-03-01", "2026-03-01T23");
    examine(orders(""), "Definition");
    picture("pipeline", 1100, 720);
    browser.press("Backfill");
    browser.awaitText("Show what that is");
    assertThat(browser.accessibilityProblems()).isEmpty();
    browser.resize(390, 760);
    examine(orders("2026-01-21"), "waits for a person");
    picture("partition", 390, 760);
    browser.resize(1280, 900);
    examine("#/backfills", "Backfills");
    examine("#/objects", scene.customers);
    examine("#/objects/" + scene.customers, "Customer number 1");
    examine("#/objects/" + scene.customers + "/1", "with edits up to");
    examine("#/exports", "ndjson");
    examine("#/connections", "shop");
    examine("#/audit", "Everything that was asked for");
  }

  // Search by words and by a condition, paging by address, an edit that is seen at once
  @Test
  void anObjectIsLookedForEditedCreatedAndDeleted() {
    operatorAt("#/objects");

    browser.press(scene.customers);
    browser.awaitText("3 found");
    browser.type("Words in name", "number 2");
    browser.press("Look");
    browser.awaitText("1 found");
    browser.press("2");
    browser.awaitText("Customer number 2");
    browser.press("Edit");
    browser.type("name", "<b>Grace</b> Hopper");
    browser.pressInDialog("Save");
    browser.awaitText("2 is edited, by edit");
    browser.awaitText("<b>Grace</b> Hopper");
    browser.press(scene.customers);
    browser.press("Create an object");
    browser.type("id", "7 7");
    browser.pressInDialog("Create");
    browser.awaitText("'7%207' is no key of");
    browser.type("id", "77");
    browser.pressInDialog("Create");
    browser.awaitText("77 is created, by edit");
    browser.choose("Property", "id");
    browser.choose("Comparison", "is more than");
    browser.type("Value", "50");
    browser.press("Look");
    browser.awaitText("id is more than 50");
    browser.awaitText("1 found");
    browser.press("77");
    browser.press("Delete");
    browser.pressInDialog("Delete");
    browser.awaitText("there is no '77'");
  }

  private void examine(String address, String text) {
    browser.go(address);
    browser.awaitText(text);
    assertThat(browser.accessibilityProblems()).as(address).isEmpty();
    browser.dark(true);
    assertThat(browser.contrastProblems()).as(address + ", dark").isEmpty();
    browser.dark(false);
  }

  private void picture(String name, int width, int height) throws IOException {
    if (PICTURES != null) {
      browser.resize(width, height);
      Files.write(Path.of(PICTURES, name + ".png"), browser.screenshot());
      browser.resize(1280, 900);
    }
  }
}
