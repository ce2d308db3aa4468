package dev.tidemark.workflows.pipeline;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/**
 * What stands for an account in the names and manifests of outputs, where its own value would tell
 * too much: an identifier that says nothing and cannot be guessed (B24).
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = AccountId.Column.class, name = "column"),
  @JsonSubTypes.Type(value = AccountId.KeyedHash.class, name = "keyed-hash")
})
public sealed interface AccountId {

  /** The value of another column of the slices, which is in no output by itself. */
  record Column(String column) implements AccountId {}

  /**
   * HMAC-SHA-256 of the account's value.
   *
   * @param check tells the key from others and says nothing else of it: who has the key is asked
   *     for it by this
   */
  record KeyedHash(String check) implements AccountId {}
}
