package dev.tidemark.starter.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documentation as a site. */
class SiteTest {
  @TempDir Path folder;

  /** Strict: a page outside the navigation, a link or an anchor that leads nowhere is an error. */
  @Test
  void everyPageIsInTheNavigationAndNoLinkIsBroken() throws Exception {
    Path site = folder.resolve("site");

    Validator.Verdict verdict =
        Validator.run(
            folder,
            "mkdocs",
            "build",
            "--strict",
            "--config-file=deploy/site/mkdocs.yml",
            "--site-dir=" + site);

    assertThat(verdict.exit()).as(verdict.text()).isZero();
    assertThat(site.resolve("index.html")).isRegularFile();
    assertThat(site.resolve("pictures/partition.svg")).isRegularFile();
    assertThat(site.resolve("index.html"))
        .content()
        .as("asks nothing of other people's servers")
        .doesNotContain("https://fonts.", "unpkg.com", "googletagmanager");
  }
}
