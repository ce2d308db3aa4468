package dev.tidemark.worker.page;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeOptions;

/** A real Chromium, used as a person uses it: by what is written on the page. */
final class Browser implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final String AXE = axe();

  private static final String PLACE =
      "[document.activeElement, document.activeElement.value, window.scrollY]";

  private final ChromeDriver driver;

  Browser() {
    // A path of its own: it would else look for a driver on the net.
    System.setProperty("webdriver.chrome.driver", program("chromedriver").orElseThrow().getPath());
    ChromeOptions options = new ChromeOptions();
    options.setBinary(program("chromium").orElseThrow());
    // Without a sandbox, since tests may run as root; with little memory shared, as in containers.
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--force-device-scale-factor=1");
    driver = new ChromeDriver(options);
    resize(1280, 900);
    dark(false);
  }

  /** Whether this machine has one, and what drives it. */
  static boolean isThere() {
    return program("chromium").isPresent() && program("chromedriver").isPresent();
  }

  private static Optional<File> program(String name) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .map(Path::toFile)
        .findFirst();
  }

  /** As one who was never there: what a tab keeps is forgotten first. */
  void forget(String url) {
    driver.get(url + "/page/icon.svg");
    driver.executeScript("sessionStorage.clear()");
  }

  void open(String url) {
    driver.get(url);
  }

  /** To another view of the page that is open. */
  void go(String address) {
    driver.executeScript("location.hash = arguments[0]", address);
  }

  void resize(int width, int height) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  void dark(boolean dark) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(
                Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"),
                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
  }

  String title() {
    return String.valueOf(driver.getTitle());
  }

  /** The text of the page, once it holds this. */
  String awaitText(String text) {
    return await("text '" + text + "'", () -> text().contains(text) ? text() : null);
  }

  /** The text of the page, once it holds this no more. */
  String awaitGone(String text) {
    return await("end of '" + text + "'", () -> text().contains(text) ? null : text());
  }

  /** What the page draws anew meanwhile is looked for again. */
  private <T> T await(String what, Supplier<T> looked) {
    long giveUp = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < giveUp) {
      try {
        T found = looked.get();
        if (found != null) {
          return found;
        }
        TimeUnit.MILLISECONDS.sleep(20);
      } catch (StaleElementReferenceException e) {
        // Looked for again.
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    throw new AssertionError("no " + what + " in:\n" + text());
  }

  String text() {
    return driver.findElement(By.tagName("body")).getText();
  }

  /** Presses the button with this name, or follows the link. */
  void press(String name) {
    find("button or link '" + name + "'", named(name)).click();
  }

  void pressInDialog(String name) {
    find(
            "button '" + name + "' of the dialog",
            By.xpath("//dialog//button[normalize-space()='" + name + "']"))
        .click();
  }

  private static By named(String name) {
    return By.xpath(
        "(//button[normalize-space()='%1$s' or @aria-label='%1$s']|//a[normalize-space()='%1$s'])[1]"
            .formatted(name));
  }

  /** Types into the field with this label, in the place of what is there. */
  void type(String label, String text) {
    WebElement field = field(label);
    field.clear();
    field.sendKeys(text);
  }

  /** Chooses the option that starts so, with the keyboard. */
  void choose(String label, String option) {
    field(label).sendKeys(option);
  }

  private WebElement field(String label) {
    WebElement found =
        find("label '" + label + "'", By.xpath("//label[normalize-space()='" + label + "']"));
    return driver.findElement(By.id(Objects.requireNonNull(found.getDomAttribute("for"))));
  }

  private WebElement find(String what, By by) {
    return await(
        what,
        () ->
            driver.findElements(by).stream()
                .filter(WebElement::isDisplayed)
                .findFirst()
                .orElse(null));
  }

  void keys(CharSequence... keys) {
    driver.switchTo().activeElement().sendKeys(keys);
  }

  /** Goes on with the Tab key until what has the focus has this name. */
  void tabTo(String name) {
    for (int i = 0; i < 60; i++) {
      if (focused().equals(name)) {
        return;
      }
      keys(Keys.TAB);
    }
    throw new AssertionError("the Tab key does not reach '" + name + "'");
  }

  /** The accessible name of what has the focus. */
  String focused() {
    return String.valueOf(driver.switchTo().activeElement().getAccessibleName());
  }

  /** From now on what the page puts off comes this many times sooner. */
  void hurry(int times) {
    driver.executeScript(
        "performance.setResourceTimingBufferSize(5000);"
            + "const later = window.setTimeout;"
            + "window.setTimeout = (what, ms, ...rest) => later(what, ms / arguments[0], ...rest);",
        times);
  }

  /** As if the person went to another tab, or came back. */
  void hide(boolean hidden) {
    driver.executeScript(
        "Object.defineProperty(document, 'hidden', {value: arguments[0], configurable: true});"
            + "document.dispatchEvent(new Event('visibilitychange'));",
        hidden);
  }

  /** Lets the page ask the server so many times, or as long as that takes at most. */
  long asks(int times, Duration most) {
    Object asked =
        driver.executeAsyncScript(
            """
            const [times, most, done] = arguments;
            const asked = () => performance.getEntriesByType('resource')
              .filter(one => new URL(one.name).pathname.startsWith('/api/')).length;
            const before = asked();
            const until = performance.now() + most;
            const look = () => asked() - before >= times || performance.now() > until
              ? done(asked() - before) : requestAnimationFrame(look);
            look();
            """,
            times,
            most.toMillis());
    return (Long) Objects.requireNonNull(asked);
  }

  /**
   * Remembers the document, what has the focus, what stands in it, and how far one has scrolled.
   */
  void leave() {
    driver.executeScript("window.left = %s".formatted(PLACE));
  }

  /** Whether all of that is the same: the same elements, not some like them. */
  boolean isAsItWasLeft() {
    return Boolean.TRUE.equals(
        driver.executeScript(
            "const left = window.left;"
                + "return Boolean(left) && %s.every((one, i) => one === left[i])"
                    .formatted(PLACE)));
  }

  void scroll(int to) {
    driver.executeScript("window.scrollTo(0, arguments[0])", to);
  }

  private static String axe() {
    try (InputStream script = Browser.class.getResourceAsStream("/axe.min.js")) {
      return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What axe finds that is serious or critical, one line each. */
  List<?> accessibilityProblems() {
    return axe("{}");
  }

  /** Of these only what the colours make. */
  List<?> contrastProblems() {
    return axe("{runOnly: ['color-contrast']}");
  }

  private List<?> axe(String options) {
    if ("undefined".equals(driver.executeScript("return typeof axe"))) {
      driver.executeScript(AXE);
    }
    Object found =
        driver.executeAsyncScript(
            """
            const done = arguments[arguments.length - 1];
            axe.run(%s).then(found => done(found.violations
              .filter(one => one.impact === 'serious' || one.impact === 'critical')
              .map(one => one.id + ': ' + one.nodes.map(node => node.html + ' ' + node.failureSummary).join(' | '))));
            """
                .formatted(options));
    return (List<?>) Objects.requireNonNull(found);
  }

  byte[] screenshot() {
    return driver.getScreenshotAs(OutputType.BYTES);
  }

  @Override
  public void close() {
    driver.quit();
  }
}
