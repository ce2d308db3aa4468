package dev.tidemark.activities.publish;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Asks a store several things at once: each answer takes a round trip, or a disk. */
final class AtOnce {
  static final int THREADS = 4;

  private AtOnce() {}

  /**
   * The answers, in the order of the questions.
   *
   * @throws IOException if one of them cannot be had
   */
  static <T> List<T> ask(List<Callable<T>> questions) throws IOException {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<T>> asked = new ArrayList<>();
      questions.forEach(question -> asked.add(threads.submit(question)));
      List<T> answers = new ArrayList<>();
      for (Future<T> answer : asked) {
        answers.add(result(answer));
      }
      return answers;
    } finally {
      threads.shutdownNow();
    }
  }

  private static <T> T result(Future<T> answer) throws IOException {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failed) {
        throw failed;
      }
      if (e.getCause() instanceof RuntimeException failed) {
        throw failed;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the store was asked", e);
    }
  }
}
