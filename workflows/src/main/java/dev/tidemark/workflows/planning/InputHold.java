package dev.tidemark.workflows.planning;

/**
 * Why a partition cannot read its inputs now.
 *
 * @param reason {@code NO_INPUT} or {@code UPSTREAM_NOT_READY}
 * @param detail what is waited for, such as {@code sales 2026-03-01 (running)}; bounded, may be
 *     empty
 */
public record InputHold(Reason reason, String detail) {
  /** A required input is not there. */
  public static final InputHold NO_INPUT = new InputHold(Reason.NO_INPUT, "");

  /** The upstream is not ready. */
  public static InputHold upstream(String detail) {
    return new InputHold(Reason.UPSTREAM_NOT_READY, detail);
  }
}
