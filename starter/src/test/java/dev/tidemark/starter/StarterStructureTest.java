package dev.tidemark.starter;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The shape that this module keeps (CONTRIBUTING). */
@AnalyzeClasses(
    packages = "dev.tidemark.starter",
    importOptions = ImportOption.DoNotIncludeTests.class)
class StarterStructureTest {
  private static final int MAX_LINES = 400;
  private static final int MAX_PARAMETERS = 7;

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("dev.tidemark.starter.(*)..").should().beFreeOfCycles();

  /** What a command does, it asks of the modules below: no SQL, no YAML, no server of its own. */
  @ArchTest
  static final ArchRule dependenciesAreFew =
      classes()
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                  "dev.tidemark..",
                  "java..",
                  "javax.sql..",
                  "picocli..",
                  "com.fasterxml.jackson..",
                  "io.temporal..",
                  "io.grpc..",
                  "org.slf4j..",
                  "org.jspecify.."));

  /** Time is handed to the commands; only the entry point reads it, and a deadline measures. */
  @ArchTest
  static final ArchRule onlyMainReadsTheClock =
      noClasses()
          .that()
          .doNotHaveSimpleName("Main")
          .and()
          .doNotHaveSimpleName("Deadline")
          .should()
          .callMethodWhere(
              target(owner(resideInAnyPackage("java.time..", "java.lang..")))
                  .and(target(nameMatching("now|systemUTC|currentTimeMillis|nanoTime"))));

  /** But for the line of {@code status}, whose fields are its JSON. */
  @ArchTest
  static final ArchRule constructorsAreShort =
      noConstructors()
          .that()
          .areDeclaredInClassesThat(
              DescribedPredicate.describe(
                  "are no documents", type -> !type.getName().endsWith("StatusCommand$Line")))
          .should()
          .haveRawParameterTypes(
              DescribedPredicate.<List<JavaClass>>describe(
                  "more than " + MAX_PARAMETERS, types -> types.size() > MAX_PARAMETERS));

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
