package dev.tidemark.starter;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The shape that this module keeps (CONTRIBUTING). */
@AnalyzeClasses(
    packages = "dev.tidemark.starter",
    importOptions = ImportOption.DoNotIncludeTests.class)
class StarterStructureTest {
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

  /** The clock is handed to the commands; only the entry point knows the system's. */
  @ArchTest
  static final ArchRule onlyMainReadsTheClock =
      noClasses()
          .that()
          .doNotHaveSimpleName("Main")
          .should()
          .callMethodWhere(
              target(owner(resideInAnyPackage("java.time..", "java.lang..")))
                  .and(target(nameMatching("now|systemUTC|currentTimeMillis|nanoTime"))));
}
