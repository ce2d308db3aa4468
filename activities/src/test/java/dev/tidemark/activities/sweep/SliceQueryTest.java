package dev.tidemark.activities.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.backfill.LedgerScene;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.inputs.InputVersions;
import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.Observations;
import dev.tidemark.activities.ledger.Upstreams;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.ExpectedSet;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.planning.SliceSets;
import dev.tidemark.workflows.pipeline.SliceSet;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Slices from a query, asked at every sweep (A17, A19, A20). */
class SliceQueryTest {
  private static final Instant NOW = Instant.parse("2026-01-03T12:00:00Z");

  private final LedgerScene scene = new LedgerScene();
  private final Connections connections = new Connections(Map.of("shop", scene.dataSource));
  private final Observations observations = new Observations(scene.dataSource);
  private final Preparation preparation =
      new Preparation(
          new SliceSets(connections),
          new ExpectedSet(scene.dataSource),
          new InputVersions(
              connections, Path.of("."), Map.of(), observations, new Upstreams(scene.dataSource)),
          observations,
          new LedgerReader(scene.dataSource));
  private final RegisteredPipeline pipeline =
      new Definitions(scene.dataSource)
          .register(
              LedgerScene.definition(
                  "shops",
                  List.of(new SliceSet.Query("select unit, since, until from shop", "shop")),
                  Duration.ZERO),
              "test")
          .pipeline();

  @AfterEach
  void close() {
    scene.close();
  }

  private @Nullable String expected() {
    preparation.prepare(pipeline, NOW);
    return scene.text(
        "select string_agg(slice || ' ' || partition, ', ' order by slice, partition)"
            + " from tidemark.partition_ledger where expected");
  }

  @Test
  void theExpectedSetFollowsTheQueryAndAFailureIsNeverNoSlices() {
    scene.run("create table shop (unit text, since date, until date)");
    scene.run("insert into shop values ('a', null, null), ('b', '2026-01-02', null)");
    String both = "unit=a 2026-01-01, unit=a 2026-01-02, unit=b 2026-01-02";
    assertThat(expected()).isEqualTo(both);

    scene.run("alter table shop rename to moved");
    assertThat(expected()).as("the query fails").isEqualTo(both);

    scene.run("alter table moved rename to shop");
    scene.run("update shop set until = '2026-01-02' where unit = 'a'");
    assertThat(expected()).isEqualTo("unit=a 2026-01-01, unit=b 2026-01-02");

    scene.run("delete from shop where unit = 'a'");
    assertThat(expected()).isEqualTo("unit=b 2026-01-02");
    assertThat(scene.number("select count(*) from tidemark.partition_ledger"))
        .as("rows stay")
        .isEqualTo(3);
  }
}
