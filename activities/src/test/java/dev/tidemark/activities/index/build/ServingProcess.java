package dev.tidemark.activities.index.build;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.zaxxer.hikari.HikariDataSource;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.index.ledger.NewEdit;
import dev.tidemark.activities.index.object.Edit;
import dev.tidemark.activities.index.query.Filter;
import dev.tidemark.activities.index.query.FoundObject;
import dev.tidemark.activities.index.query.FoundObjects;
import dev.tidemark.activities.index.query.Generation;
import dev.tidemark.activities.index.query.ObjectQuery;
import dev.tidemark.activities.index.serve.ObjectReader;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.store.ConfiguredStores;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A process that answers questions, as a worker with a page is one: asked line by line on its
 * input, and answering in JSON on its output.
 */
final class ServingProcess {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String READY = "ready";
  private static final String EDIT = "edit";
  private static final ObjectQuery ALL =
      new ObjectQuery(Filter.EVERY, null, List.of(), ObjectQuery.MOST, null);

  private final Process process;
  private final Writer questions;
  private final BufferedReader answers;
  private volatile boolean isKilled;

  private ServingProcess(Process process) {
    this.process = process;
    this.questions = process.outputWriter(StandardCharsets.UTF_8);
    this.answers = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Starts one; {@link #awaitReady} says when it answers. */
  static ServingProcess start(String ledger, Path folder, String name) throws IOException {
    Path log = folder.resolve(name + ".log");
    return new ServingProcess(
        BuildProcess.java(ServingProcess.class, ledger, folder.toString(), name)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start());
  }

  ServingProcess awaitReady() throws IOException {
    String line = answers.readLine();
    if (!READY.equals(line)) {
      throw new IOException("it does not answer: " + line);
    }
    return this;
  }

  /** All objects of one answer: the values of each that has any, by key. */
  record Seen(Generation generation, Map<String, Map<String, @Nullable Object>> objects) {}

  /** What it sees, with all edits up to one at least. */
  Seen search(long afterEdit) throws IOException {
    return JSON.readValue(ask(Long.toString(afterEdit)), Seen.class);
  }

  /** Gives an object a name: the offset of that edit, or empty where it is refused. */
  OptionalLong edit(String key, String name) throws IOException {
    long offset = Long.parseLong(ask(EDIT + " " + key + " " + name));
    return offset == 0 ? OptionalLong.empty() : OptionalLong.of(offset);
  }

  private synchronized String ask(String question) throws IOException {
    questions.write(question + "\n");
    questions.flush();
    String answer = answers.readLine();
    if (answer == null) {
      throw new EOFException("the process has ended");
    }
    return answer;
  }

  /** {@code kill -9}, whatever it is at. */
  void kill() throws InterruptedException {
    isKilled = true;
    process.destroyForcibly().waitFor();
  }

  boolean isKilled() {
    return isKilled;
  }

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[1]);
    ConfiguredStores stores = new ConfiguredStores(folder, Connections.NONE, Clock.systemUTC());
    try (HikariDataSource ledger = BuildProcess.ledger(arguments[0]);
        ObjectReader reader = ObjectReader.open(ledger, stores, arguments[2], any -> true);
        BufferedReader questions =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      if (reader.await(Customers.TYPE, Duration.ofSeconds(30))) {
        System.out.println(READY);
      }
      for (String line = questions.readLine(); line != null; line = questions.readLine()) {
        System.out.println(line.startsWith(EDIT) ? edit(reader, line) : search(reader, line));
      }
    }
  }

  private static String search(ObjectReader reader, String afterEdit) throws IOException {
    FoundObjects found = reader.search(Customers.TYPE, ALL, Long.parseLong(afterEdit));
    Map<String, Map<String, @Nullable Object>> objects = new TreeMap<>();
    for (FoundObject object : found.objects()) {
      objects.put(object.key(), object.values());
    }
    return JSON.writeValueAsString(new Seen(found.generation(), objects));
  }

  private static long edit(ObjectReader reader, String line) throws IOException {
    String[] words = line.split(" ", 3);
    NewEdit edit =
        new NewEdit(
            UUID.randomUUID().toString(),
            words[1],
            Edit.Action.SET,
            JsonNodeFactory.instance.objectNode().put("name", words[2]),
            "test");
    try {
      return reader.edit(Customers.TYPE, edit).offset();
    } catch (LedgerRefusal switched) {
      // Made against an index that is not served any more: said so, and not made.
      return 0;
    }
  }
}
