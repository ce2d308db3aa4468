package dev.tidemark.activities.ledger.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.workflows.pipeline.PipelineDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fingerprint of a definition (A14.5, A-g6). */
class DefinitionDocumentTest {
  private static final String TEMPLATE =
      """
      {"name":"sales",
       "extent":{"partitions":{"every":"day","zone":"UTC","start":"2026-01-01","end":null},
         "slices":[],"account":null,"closure":{"kind":"after-delay","delay":"PT1H"},"keep":null},
       "inputs":[{"kind":"files","glob":"in/{partition}.csv","allowEmpty":false}],
       "integration":{"lookback":[],"accept":"P60D","strategy":"CURRENT_FIRST","stateful":false,
         "frozen":false,"onDefinitionChange":"ASK"},
       "pace":{"sweep":{"kind":"every","interval":"PT15M"},"order":"NEWEST_FIRST",
         "catchUp":{"kind":"all"},
         "limits":{"partitions":10,"duration":"PT10M","parallel":20,"perAccount":null,
           "perAccountParallel":null,"backfillSharePercent":50},
         "retry":{"attempts":3,"backoff":"PT10S","maxBackoff":"PT5M","thenAfter":"PT15M",
           "giveUpAfter":10},
         "freshness":null},
       "task":{"kind":"sql","sql":"insert","connection":"shop","replace":null,"timeout":"PT1H"},
       "output":{"layout":"hive","location":"./out"}}
      """;

  private static String fingerprint(String json) {
    return DefinitionDocument.fingerprint(DefinitionDocument.parse(json));
  }

  /**
   * What is in the ledgers and manifests of those who use it: if this changes, everything that they
   * have was made with "an older definition" after an upgrade.
   */
  @Test
  void doesNotChangeFromOneVersionToTheNext() {
    assertThat(fingerprint(TEMPLATE))
        .isEqualTo("b53771a9557122f27dbf7245366301ec8e74bc7f57e8d5333d5cc1aee7e7cac5");
  }

  @Test
  void ofATaskOfAnotherSdkItHasTheTypeAndTheQueueAndNoTimes() {
    String task =
        "{\"kind\":\"activity\",\"type\":\"T\",\"taskQueue\":\"q\",\"startWithin\":\"PT10M\","
            + "\"heartbeatWithin\":\"PT1M\",\"timeout\":\"PT1H\"}";
    String definition = TEMPLATE.replaceFirst("\"task\":\\{[^}]*}", "\"task\":" + task);

    assertThat(fingerprint(definition.replace("PT10M\",\"heart", "PT9M\",\"heart")))
        .isEqualTo(fingerprint(definition));
    assertThat(fingerprint(definition.replace("\"q\"", "\"other\"")))
        .isNotEqualTo(fingerprint(definition));
    assertThat(fingerprint(definition.replace("activity", "workflow")))
        .isNotEqualTo(fingerprint(definition));
  }

  @Test
  void doesNotDependOnTheOrderOfTheMembers() {
    PipelineDefinition definition = DefinitionDocument.parse(TEMPLATE);

    assertThat(
            DefinitionDocument.hash(DefinitionDocument.tree("{\"a\":1,\"b\":{\"c\":2,\"d\":3}}")))
        .isEqualTo(
            DefinitionDocument.hash(DefinitionDocument.tree("{\"b\":{\"d\":3,\"c\":2},\"a\":1}")));
    assertThat(
            fingerprint(
                TEMPLATE.replace(
                    "\"kind\":\"files\",\"glob\":\"in/{partition}.csv\",\"allowEmpty\":false",
                    "\"allowEmpty\":false,\"glob\":\"in/{partition}.csv\",\"kind\":\"files\"")))
        .isEqualTo(DefinitionDocument.fingerprint(definition));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"sql\":\"insert\" | \"sql\":\"insert again\"",
        "\"connection\":\"shop\" | \"connection\":\"other\"",
        "\"replace\":null | \"replace\":{\"table\":\"t\",\"where\":\"d = :partition\"}",
        "in/{partition}.csv | in/{partition}.txt",
        "\"allowEmpty\":false | \"allowEmpty\":true",
        "./out | ./elsewhere",
        "\"layout\":\"hive\" | \"layout\":\"file\",\"path\":\"{partition}\",\"commit\":\"ATOMIC\""
      })
  void changesWithWhatChangesTheContent(String before, String after) {
    assertThat(TEMPLATE).contains(before);
    assertThat(fingerprint(TEMPLATE.replace(before, after))).isNotEqualTo(fingerprint(TEMPLATE));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"timeout\":\"PT1H\" | \"timeout\":\"PT2H\"",
        "\"partitions\":10 | \"partitions\":11",
        "\"attempts\":3 | \"attempts\":4",
        "\"interval\":\"PT15M\" | \"interval\":\"PT1H\"",
        "NEWEST_FIRST | OLDEST_FIRST",
        "\"delay\":\"PT1H\" | \"delay\":\"PT2H\"",
        "\"onDefinitionChange\":\"ASK\" | \"onDefinitionChange\":\"RERUN\"",
        "\"replace\":null, | ''"
      })
  void staysWithWhatDoesNot(String before, String after) {
    assertThat(TEMPLATE).contains(before);
    assertThat(fingerprint(TEMPLATE.replace(before, after))).isEqualTo(fingerprint(TEMPLATE));
  }
}
