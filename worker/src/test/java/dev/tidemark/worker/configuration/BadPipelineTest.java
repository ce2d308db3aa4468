package dev.tidemark.worker.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Issue 3, "Bad input, and what it gets": line, key, and the words that help, for every kind. */
class BadPipelineTest {
  @TempDir Path folder;

  /**
   * One bad line in a pipeline that is good otherwise.
   *
   * @param lines replace the good lines with the same key, or are added; the first one is bad
   * @param key below the pipeline
   */
  record Case(String lines, String key, List<String> words) {
    Case(String lines, String key, String... words) {
      this(lines, key, List.of(words));
    }

    @Override
    public String toString() {
      return lines;
    }

    /** The good pipeline with the bad lines at its end. */
    String yaml() {
      StringBuilder yaml =
          new StringBuilder("connections:\n  shop: {jdbc: \"jdbc:postgresql://db/shop\"}\n");
      yaml.append("  lake: {s3: {bucket: lake}}\n  lake-a: {s3: {bucket: lake-a}}\n");
      yaml.append(
          "  each: {s3: {sql: \"select b from d where c = :account\", connection: shop}}\n");
      yaml.append("pipelines:\n  - name: a\n");
      String replaced = lines.substring(0, lines.indexOf(':') + 1);
      for (String good : GOOD) {
        if (!good.startsWith(replaced)) {
          yaml.append("    ").append(good).append('\n');
        }
      }
      return yaml.append("    ").append(lines.replace("\n", "\n    ")).append('\n').toString();
    }

    int line() {
      List<String> all = yaml().lines().toList();
      return all.indexOf("    " + lines.lines().findFirst().orElseThrow()) + 1;
    }
  }

  private static final String HUNDRED = IntStream.range(0, 100).boxed().toList().toString();

  private static final List<String> GOOD =
      List.of(
          "partitions: {every: day, start: 2026-01-01}",
          "slices: [{unit: [a, b]}]",
          "task: {command: [sh]}",
          "output: {location: out}");

  static Stream<Case> partitions() {
    return Stream.of(
        new Case(
            "partitions: {every: days, start: 2026-01-01}",
            "partitions.every",
            "'days'",
            "15m, hour, day",
            "did you mean 'day'"),
        new Case(
            "partitions: {every: day, zone: Europe/Istambul, start: 2026-01-01}",
            "partitions.zone",
            "'Europe/Istambul'",
            "did you mean 'Europe/Istanbul'"),
        new Case("partitions: {every: day}", "partitions.start", "is missing"),
        new Case("partitions: {every: day, start: 2026-02-30}", "partitions.start", "2026-02-30"),
        new Case("partitions: {every: day, start: 2026-13}", "partitions.start", "2026-13"),
        new Case(
            "partitions: {every: day, zone: Pacific/Apia, start: 2011-12-30}",
            "partitions.start",
            "does not exist in Pacific/Apia"),
        new Case(
            "partitions: {every: day, start: 2026-01-02, end: 2026-01-01}",
            "partitions.end",
            "must be later than start"),
        new Case(
            "partitions: {every: day, start: 2026-01-02, end: 2026-01-02}",
            "partitions.end",
            "must be later than start"),
        new Case(
            "partitions: {every: hour, start: \"2026-01-01T00:30\"}",
            "partitions.start",
            "2026-01-01T00:30",
            "2026-09-05T13"),
        new Case("partitions: {every: month, start: 2026-01-15}", "partitions.start", "2026-01-15"),
        new Case("partitions: {every: week, start: 2026-01-01}", "partitions.start", "2026-01-01"),
        new Case("partitions: {every: day, start: 2026-01}", "partitions.start", "2026-01"),
        new Case("partitions: daily", "partitions", "section of keys and values", "'daily'"),
        new Case("partitions: {every: [day], start: 2026-01-01}", "partitions.every", "is a list"),
        new Case(
            "partitions: {every: day, begin: 2026-01-01, start: 2026-01-01}",
            "partitions.begin",
            "not a known key",
            "every, zone, start, end"));
  }

  static Stream<Case> slices() {
    return Stream.of(
        new Case("slices: [{unit: a}]", "slices[0].unit", "must be a list", "'a'"),
        new Case(
            "slices: [{a: " + HUNDRED + ", b: " + HUNDRED + ", c: " + HUNDRED + "}]",
            "slices",
            "1000000 combinations",
            "100000"),
        new Case("slices: [{unit: [null]}]", "slices[0].unit[0]", "is empty"),
        new Case("slices: [{unit: []}]", "slices[0].unit", "at least one value"),
        new Case("slices: [{unit: [a, a]}]", "slices[0].unit", "twice"),
        new Case("slices: [{since: 2026-01-01}]", "slices[0]", "at least one dimension"),
        new Case(
            "slices: [{unit: [a], kind: [b]}, {unit: [c]}]",
            "slices[1]",
            "has no kind",
            "kind, unit"),
        new Case("slices: [{unit: [a], since: 2026-02-31}]", "slices[0].since", "2026-02-31"),
        new Case("slices: [{unit: [a], until: 2026-02-31}]", "slices[0].until", "2026-02-31"),
        new Case(
            "slices: [{unit: [a], since: 2026-03-01, until: 2026-03-01}]",
            "slices[0].until",
            "later than the first window, 2026-03-01"),
        new Case(
            "slices: [{unit: [a], until: 2026-02-01}, {unit: [a], since: 2026-03-01}]",
            "slices",
            "ends before 2026-02-01 and is there again since 2026-03-01"),
        new Case("slices: [{dt: [a]}]", "slices", "'dt'", "rename"),
        new Case("slices: [{my-unit: [a]}]", "slices", "'my-unit'", "must match"),
        new Case("slices: [{unit: [a], Unit: [b]}]", "slices", "case"),
        new Case("slices: {sql: select 1}", "slices.connection", "is missing"),
        new Case(
            "slices: {sql: \"select :from\", connection: shop}",
            "slices.sql",
            ":from",
            "takes none"),
        new Case("account: uni", "account", "'uni'", "not a dimension", "did you mean 'unit'"),
        new Case("limits: {per-account: 3}", "limits.per-account", "needs an account"));
  }

  // B24
  static Stream<Case> accountIds() {
    String hash = "account-id: {keyed-hash: \"${K:-0123456789abcdef0123456789abcdef}\"}";
    return Stream.of(
        new Case("account-id: {column: code}", "account-id", "needs an account"),
        new Case("account-id: {}\naccount: unit", "account-id", "either column or keyed-hash"),
        new Case(
            "account-id: {column: unit}\naccount: unit",
            "account-id.column",
            "is the account itself"),
        new Case(
            "account-id: {column: unti}\naccount: unit",
            "account-id.column",
            "'unti' is not a column of the slices",
            "did you mean 'unit'"),
        new Case(
            "account-id: {keyed-hash: \"${K:-short}\"}\naccount: unit",
            "account-id.keyed-hash",
            "'${K:-short}' is a key of 5 characters",
            "at least 32",
            "openssl rand -hex 32"),
        new Case(
            "slices: [{unit: [a, b], code: [x]}]\naccount: unit\naccount-id: {column: code}",
            "slices",
            "code=x/unit=a and code=x/unit=b have the same code"),
        new Case(
            "output: {location: \"out/{slice.unit}\"}\naccount: unit\n" + hash,
            "output.location",
            "account-id keeps the account out of it"));
  }

  static Stream<Case> pace() {
    return Stream.of(
        new Case("closes-after: soon", "closes-after", "'soon'", "90s, 15m, 1h, 2d"),
        new Case("closes-after: -1h", "closes-after", "'-1h'", "must not be negative"),
        new Case("closes-after: 99999999d", "closes-after", "must be at most"),
        new Case("closes-at: \"25:00\"", "closes-at", "'25:00'", "time of day"),
        new Case("closes-at: 1am", "closes-at", "'1am'", "\"01:00\""),
        new Case("closes-at: \"01:00\"\ncloses-after: 1h", "closes-at", "exclude each other"),
        new Case("sweep: {every: 0s}", "sweep.every", "at least 1s"),
        new Case("sweep: {cron: \"* * * *\"}", "sweep.cron", "five fields", "has 4"),
        new Case("sweep: {cron: \"60 * * * *\"}", "sweep.cron", "'60'", "minute", "0 to 59"),
        new Case("sweep: {cron: \"@every 1h\"}", "sweep.cron", "not a nickname", "every: 15m"),
        new Case("sweep: {every: 15m, cron: \"@hourly\"}", "sweep.cron", "exclude each other"),
        new Case("order: newest", "order", "newest-first, oldest-first"),
        new Case("catch-up: {newest: 0}", "catch-up.newest", "at least 1"),
        new Case("catch-up: some", "catch-up", "'some'", "all, none"),
        new Case("limits: {partitions: -1}", "limits.partitions", "'-1'", "at least 1"),
        new Case("limits: {parallel: 0}", "limits.parallel", "at least 1"),
        new Case("limits: {parallel: 501}", "limits.parallel", "at most 500"),
        new Case(
            "limits: {parallel: many}", "limits.parallel", "'many'", "whole number from 1 to 500"),
        new Case("limits: {partitions: 1.5}", "limits.partitions", "'1.5'", "whole number"),
        new Case("limits: {files: 0}", "limits.files", "at least 1"),
        new Case("limits: {bytes: 10 apples}", "limits.bytes", "such as 500MB"),
        new Case("limits: {bytes: 0MB}", "limits.bytes", "at least 1B"),
        new Case("limits: {duration: 0s}", "limits.duration", "longer than nothing"),
        new Case("limits: {backfill-share: 101%}", "limits.backfill-share", "0% to 100%"),
        new Case("limits: {backfill-share: 50}", "limits.backfill-share", "such as 50%"),
        new Case("retry: {attempts: 0}", "retry.attempts", "at least 1"),
        new Case(
            "retry: {backoff: 10m, max-backoff: 5m}",
            "retry.max-backoff",
            "must not be shorter than backoff"),
        new Case("freshness: {within: 0s}", "freshness.within", "longer than nothing"),
        new Case("freshness: 2h", "freshness", "section of keys and values"));
  }

  static Stream<Case> integration() {
    return Stream.of(
        new Case("lookback: -1", "lookback", "'-1'", "at least 0"),
        new Case("lookback: 1001", "lookback", "at most 1000"),
        new Case("lookback: [1, 0]", "lookback[1]", "at least 1"),
        new Case("lookback: {days: 3}", "lookback", "whole number", "a section"),
        new Case("lookback: 2\nfrozen: true", "lookback", "frozen"),
        new Case("late-data: {accept: 60}", "late-data.accept", "'60'", "60d"),
        new Case("late-data: {accept: P-1D}", "late-data.accept", "must not be negative"),
        new Case(
            "late-data: {strategy: late}",
            "late-data.strategy",
            "late-first, current-first, parallel"),
        new Case("order: newest-first\nstateful: true", "order", "must be oldest-first"),
        new Case(
            "late-data: {strategy: parallel}\nstateful: true",
            "late-data.strategy",
            "must be late-first"),
        new Case("keep: 0d", "keep", "at least a day"),
        new Case("frozen: yes", "frozen", "'yes'", "true or false"),
        new Case("on-definition-change: redo", "on-definition-change", "ask, rerun, keep"));
  }

  static Stream<Case> texts() {
    return Stream.of(
        new Case(
            "inputs: [{files: \"in/{partiton}.csv\"}]",
            "inputs[0].files",
            "{partiton}",
            "did you mean 'partition'"),
        new Case(
            "inputs: [{files: \"connection:shop/in/{partition}.csv\"}]",
            "inputs[0].files",
            "'shop' is a database, and input files need an object store"),
        new Case(
            "inputs: [{files: \"connection:laek/in/{partition}.csv\"}]",
            "inputs[0].files",
            "'laek' is not a connection",
            "did you mean 'lake'"),
        new Case(
            "inputs: [{files: \"in/{slice.unti}\"}]",
            "inputs[0].files",
            "{slice.unti}",
            "did you mean 'unit'"),
        new Case(
            "inputs: [{files: \"in/{start:QQQQQQ}\"}]",
            "inputs[0].files",
            "{start:QQQQQQ}",
            "pattern"),
        new Case(
            "inputs: [{files: \"in/{partition:yyyy}\"}]", "inputs[0].files", "takes no pattern"),
        new Case(
            "inputs: [{sql: \"select :form\", connection: shop}]",
            "inputs[0].sql",
            ":form",
            "did you mean 'from'"),
        new Case(
            "inputs: [{sql: select 1, connection: shpo}]",
            "inputs[0].connection",
            "'shpo'",
            "did you mean 'shop'"),
        new Case("inputs: [{sql: select 1}]", "inputs[0].connection", "is missing"),
        new Case("inputs: [{files: a, push: true}]", "inputs[0]", "files and push"),
        new Case("inputs: [{}]", "inputs[0]", "has none"),
        new Case("inputs: [{push: false}]", "inputs[0].push", "must be true"),
        new Case(
            "inputs: [{push: true, allow-empty: true}]",
            "inputs[0].allow-empty",
            "never holds back"),
        new Case(
            "inputs: [{files: a, connection: shop}]",
            "inputs[0].connection",
            "belongs to sql inputs"),
        new Case("inputs: [{files: \"in/**\"}]", "inputs[0].files", "after **"),
        new Case("inputs: [push]", "inputs[0]", "section of keys and values", "'push'"),
        new Case("inputs: {files: a}", "inputs", "must be a list"),
        new Case("task: {command: python3 task.py}", "task.command", "must be a list", "no shell"),
        new Case("task: {command: []}", "task.command", "must name a program"),
        new Case("task: {command: [sh, {a: b}]}", "task.command[1]", "is a section"),
        new Case(
            "task: {command: [sh, \"{date}\"]}",
            "task.command[1]",
            "{date}",
            "{partition}",
            "space"),
        new Case(
            "task: {command: [sh], sql: select 1, connection: shop}", "task", "command and sql"),
        new Case("task: {timeout: 1m}", "task", "has none"),
        new Case("task: {command: [sh], timeout: 0s}", "task.timeout", "longer than nothing"),
        new Case(
            "task: {command: [sh], connection: shop}", "task.connection", "belongs to a sql task"),
        new Case(
            "task: {sql: \"delete from t where u = :slice_unti\", connection: shop}",
            "task.sql",
            ":slice_unti",
            "slice_unit"),
        new Case(
            "task: {sql: select 1, connection: shop, replace: {table: t}}",
            "task.replace.where",
            "is missing"),
        new Case(
            "task: {sql: select 1, connection: shop, replace: {table: a b, where: \"u = :slice_unit"
                + " and d = :partition\"}}",
            "task.replace.table",
            "name of one table"),
        new Case(
            "task: {sql: select 1, connection: shop, replace: {table: t, where: \"u ="
                + " :slice_unit\"}}",
            "task.replace.where",
            "must name the partition"),
        new Case(
            "task: {sql: select 1, connection: shop, replace: {table: t, where: \"d ="
                + " :partition\"}}",
            "task.replace.where",
            "lacks :slice_unit"),
        new Case("task: {java: \"not a class\"}", "task.java", "name of a class"));
  }

  static Stream<Case> outputs() {
    return Stream.of(
        new Case("output: {layout: hive}", "output.location", "is missing"),
        new Case("output: {location: out, layout: flat}", "output.layout", "hive, file"),
        new Case("output: {location: out, layout: file}", "output.path", "is missing"),
        new Case("output: {location: out, path: a}", "output.path", "belongs to layout: file"),
        new Case(
            "output: {location: out, commit: marker}", "output.commit", "belongs to layout: file"),
        new Case(
            "output: {location: out, layout: file, path: \"{partition}\"}",
            "output.path",
            "the same for every unit",
            "{slice.unit}"),
        new Case(
            "output: {location: out, layout: file, path: \"{start:yyyy/MM}-{slice.unit}\"}",
            "output.path",
            "2026-01-01 and 2026-01-02"),
        new Case(
            "output: {location: out, layout: file, path: \"{start:MM-dd}-{slice.unit}\"}",
            "output.path",
            "2026-01-01 and 2027-01-01"),
        new Case(
            "output: {location: out, layout: file, path: \"../{partition}-{slice.unit}\"}",
            "output.path",
            "relative path"),
        new Case("output: {location: \"s3://bucket/x\"}", "output.location", "is a URL"),
        new Case("output: {location: \"connection:shop/x\"}", "output.location", "is a database"),
        new Case("output: {location: \"connection:lake/a//b\"}", "output.location", "a prefix"),
        new Case("output: {location: \"connection:lake/../b\"}", "output.location", "a prefix"),
        new Case("output: {location: \"out/{partition}\"}", "output.location", "not known"),
        new Case("output: {location: \"out/{slice.unti}\"}", "output.location", "'unit'"),
        new Case(
            "output: {location: \"connection:lake-{slice.unit}/x\"}",
            "output.location",
            "'lake-b' is not a connection"),
        new Case(
            "output: {location: \"connection:each/x\"}",
            "output.location",
            "'each' has a bucket for each account",
            "connection:each:{slice.<dimension>}"),
        new Case(
            "output: {location: \"connection:lake:{slice.unit}/x\"}",
            "output.location",
            "'lake' has one bucket"),
        new Case(
            "output: {location: \"connection:shpo/x\"}", "output.location", "did you mean 'shop'"));
  }

  // C24; what pipelines have to keep together is in UpstreamInputsTest
  static Stream<Case> upstreams() {
    return Stream.of(
        new Case("inputs: [{upstream: other}]", "inputs[0].upstream", "'other' is no pipeline"),
        new Case("inputs: [{push: true, ready: all}]", "inputs[0].ready", "belongs to upstream"));
  }

  static Stream<Case> notices() {
    return Stream.of(
        new Case("notify: {mail: x}", "notify", "must be a list"),
        new Case("notify: [ops]", "notify[0]", "'ops' is not a channel; there are none"),
        new Case("on-failure: [ops]", "on-failure[0]", "'ops' is not a channel"));
  }

  static Stream<Case> later() {
    return Stream.of(new Case("metrics: {tags: [a]}", "metrics", "not built yet"));
  }

  // B10, c-J9
  static Stream<Case> accounts() {
    return Stream.of(
        new Case("breaker: {after: 3}", "breaker", "needs an account"),
        new Case("weight: {a: 3}", "weight", "needs an account"),
        new Case("weight: {c: 3}\naccount: unit", "weight.c", "'c' is not a value of unit"),
        new Case("weight: {a: 0}\naccount: unit", "weight.a", "at least 1"),
        new Case("weight: {a: 101}\naccount: unit", "weight.a", "at most 100"),
        new Case("breaker: {after: 0}\naccount: unit", "breaker.after", "at least 1"),
        new Case("breaker: {pause: 0s}\naccount: unit", "breaker.pause", "longer than nothing"),
        new Case("breaker: {wait: 1h}\naccount: unit", "breaker.wait", "after, pause"));
  }

  private static Case export(String keys, String key, String... words) {
    return new Case("task: {export: {" + keys + "}}", "task.export" + key, words);
  }

  // B25, B30
  static Stream<Case> exports() {
    String query = "query: \"select 1 as id from t where d = :start and unit = :slice_unit\"";
    String source = "connection: shop, " + query + ", ";
    String columns = "columns: [{name: id, type: bigint}]";
    String good = source + "format: csv, " + columns;
    return Stream.of(
        export(query + ", format: csv, " + columns, ".connection", "is missing"),
        export(
            "connection: lake, " + query + ", format: csv, " + columns, ".connection", "database"),
        export("connection: shop, format: csv, " + columns, ".query", "is missing"),
        export(source + columns, ".format", "is missing", "ndjson, csv, parquet"),
        export(source + "format: parket, " + columns, ".format", "did you mean 'parquet'"),
        export(source + "format: csv", ".columns", "is missing"),
        export(source + "format: csv, columns: []", ".columns", "at least one"),
        export(
            source + "format: csv, columns: [{name: id, type: bigin}]",
            ".columns[0].type",
            "'bigin'",
            "did you mean 'bigint'"),
        export(
            source + "format: csv, columns: [{name: id, type: \"decimal(39,2)\"}]",
            ".columns[0].type",
            "p from 1 to 38"),
        export(
            source + "format: csv, columns: [{name: \"a b\", type: int}]",
            ".columns[0].name",
            "'a b'",
            "letters, digits and _"),
        export(
            source + "format: csv, columns: [{name: id, type: int}, {name: ID, type: int}]",
            ".columns[1].name",
            "columns[0]"),
        export(
            source + "format: csv, columns: [{name: dt, type: date}]",
            ".columns[0].name",
            "partition's folders"),
        export(good + ", part-rows: 0", ".part-rows", "at least 1"),
        export(good + ", part-bytes: 10B", ".part-bytes", "from 1KB to 5GB"),
        export(good + ", part-rows: 5, part-bytes: 1MB", ".part-bytes", "exclude each other"),
        export(good + ", meaning: event", ".meaning", "event-time, activity-stream"),
        export(good + ", load: [duckbd], table: t", ".load[0]", "did you mean 'duckdb'"),
        export(good + ", load: [duckdb]", ".load", "needs the table"),
        export(good + ", table: t", ".table", "belongs to load"),
        export(good + ", load: [duckdb], table: \"t; drop\"", ".table", "'t; drop'"),
        export(good + ", metrics: {tags: [a]}", ".metrics", "not built yet"),
        export(
            "connection: shop, query: \"select 1 as id where :slice_unit = ''\", format: csv, "
                + columns,
            ".query",
            "must name the partition"),
        export(
            "connection: shop, query: \"select 1 as id where d = :start\", format: csv, " + columns,
            ".query",
            "lacks :slice_unit"),
        export(
            "connection: shop, query: \"select :strat where d = :start and :slice_unit = ''\","
                + " format: csv, "
                + columns,
            ".query",
            ":strat",
            "did you mean 'start'"));
  }

  // Issue: partitions run by any Temporal SDK
  static Stream<Case> foreignTasks() {
    return Stream.of(
        new Case("task: {activity: {type: T}}", "task.activity.task-queue", "is missing"),
        new Case("task: {activity: {task-queue: q}}", "task.activity.type", "is missing"),
        new Case("task: {activity: T}", "task.activity", "must be a section"),
        new Case(
            "task: {activity: {type: T, task-queue: q, starts-within: 1m}}",
            "task.activity.starts-within",
            "did you mean 'start-within'"),
        new Case(
            "task: {activity: {type: T, task-queue: /_sys/q}}",
            "task.activity.task-queue",
            "Temporal's own"),
        new Case(
            "task: {activity: {type: T, task-queue: q, heartbeat-within: 0s}}",
            "task.activity.heartbeat-within",
            "at least 1s"),
        new Case(
            "task: {activity: {type: T, task-queue: q, start-within: soon}}",
            "task.activity.start-within",
            "a duration"),
        new Case(
            "task: {workflow: {type: T, task-queue: q, start-within: 2d}}",
            "task.workflow.start-within",
            "at most 12h"),
        new Case("task: {workflow: {type: T}}", "task.workflow.task-queue", "is missing"),
        new Case(
            "task: {workflow: {type: T, task-queue: q, heartbeat-within: 1m}}",
            "task.workflow.heartbeat-within",
            "not a known key"));
  }

  static Stream<Case> keys() {
    return Stream.of(
        new Case("lookbak: 3", "lookbak", "not a known key", "did you mean 'lookback'"),
        new Case("late_data: {accept: 60d}", "late_data", "did you mean 'late-data'"),
        new Case("zzz: 1", "zzz", "known here are name, partitions"),
        new Case("order: ${ORDER}", "order", "no variable ORDER", "${ORDER:-...}"),
        new Case("order: ${9}", "order", "'${9}' is not a variable"),
        new Case("order: \"${file:no/such}\"", "order", "no/such cannot be read"),
        new Case("account:", "account", "is empty"));
  }

  @ParameterizedTest
  @MethodSource({
    "partitions",
    "slices",
    "accountIds",
    "pace",
    "integration",
    "texts",
    "outputs",
    "upstreams",
    "notices",
    "later",
    "accounts",
    "exports",
    "foreignTasks",
    "keys"
  })
  void isRefusedAtItsLineWithItsRule(Case bad) throws IOException {
    List<Problem> problems = ConfigurationFile.in(folder).problems(bad.yaml());

    assertThat(problems).as(bad.yaml()).hasSize(1);
    Problem problem = problems.get(0);
    assertThat(problem.key()).isEqualTo("pipelines[0]." + bad.key());
    assertThat(problem.line()).isEqualTo(bad.line());
    assertThat(problem.message()).contains(bad.words());
  }
}
