package dev.tidemark.worker;

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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The shape that this module keeps (CONTRIBUTING). */
@AnalyzeClasses(
    packages = "dev.tidemark.worker",
    importOptions = ImportOption.DoNotIncludeTests.class)
class WorkerStructureTest {
  private static final int MAX_LINES = 400;
  private static final int MAX_PARAMETERS = 7;

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("dev.tidemark.worker.(*)..").should().beFreeOfCycles();

  /** An application with services of its own needs none of ours. */
  @ArchTest
  static final ArchRule thePluginStartsNoServices =
      noClasses()
          .that()
          .resideInAnyPackage("..plugin..", "..process..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("..embedded..");

  @ArchTest
  static final ArchRule dependenciesAreFew =
      classes()
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                  "dev.tidemark.worker..",
                  "dev.tidemark.activities..",
                  "dev.tidemark.workflows..",
                  "java..",
                  "javax.sql..",
                  "io.temporal..",
                  "io.grpc..",
                  "io.zonky.test..",
                  "com.zaxxer.hikari..",
                  "com.uber.m3..",
                  "io.micrometer..",
                  "com.sun.net.httpserver..",
                  "com.fasterxml.jackson..",
                  "org.yaml.snakeyaml..",
                  "org.slf4j..",
                  "org.jspecify.."));

  @ArchTest
  static final ArchRule constructorsAreShort =
      noConstructors()
          .should()
          .haveRawParameterTypes(
              DescribedPredicate.<List<JavaClass>>describe(
                  "more than " + MAX_PARAMETERS, types -> types.size() > MAX_PARAMETERS));

  @Test
  void filesStayShort() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      List<Path> tooLong =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(WorkerStructureTest::isLong)
              .toList();
      assertThat(tooLong).isEmpty();
    }
  }

  private static boolean isLong(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.count() > MAX_LINES;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
