package dev.tidemark.workflows;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.constructors;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The shape that this module keeps (CONTRIBUTING). */
@AnalyzeClasses(
    packages = "dev.tidemark.workflows",
    importOptions = ImportOption.DoNotIncludeTests.class)
class WorkflowsStructureTest {
  private static final int MAX_LINES = 400;
  private static final int MAX_PARAMETERS = 7;

  /** Records whose components are the fields of a JSON document that others read. */
  private static final Set<String> WIRE_RECORDS =
      Set.of(
          "BackfillRequest",
          "BackfillView",
          "ForeignInput",
          "LaneProgress",
          "PartitionOutcome",
          "SweepPlan",
          "SweepReport");

  private static final Set<String> NONDETERMINISTIC_CALLS =
      Set.of("now", "currentTimeMillis", "nanoTime", "randomUUID", "random", "parallelStream");

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("dev.tidemark.workflows.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule dependenciesAreFew =
      classes()
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                  "dev.tidemark.workflows..",
                  "java..",
                  "io.temporal..",
                  "io.grpc..",
                  "com.fasterxml.jackson..",
                  "org.slf4j..",
                  "org.jspecify.."));

  /** A replay has to take the same way again: time, chance and threads are Temporal's. */
  @ArchTest
  static final ArchRule workflowCodeIsDeterministic =
      noClasses()
          .that()
          .resideInAnyPackage("..sweep..", "..foreign..")
          .should()
          .callMethodWhere(isNondeterministic());

  @ArchTest
  static final ArchRule workflowCodeDoesNoIo =
      noClasses()
          .that()
          .resideInAnyPackage("..sweep..", "..foreign..")
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                  "java.io..", "java.nio..", "java.net..", "java.sql..", "java.util.concurrent.."));

  /** What plans is a pure function: it is handed the time. */
  @ArchTest
  static final ArchRule theMeaningIsPure =
      noClasses()
          .that()
          .resideInAnyPackage("..partition..", "..closure..", "..planning..", "..pipeline..")
          .should()
          .callMethodWhere(isNondeterministic())
          .orShould()
          .dependOnClassesThat(
              resideInAnyPackage("io.temporal..", "io.grpc..", "java.net..", "java.sql.."));

  @ArchTest
  static final ArchRule constructorsAreShort =
      constructors()
          .that()
          .arePublic()
          .should(
              new ArchCondition<JavaConstructor>("have at most " + MAX_PARAMETERS + " parameters") {
                @Override
                public void check(JavaConstructor constructor, ConditionEvents events) {
                  int parameters = constructor.getParameters().size();
                  if (parameters > MAX_PARAMETERS
                      && !WIRE_RECORDS.contains(constructor.getOwner().getSimpleName())) {
                    events.add(
                        SimpleConditionEvent.violated(
                            constructor, constructor.getFullName() + " has " + parameters));
                  }
                }
              });

  private static DescribedPredicate<JavaCall<?>> isNondeterministic() {
    return DescribedPredicate.describe(
        "reads a clock, rolls dice or starts a thread",
        call -> {
          JavaClass owner = call.getTargetOwner();
          return owner.getPackageName().startsWith("java.")
              && (NONDETERMINISTIC_CALLS.contains(call.getName())
                  || owner.isAssignableTo(Random.class)
                  || owner.isAssignableTo(Thread.class)
                  || owner.isAssignableTo(Executor.class));
        });
  }

  // c-E8: a wall time without its zone means nothing elsewhere
  @Test
  void onlyInstantsCrossTemporal() {
    noClasses()
        .that()
        .resideInAnyPackage("..ledger..", "..backfill..", "..sweep..", "..task..", "..client..")
        .should()
        .dependOnClassesThat()
        .haveNameMatching("java\\.time\\.(Local|Zoned|Offset).*")
        .check(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.tidemark.workflows"));
  }

  @Test
  void filesAreShort() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src"))) {
      List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();

      assertThat(sources).isNotEmpty();
      for (Path source : sources) {
        boolean main = source.startsWith(Path.of("src", "main"));
        assertThat(Files.readAllLines(source))
            .as(source.toString())
            .hasSizeLessThanOrEqualTo(main ? MAX_LINES : 600);
      }
    }
  }
}
