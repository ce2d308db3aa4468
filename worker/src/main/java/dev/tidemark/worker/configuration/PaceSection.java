package dev.tidemark.worker.configuration;

import dev.tidemark.worker.definition.Defaults;
import dev.tidemark.worker.yaml.Section;
import dev.tidemark.worker.yaml.Type;
import dev.tidemark.worker.yaml.Value;
import dev.tidemark.workflows.pipeline.CatchUp;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.Pace;
import dev.tidemark.workflows.pipeline.Retry;
import dev.tidemark.workflows.pipeline.Wake;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads when, in which order and how much at once. */
final class PaceSection {
  private static final int MOST = 1_000_000;

  private static final Type<CatchUp> CATCH_UP =
      new Type<>(
          "all, none or {newest: n}",
          text ->
              switch (text) {
                case "all" -> new CatchUp.All();
                case "none" -> new CatchUp.Newest(1);
                default -> null;
              });

  static final Type<Duration> INTERVAL =
      new Type<>(
          Types.DURATION.expected(),
          text -> {
            Duration interval = Types.DURATION.parser().apply(text);
            if (interval != null && interval.compareTo(Duration.ofSeconds(1)) < 0) {
              throw new IllegalArgumentException("must be at least 1s");
            }
            return interval;
          });

  private PaceSection() {}

  static Pace read(Section pipeline, boolean stateful) {
    return new Pace(
        sweep(pipeline.section("sweep")),
        pipeline.get("order", Types.choice(Pace.Order.class), Defaults.order(stateful)),
        catchUp(pipeline.value("catch-up")),
        limits(pipeline.section("limits")),
        retry(pipeline.section("retry")),
        freshness(pipeline),
        AccountsSection.read(pipeline));
  }

  private static Wake sweep(Section section) {
    section.only(List.of("every", "cron"), Later.KEYS);
    if (section.has("every") && section.has("cron")) {
      section.problem("cron", "and every exclude each other; keep one");
    }
    Duration interval = section.get("every", INTERVAL);
    String cron = section.get("cron", Type.TEXT);
    if (cron != null) {
      return new Wake.Cron(cron);
    }
    return interval == null ? Defaults.SWEEP : new Wake.Every(interval);
  }

  private static CatchUp catchUp(@Nullable Value value) {
    if (value == null) {
      return Defaults.PACE.catchUp();
    }
    if (value.isText() || value.isList() || value.isNothing()) {
      CatchUp policy = value.as(CATCH_UP);
      return policy == null ? Defaults.PACE.catchUp() : policy;
    }
    Section section = value.section();
    section.only(List.of("newest"), Later.KEYS);
    Integer newest = section.require("newest", Types.number(1, MOST));
    return newest == null ? Defaults.PACE.catchUp() : new CatchUp.Newest(newest);
  }

  private static Limits limits(Section section) {
    section.only(
        List.of(
            "partitions",
            "duration",
            "files",
            "bytes",
            "parallel",
            "per-account",
            "per-account-parallel",
            "backfill-share"),
        Later.KEYS);
    Limits otherwise = Limits.DEFAULT;
    return new Limits(
        section.get("partitions", Types.number(1, MOST), otherwise.partitions()),
        section.get("duration", Types.POSITIVE_DURATION, otherwise.duration()),
        section.get("parallel", Types.number(1, Limits.MAX_PARALLEL), otherwise.parallel()),
        section.get("per-account", Types.number(1, MOST)),
        section.get("per-account-parallel", Types.number(1, Limits.MAX_PARALLEL)),
        section.get("backfill-share", Types.PERCENT, otherwise.backfillSharePercent()),
        volume(section));
  }

  private static Limits.@Nullable Volume volume(Section section) {
    Integer files = section.get("files", Types.number(1, Integer.MAX_VALUE));
    Long bytes = section.get("bytes", Types.SIZE);
    return files == null && bytes == null ? null : new Limits.Volume(files, bytes);
  }

  private static Retry retry(Section section) {
    section.only(
        List.of("attempts", "backoff", "max-backoff", "then-after", "give-up-after"), Later.KEYS);
    Retry otherwise = Retry.DEFAULT;
    return new Retry(
        section.get("attempts", Types.number(1, 1000), otherwise.attempts()),
        section.get("backoff", Types.DURATION, otherwise.backoff()),
        section.get("max-backoff", Types.DURATION, otherwise.maxBackoff()),
        section.get("then-after", Types.DURATION, otherwise.thenAfter()),
        section.get("give-up-after", Types.number(1, 1000), otherwise.giveUpAfter()));
  }

  private static @Nullable Duration freshness(Section pipeline) {
    if (!pipeline.has("freshness")) {
      return null;
    }
    Section section = pipeline.section("freshness");
    section.only(List.of("within"), Later.KEYS);
    return section.require("within", Types.DURATION);
  }
}
