package dev.tidemark.activities.index.stage;

/** What a stage tells while it works, and asks before it writes. */
public interface Watch {

  /** Nobody watches: for tests and for one that is alone. */
  Watch NONE =
      new Watch() {
        @Override
        public void beat() {
          // Nobody listens.
        }

        @Override
        public void confirm(String step) {
          // Nobody else can have taken over.
        }
      };

  /** Says that it is alive; throws whatever ends the work. Called every few thousand rows. */
  void beat();

  /**
   * Whether the build still holds the newest token of its index.
   *
   * @param step what is about to be done, for the message
   * @throws SupersededBuildException if it does not
   */
  void confirm(String step) throws SupersededBuildException;
}
