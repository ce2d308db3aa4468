package dev.tidemark.workflows.index;

/** The ids of the workflows and schedules of object types. */
public final class ObjectsIds {
  private ObjectsIds() {}

  /** The schedule that keeps the live index up to date; its runs add the time. */
  public static String live(String objectType) {
    return "tidemark/objects/" + objectType + "/live";
  }

  /** The run that commits and people wake. */
  public static String wake(String objectType) {
    return "tidemark/objects/" + objectType + "/wake";
  }

  /** A run that a person waits for. */
  public static String build(String objectType, String request) {
    return "tidemark/objects/" + objectType + "/build/" + request;
  }

  /** The building of a replacement. */
  public static String replacement(String objectType, int revision) {
    return "tidemark/objects/" + objectType + "/replacement/" + revision;
  }
}
