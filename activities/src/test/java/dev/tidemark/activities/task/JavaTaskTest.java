package dev.tidemark.activities.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.ledger.attempt.Attempts.FailureKind;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaTaskTest {
  @TempDir Path folder;

  private TaskRun execute(String type, PartitionTask... given) throws AttemptFailedException {
    TaskRun run = TaskRuns.in(folder);
    execute(run, type, given);
    return run;
  }

  private void execute(TaskRun run, String type, PartitionTask... given)
      throws AttemptFailedException {
    Map<String, PartitionTask> objects = given.length == 0 ? Map.of() : Map.of(type, given[0]);
    Tasks tasks = new Tasks(folder, Connections.NONE, objects);
    TaskExecution.run(tasks, new TaskSpec.Java(type, Duration.ofHours(1)), run);
  }

  private AttemptFailedException failureOf(PartitionTask task) {
    return catchThrowableOfType(AttemptFailedException.class, () -> execute("given", task));
  }

  /** A task named by its class. */
  public static final class Nested implements PartitionTask {
    @Override
    public void run(TaskContext context) {
      context.log(
          context.pipeline()
              + " "
              + context.window().label()
              + " "
              + context.token()
              + " "
              + context.inputVersion());
    }
  }

  @Test
  void makesTheClassByItsName() throws Exception {
    for (String name :
        new String[] {Nested.class.getName(), "dev.tidemark.activities.task.JavaTaskTest.Nested"}) {
      assertThat(execute(name).log().text()).isEqualTo("sales 2026-09-05 42 v7");
    }
  }

  @Test
  void takesAnObjectUnderItsRegisteredName() throws Exception {
    assertThat(execute("given", context -> context.log("ran")).log().text()).isEqualTo("ran");
  }

  @Test
  void saysWhatIsWrongWithAClass() {
    assertThatThrownBy(() -> execute("com.acme.Missing"))
        .hasMessageContaining("'com.acme.Missing' is neither a class on this worker's class path");
    assertThatThrownBy(() -> execute("java.lang.String"))
        .hasMessageContaining("does not implement dev.tidemark.activities.task.PartitionTask");
  }

  @Test
  void tellsFailuresApart() {
    assertThat(
            failureOf(
                    context -> {
                      throw new BadDataException("7 negative prices");
                    })
                .kind())
        .isEqualTo(FailureKind.BAD_DATA);
    assertThat(
            failureOf(
                    context -> {
                      throw new NotReadyException("no file yet");
                    })
                .kind())
        .isEqualTo(FailureKind.NOT_READY);
    AttemptFailedException bug =
        failureOf(
            context -> {
              throw new IllegalStateException("broken");
            });
    assertThat(bug.kind()).isEqualTo(FailureKind.ERROR);
    assertThat(bug.error()).isEqualTo("IllegalStateException: broken");
  }

  @Test
  void countsARunawayRecursionAsAFailureOfThePartition() {
    assertThat(failureOf(JavaTaskTest::recurse).kind()).isEqualTo(FailureKind.ERROR);
  }

  @SuppressWarnings("InfiniteRecursion")
  private static void recurse(TaskContext context) {
    recurse(context);
  }

  @Test
  void boundsAnError() {
    AttemptFailedException failure =
        failureOf(
            context -> {
              throw new IllegalStateException("x".repeat(100_000));
            });

    assertThat(failure.error().length()).isLessThanOrEqualTo(4 * 1024);
  }

  @Test
  void interruptsATaskThatIsEnded() throws Exception {
    TaskRun run = TaskRuns.in(folder);
    CountDownLatch started = new CountDownLatch(1);
    CompletableFuture<AttemptFailedException> failed =
        CompletableFuture.supplyAsync(
            () ->
                catchThrowableOfType(
                    AttemptFailedException.class,
                    () ->
                        execute(
                            run,
                            "given",
                            context -> {
                              started.countDown();
                              new CountDownLatch(1).await();
                            })));
    started.await();

    run.end(TaskRun.End.LOST);

    assertThat(failed.get().kind()).isEqualTo(FailureKind.RELEASED);
    assertThat(run.isCancelled()).isTrue();
  }

  // A task that sees that it is cancelled and returns has not done its work.
  @Test
  void doesNotTakeAnEarlyReturnForSuccess() {
    TaskRun run = TaskRuns.in(folder);

    assertThatThrownBy(() -> execute(run, "given", context -> run.end(TaskRun.End.CANCELLED)))
        .isInstanceOfSatisfying(
            AttemptFailedException.class,
            failure -> assertThat(failure.kind()).isEqualTo(FailureKind.RELEASED));
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }
}
