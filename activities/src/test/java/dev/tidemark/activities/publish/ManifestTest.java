package dev.tidemark.activities.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ManifestTest {
  private static Manifest withToken(String token) throws JsonProcessingException {
    return Json.read(
        "{\"format_version\": 1, \"pipeline\": \"sales\", \"partition\": \"2026-01-01\","
            + " \"slice\": {}, \"files\": [], \"token\": "
            + token
            + "}",
        Manifest.class);
  }

  // Taken in, one such marker would use up the tokens of every later attempt of every pipeline.
  @Test
  void aTokenThatNoLedgerCanHaveIssuedIsNobodys() throws JsonProcessingException {
    for (String token : new String[] {"0", "-5", "1125899906842625", "9223372036854775807"}) {
      assertThat(withToken(token).isOf("sales", "2026-01-01", Map.of())).as(token).isFalse();
    }
    assertThat(withToken("1125899906842624").isOf("sales", "2026-01-01", Map.of())).isTrue();
    assertThat(withToken("7").isOf("sales", "2026-01-02", Map.of())).isFalse();
  }

  @Test
  void nullIsNoManifest() {
    assertThatThrownBy(() -> Json.read("null", Manifest.class))
        .isInstanceOf(JsonProcessingException.class);
  }
}
