package dev.tidemark.activities.store;

/**
 * Names one attempt's staging.
 *
 * @param partition unique within the area, safe as a file name
 * @param token the attempt's fencing token
 */
public record StagingId(StagingArea area, String partition, long token) {
  /** The folder's name: partition and token. */
  public String name() {
    return partition + "-" + token;
  }

  /** Whether a folder of this name is an earlier attempt's at the same partition. */
  public boolean isEarlier(String folder) {
    int dash = folder.lastIndexOf('-');
    if (dash < 0 || !folder.substring(0, dash).equals(partition)) {
      return false;
    }
    String digits = folder.substring(dash + 1);
    return digits.matches("[0-9]{1,18}") && Long.parseLong(digits) < token;
  }
}
