package dev.tidemark.activities.ledger.claim;

import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.planning.Turns;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads candidates, and has the budget choose among them, until its slots are taken. */
final class Choosing {
  /** Accounts and backfills at their cap are left out and the rest is read again, this often. */
  private static final int MAX_ROUNDS = 20;

  private final Connection connection;
  private final DueAt due;
  private final ClaimBudget budget;
  private final List<ActiveBackfill> backfills;
  private final boolean live;
  private final boolean derived;
  private final Set<Long> seen = new HashSet<>();

  /**
   * @param live whether live work may run
   * @param derived whether what nobody asked for is looked for
   */
  Choosing(
      Connection connection,
      DueAt due,
      ClaimBudget budget,
      List<ActiveBackfill> backfills,
      boolean live,
      boolean derived) {
    this.connection = connection;
    this.due = due;
    this.budget = budget;
    this.backfills = backfills;
    this.live = live;
    this.derived = derived;
  }

  /**
   * What was read.
   *
   * @param complete nothing is left that a cap does not hold back
   */
  private record Reading(List<Candidate> candidates, boolean complete) {}

  List<Candidate> choose() throws SQLException {
    List<Candidate> chosen = new ArrayList<>();
    boolean byAccount = due.pipeline().definition().extent().account() != null;
    for (int round = 0; round < MAX_ROUNDS && budget.slots() > 0; round++) {
      Reading reading = byAccount ? readByAccount(round) : read();
      List<Candidate> candidates = new ArrayList<>(reading.candidates());
      candidates.removeIf(candidate -> seen.contains(candidate.id()));
      List<Candidate> more = budget.choose(candidates);
      more.forEach(candidate -> seen.add(candidate.id()));
      chosen.addAll(more);
      if (reading.complete() || more.isEmpty()) {
        break;
      }
    }
    return chosen;
  }

  private int most() {
    return budget.slots() + seen.size();
  }

  private Reading read() throws SQLException {
    List<String> full = budget.fullAccounts();
    List<ActiveBackfill> open = open();
    boolean complete = true;
    List<Candidate> candidates = new ArrayList<>();
    if (!open.isEmpty()) {
      var asked = AskedCandidates.find(connection, due, open, full, live, most());
      candidates.addAll(asked.candidates());
      complete = asked.complete();
    }
    if (derived) {
      var found = DerivedCandidates.find(connection, due, full, most());
      candidates.addAll(ordered(found));
      complete &= found.complete();
    }
    return new Reading(candidates, complete);
  }

  /** The accounts whose turn comes next, each with as many rows as it may take, or nearly. */
  private Reading readByAccount(int round) throws SQLException {
    List<String> full = budget.fullAccounts();
    List<ActiveBackfill> open = open();
    Rotation rotation = budget.rotation();
    boolean complete = true;
    List<Candidate> candidates = new ArrayList<>();
    if (!open.isEmpty()) {
      AccountCandidates.Question question = any -> AskedCandidates.walk(any, due, open);
      Set<String> accounts = new LinkedHashSet<>();
      for (Turns turns : List.of(rotation.live(), rotation.backfill())) {
        var next = AccountCandidates.next(connection, question, full, turns, most());
        accounts.addAll(next.accounts());
        complete &= next.complete();
      }
      int each = AccountCandidates.each(most(), accounts.size(), round, rotation.heaviest());
      var asked = AskedCandidates.of(connection, due, open, List.copyOf(accounts), live, each);
      candidates.addAll(asked.candidates());
      complete &= asked.complete();
    }
    if (derived) {
      AccountCandidates.Question question = any -> DerivedCandidates.walk(any, due);
      var next = AccountCandidates.next(connection, question, full, rotation.live(), most());
      int each = AccountCandidates.each(most(), next.accounts().size(), round, rotation.heaviest());
      var found = DerivedCandidates.of(connection, due, next.accounts(), each);
      candidates.addAll(ordered(found));
      complete &= next.complete() && found.complete();
    }
    return new Reading(candidates, complete);
  }

  /** Backfills that may have another partition run. */
  private List<ActiveBackfill> open() {
    return backfills.stream().filter(backfill -> budget.hasRoom(backfill.id())).toList();
  }

  /** In the order of the strategy. */
  private List<Candidate> ordered(DerivedCandidates.Found found) {
    PipelineDefinition definition = due.pipeline().definition();
    return found.ordered(definition.integration().strategy(), definition.pace().order());
  }
}
