package dev.tidemark.activities.alert;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What one notification says, also as JSON: the partitions of one pipeline that one look found
 * wrong by one rule, or found well again. Each partition is in one alert and in one recovery.
 *
 * @param count of all that it is about; at most {@value #MOST_LISTED} are listed, the oldest first
 * @param at database's clock
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Message(
    @JsonProperty("kind") Kind kind,
    @JsonProperty("rule") AlertRule rule,
    @JsonProperty("pipeline") String pipeline,
    @JsonProperty("at") Instant at,
    @JsonProperty("count") int count,
    @JsonProperty("about") List<Subject> about) {
  static final int MOST_LISTED = 20;

  public Message {
    about = List.copyOf(about);
  }

  /** Of everything that it is about. */
  static Message of(Kind kind, AlertRule rule, String pipeline, Instant at, List<Subject> all) {
    List<Subject> listed = all.subList(0, Math.min(MOST_LISTED, all.size()));
    return new Message(kind, rule, pipeline, at, all.size(), listed);
  }

  /** In one line, for people. */
  @JsonProperty("text")
  public String text() {
    Subject first = about.get(0);
    String what =
        switch (rule) {
          case FRESHNESS -> kind == Kind.ALERT ? "overdue" : "overdue no more";
          case FAILED -> kind == Kind.ALERT ? "failed" : "failed no more";
          case PARKED -> kind == Kind.ALERT ? "parked" : "parked no more";
          case BREAKER -> kind == Kind.ALERT ? "left alone" : "left alone no more";
        };
    String others = count == 1 ? "" : " and " + (count - 1) + " more";
    String why = first.detail() == null ? "" : ": " + first.detail();
    return "%s: %s%s %s%s".formatted(pipeline, first.name(), others, what, why);
  }

  /** Which of the two. */
  public enum Kind {
    ALERT,
    RECOVERY;

    @JsonValue
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One partition, or one account.
   *
   * @param slice canonical text, empty where there is none
   * @param detail why, or why no more; null where there is nothing to say
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Subject(
      @JsonProperty("partition") String partition,
      @JsonProperty("slice") String slice,
      @JsonProperty("account") String account,
      @JsonProperty("detail") @Nullable String detail) {

    String name() {
      return account.isEmpty() ? (partition + " " + slice).strip() : "account " + account;
    }
  }
}
