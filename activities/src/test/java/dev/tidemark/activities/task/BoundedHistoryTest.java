package dev.tidemark.activities.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.inputs.InputVersions;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.Observations;
import dev.tidemark.activities.ledger.Upstreams;
import dev.tidemark.activities.ledger.WakeFlags;
import dev.tidemark.activities.ledger.attempt.Attempts;
import dev.tidemark.activities.ledger.claim.Claims;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.ExpectedSet;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.publish.Publisher;
import dev.tidemark.activities.store.ConfiguredStores;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.Outlook;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.Extent;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.Pace;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.Retry;
import dev.tidemark.workflows.pipeline.SliceSet;
import dev.tidemark.workflows.planning.ExpectedSlice;
import dev.tidemark.workflows.planning.ExpectedSlices;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Limits, orders, failures and crashes cut the work into cycles, and never change what there is at
 * the end (A26-A32, A43-A47, A56): one history, each seed with other bounds and other accidents,
 * run through the real classes, sweep after sweep, without a workflow.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class BoundedHistoryTest {
  private static final Instant NOW = Instant.parse("2026-01-06T00:00:00Z");
  private static final List<SliceSet> SLICES =
      List.of(
          new SliceSet.Product(new TreeMap<>(Map.of("unit", List.of("a", "ü/x"))), null),
          new SliceSet.Product(new TreeMap<>(Map.of("unit", List.of("new"))), "2026-01-04"),
          new SliceSet.Product(new TreeMap<>(Map.of("unit", List.of("gone"))), null, "2026-01-03"));

  /** Sweeps after which nothing is cut and nothing fails any more. */
  private static final int TROUBLED_SWEEPS = 30;

  @TempDir static Path folder;
  private static LedgerTestDatabase database;

  @BeforeAll
  static void open() {
    database = LedgerTestDatabase.create();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  /** What must be there: partition to the contents of its files, in order. */
  private static SortedMap<String, List<String>> expected(PipelineDefinition definition) {
    SortedMap<String, List<String>> outputs = new TreeMap<>();
    Window closed = definition.extent().closedThrough(NOW).orElseThrow();
    for (ExpectedSlice slice : slices(definition)) {
      definition.extent().partitions().windows(slice.since().start(), closed.end()).stream()
          .filter(slice::has)
          .forEach(
              window -> outputs.put(name(slice.slice(), window), contents(slice.slice(), window)));
    }
    return outputs;
  }

  private static List<ExpectedSlice> slices(PipelineDefinition definition) {
    return ExpectedSlices.ofProducts(
        definition.extent().partitions(),
        SLICES.stream().map(SliceSet.Product.class::cast).toList());
  }

  private static String name(Slice slice, Window window) {
    return slice.canonical() + " " + window.label();
  }

  /** Of none to two files. */
  private static List<String> contents(Slice slice, Window window) {
    List<String> contents = new ArrayList<>();
    for (int file = 0; file < window.label().charAt(9) % 3; file++) {
      contents.add(name(slice, window) + " file " + file);
    }
    return contents;
  }

  static IntStream seeds() {
    return IntStream.rangeClosed(1, 24);
  }

  // A13, A54, B4: each sweep begins with what is written down, and does a bounded part
  @ParameterizedTest
  @MethodSource("seeds")
  void boundsFailuresAndCrashesNeverChangeTheResult(int seed) throws Exception {
    History history = new History(seed);
    RegisteredPipeline pipeline = history.register();
    SortedMap<String, List<String>> expected = expected(pipeline.definition());

    int sweeps = 0;
    do {
      history.sweep(sweeps < TROUBLED_SWEEPS);
      sweeps++;
    } while (history.isLeft() && sweeps < 3 * TROUBLED_SWEEPS);

    assertThat(expected).hasSize(14);
    assertThat(states(pipeline))
        .as("seed %d after %d sweeps", seed, sweeps)
        .isEqualTo(
            expected.keySet().stream()
                .map(partition -> partition + " completed late=f requested=f")
                .toList());
    assertThat(outputs(history.name)).as("seed %d", seed).isEqualTo(expected);
  }

  private static List<String> states(RegisteredPipeline pipeline) throws SQLException {
    List<String> states = new ArrayList<>();
    try (var connection = database.dataSource().getConnection();
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "select slice || ' ' || partition || ' ' || state || ' late=' || late::text::char(1)"
                    + " || ' requested=' || requested::text::char(1) from partition_state"
                    + " where pipeline = '"
                    + pipeline.name()
                    + "' and attempts > 0")) {
      while (rows.next()) {
        states.add(rows.getString(1));
      }
    }
    Collections.sort(states);
    return states;
  }

  /** Reads as the protocol says; a part that is in no manifest is there too much. */
  private static SortedMap<String, List<String>> outputs(String pipeline) throws IOException {
    SortedMap<String, List<String>> outputs = new TreeMap<>();
    try (Stream<Path> found = Files.walk(folder.resolve("out").resolve(pipeline))) {
      for (Path manifest : found.filter(path -> path.endsWith("_manifest.json")).toList()) {
        JsonNode json = new ObjectMapper().readTree(manifest.toFile());
        List<String> contents = new ArrayList<>();
        for (JsonNode file : json.path("files")) {
          contents.add(Files.readString(manifest.resolveSibling(file.path("name").asText())));
        }
        try (Stream<Path> parts = Files.list(manifest.resolveSibling("."))) {
          assertThat(parts.filter(path -> path.getFileName().toString().startsWith("part-")))
              .as("parts beside %s", manifest)
              .hasSize(contents.size());
        }
        Map<String, String> slice = new TreeMap<>();
        json.path("slice").properties().forEach(e -> slice.put(e.getKey(), e.getValue().asText()));
        outputs.put(Slice.of(slice).canonical() + " " + json.path("partition").asText(), contents);
      }
    }
    return outputs;
  }

  /** One seed's pipeline, and the sweeps that it gets. */
  private static final class History {
    private final String name;
    private final Random random;
    private final Cuts cuts;
    private final Claims claims = new Claims(database.dataSource());
    private final Observations observations = new Observations(database.dataSource());
    private RegisteredPipeline pipeline;
    private boolean troubled;
    private int requests;

    History(int seed) {
      this.name = "seed-" + seed;
      this.random = new Random(seed);
      this.cuts = new Cuts(random);
      this.pipeline = register();
    }

    /** With other bounds each time: that is no other definition of the content. */
    RegisteredPipeline register() {
      PipelineDefinition base =
          TestPipeline.daily(name)
              .slices(SLICES.toArray(SliceSet[]::new))
              .output(new OutputSpec.Hive("./out"))
              .retry(new Retry(2, Duration.ZERO, Duration.ZERO, Duration.ZERO, 1000))
              .build();
      Extent extent = base.extent();
      Pace pace = base.pace();
      pipeline =
          new Definitions(database.dataSource())
              .register(
                  new PipelineDefinition(
                      name,
                      new Extent(
                          extent.partitions(), SLICES, "unit", extent.closure(), extent.keep()),
                      base.inputs(),
                      base.integration(),
                      new Pace(
                          pace.sweep(),
                          random.nextBoolean() ? Pace.Order.NEWEST_FIRST : Pace.Order.OLDEST_FIRST,
                          pace.catchUp(),
                          anyLimits(),
                          pace.retry(),
                          null),
                      base.task(),
                      base.output()),
                  "test")
              .pipeline();
      return pipeline;
    }

    private Limits anyLimits() {
      return new Limits(
          1 + random.nextInt(6),
          Duration.ofMinutes(1 + random.nextInt(9)),
          1 + random.nextInt(4),
          random.nextBoolean() ? null : 1 + random.nextInt(3),
          random.nextBoolean() ? null : 1 + random.nextInt(2),
          random.nextInt(101),
          random.nextBoolean()
              ? null
              : new Limits.Volume(1 + random.nextInt(4), 1L + random.nextInt(60)));
    }

    /** A sweep, which a crash may end early: leases and nothing else tell of it. */
    void sweep(boolean troubled) {
      this.troubled = troubled;
      register();
      Limits limits = pipeline.definition().pace().limits();
      Window closed = pipeline.definition().extent().closedThrough(NOW).orElseThrow();
      new ExpectedSet(database.dataSource())
          .bringUpTo(pipeline, slices(pipeline.definition()), closed);
      claims.beginSweep(pipeline, Scope.ALL, NOW, limits.partitions() + 1);
      String sweep = name + "/" + requests;
      int left = limits.partitions();
      int minutes = (int) limits.duration().toMinutes();
      for (int minute = 0; left > 0 && minute < minutes; minute++) {
        List<Claim> taken =
            new ArrayList<>(claim(sweep, Math.min(left, 1 + random.nextInt(limits.parallel()))));
        if (taken.isEmpty()) {
          return;
        }
        left -= taken.size();
        Collections.shuffle(taken, random);
        taken.forEach(this::run);
        expireLeases();
        if (troubled && random.nextInt(8) == 0) {
          return;
        }
      }
    }

    /** Sometimes sent twice, as after a lost answer. */
    private List<Claim> claim(String sweep, int want) {
      ClaimRequest request =
          new ClaimRequest(name + "-" + requests++, name, Scope.ALL, NOW, want, sweep);
      List<Claim> first = claims.claim(request).claims();
      if (random.nextInt(4) > 0) {
        return first;
      }
      List<Claim> again = claims.claim(request).claims();
      assertThat(again).containsExactlyInAnyOrderElementsOf(first);
      return again;
    }

    /** As Temporal does: attempts of one claim, until one returns or nobody comes back. */
    private void run(Claim claim) {
      for (int attempt = 1; attempt <= 20; attempt++) {
        cuts.arm(troubled ? claim.slice() + " " + claim.partition() : null);
        try (PartitionRunner runner = runner()) {
          runner.run(claim, attempt, () -> {});
          return;
        } catch (ApplicationFailure retried) {
          assertThat(retried.getType()).isEqualTo(PartitionRunner.RETRIED);
        } catch (Cuts.Killed killed) {
          if (random.nextInt(3) == 0) {
            return;
          }
        } finally {
          cuts.arm(null);
        }
      }
      throw new AssertionError("20 attempts of " + claim);
    }

    private PartitionRunner runner() {
      Attempts attempts = new Attempts(cuts.on(database.dataSource()));
      Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);
      return new PartitionRunner(
          attempts,
          observations,
          new InputVersions(
              Connections.NONE,
              folder,
              Map.of(),
              observations,
              new Upstreams(database.dataSource())),
          new Tasks(folder, Connections.NONE, Map.of("task", this::write)),
          TaskBinding.ANY,
          new Publisher(
              attempts, new ConfiguredStores(folder, Connections.NONE, clock), clock, "test"),
          new RunnerHost("worker", new Wakes(new WakeFlags(database.dataSource()), List.of())));
    }

    /** The task: half-way through it may fail. */
    private void write(TaskContext context) throws IOException {
      List<String> contents = contents(context.slice(), context.window());
      for (int file = 0; file < contents.size(); file++) {
        Files.writeString(context.output().resolve("file-" + file), contents.get(file));
        if (troubled && random.nextInt(6) == 0) {
          throw new IllegalStateException("an accident");
        }
      }
    }

    private void expireLeases() {
      database.execute(
          "update tidemark.partition_ledger set lease_until = now() - interval '1 second'"
              + " where claim_id is not null and pipeline_id = "
              + pipeline.id());
    }

    /** Due, held by an attempt that is gone, or waiting. */
    boolean isLeft() {
      Outlook outlook = claims.outlook(pipeline, Scope.ALL, NOW);
      return outlook.claimable() + outlook.live() + outlook.waiting() > 0;
    }
  }
}
