package dev.tidemark.activities;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noConstructors;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.TimeZone;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The shape that this module keeps (CONTRIBUTING). */
@AnalyzeClasses(
    packages = "dev.tidemark.activities",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ActivitiesStructureTest {
  private static final int MAX_LINES = 400;
  private static final int MAX_PARAMETERS = 7;

  /** Records whose components are the fields of a document that others read. */
  private static final Set<String> DOCUMENTS =
      Set.of(
          "Explanation", "Manifest", "IndexManifest", "PublishedOutput", "AttemptView", "Status");

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("dev.tidemark.activities.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule dependenciesAreFew =
      classes()
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                  "dev.tidemark.activities..",
                  "dev.tidemark.workflows..",
                  "java..",
                  "javax.crypto..",
                  "javax.sql..",
                  "software.amazon.awssdk..",
                  "org.apache.parquet..",
                  "org.apache.hadoop.conf..",
                  "blue.strategic.parquet..",
                  "org.apache.lucene..",
                  "org.flywaydb..",
                  "org.postgresql..",
                  "io.temporal..",
                  "com.fasterxml.jackson..",
                  "org.slf4j..",
                  "org.jspecify.."));

  /** The ledger decides by the database's clock, and by the now that it is handed. */
  @ArchTest
  static final ArchRule nothingReadsTheClockOfItsMachine =
      noClasses()
          .should()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(System.class, "currentTimeMillis");

  /** Each pipeline has a zone of its own, and the machine's is nobody's. */
  @ArchTest
  static final ArchRule nothingAsksForTheZoneOfItsMachine =
      noClasses()
          .should()
          .callMethod(ZoneId.class, "systemDefault")
          .orShould()
          .callMethod(TimeZone.class, "getDefault");

  /** What runs a task or publishes goes through the ledger's own words, never through SQL. */
  @ArchTest
  static final ArchRule publishingKnowsNoLedger =
      noClasses()
          .that()
          .resideInAnyPackage("..publish..", "..store..")
          .should()
          .dependOnClassesThat(resideInAnyPackage("java.sql..", "javax.sql.."));

  @ArchTest
  static final ArchRule constructorsAreShort =
      noConstructors()
          .that()
          .areDeclaredInClassesThat(areNoDocuments())
          .should()
          .haveRawParameterTypes(
              DescribedPredicate.<List<JavaClass>>describe(
                  "more than " + MAX_PARAMETERS, types -> types.size() > MAX_PARAMETERS));

  private static DescribedPredicate<JavaClass> areNoDocuments() {
    return DescribedPredicate.describe(
        "are not the fields of a document that others read",
        type -> !DOCUMENTS.contains(type.getSimpleName()));
  }

  @Test
  void filesAreShort() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src", "main"))) {
      List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();

      assertThat(sources).isNotEmpty();
      for (Path source : sources) {
        assertThat(Files.readAllLines(source))
            .as(source.toString())
            .hasSizeLessThanOrEqualTo(MAX_LINES);
      }
    }
  }
}
