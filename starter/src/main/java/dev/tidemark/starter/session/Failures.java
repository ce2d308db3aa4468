package dev.tidemark.starter.session;

import dev.tidemark.activities.index.query.QueryRefusal;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.store.StoreException;
import dev.tidemark.starter.output.ErrorView;
import dev.tidemark.worker.configuration.ConfigurationException;
import dev.tidemark.worker.configuration.Problem;
import dev.tidemark.worker.embedded.ServiceUnavailableException;
import dev.tidemark.workflows.ledger.Refusal;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.failure.ApplicationFailure;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The one place where what was thrown becomes an exit code and an error. */
public final class Failures {
  private static final int MAX_CAUSES = 20;

  private Failures() {}

  /** How a command ends. */
  public record Failure(ExitCode exit, ErrorView view) {}

  /** What this failure means: decided by the first in the chain of causes that is known. */
  public static Failure of(Throwable thrown) {
    Throwable cause = thrown;
    for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
      Optional<Failure> known = known(cause);
      if (known.isPresent()) {
        return known.get();
      }
      cause = cause.getCause();
    }
    return failure(
        ExitCode.FAILED,
        "internal",
        "unexpected: " + thrown + "; --verbose shows where it came from",
        null);
  }

  private static Optional<Failure> known(Throwable thrown) {
    if (thrown instanceof CommandFailure failed) {
      return Optional.of(failure(failed.exit(), failed.code(), message(failed), failed.field()));
    }
    if (thrown instanceof ParameterException wrong) {
      return Optional.of(failure(ExitCode.USAGE, "usage", usage(wrong), field(wrong)));
    }
    if (thrown instanceof ConfigurationException wrong) {
      return Optional.of(ofProblems(wrong));
    }
    if (thrown instanceof StoreException failed) {
      return Optional.of(unreachable(message(failed)));
    }
    if (thrown instanceof LedgerRefusal refusal) {
      return Optional.of(ofRefusal(refusal));
    }
    if (thrown instanceof QueryRefusal refusal) {
      return Optional.of(ofQuery(refusal));
    }
    if (thrown instanceof ServiceUnavailableException) {
      return Optional.of(unreachable(message(thrown)));
    }
    if (thrown instanceof SQLException lost && isConnectionLost(lost)) {
      return Optional.of(unreachable("PostgreSQL cannot be reached: " + message(lost)));
    }
    if (thrown instanceof StatusRuntimeException lost
        && lost.getStatus().getCode() == Status.Code.UNAVAILABLE) {
      return Optional.of(unreachable("Temporal cannot be reached: " + message(lost)));
    }
    if (thrown instanceof ApplicationFailure failed) {
      return ofType(failed);
    }
    return Optional.empty();
  }

  private static Failure ofProblems(ConfigurationException wrong) {
    List<ErrorView.ProblemView> problems = wrong.problems().stream().map(Failures::view).toList();
    String field = problems.isEmpty() ? null : problems.get(0).key();
    return new Failure(
        ExitCode.USAGE,
        new ErrorView(new ErrorView.Details("configuration", message(wrong), field, problems)));
  }

  private static ErrorView.ProblemView view(Problem problem) {
    return new ErrorView.ProblemView(
        problem.file().toString(),
        problem.line(),
        problem.column(),
        problem.key(),
        problem.message());
  }

  private static Failure ofRefusal(LedgerRefusal refusal) {
    return switch (refusal.kind()) {
      case INVALID -> failure(ExitCode.USAGE, "usage", message(refusal), refusal.field());
      case UNKNOWN_PIPELINE ->
          failure(ExitCode.USAGE, "unknown_pipeline", message(refusal), refusal.field());
      case REFUSED -> failure(ExitCode.REFUSED, "refused", message(refusal), refusal.field());
    };
  }

  private static Failure ofQuery(QueryRefusal refusal) {
    return switch (refusal.kind()) {
      case INVALID -> failure(ExitCode.USAGE, "usage", message(refusal), refusal.field());
      case NOT_FOUND -> failure(ExitCode.FAILED, "not_found", message(refusal), refusal.field());
      case CONFLICT, GONE ->
          failure(ExitCode.REFUSED, "refused", message(refusal), refusal.field());
      case NOT_READY -> failure(ExitCode.FAILED, "not_ready", message(refusal), refusal.field());
    };
  }

  /** A refusal that came back through Temporal. */
  private static Optional<Failure> ofType(ApplicationFailure failed) {
    String message = failed.getOriginalMessage();
    String field =
        failed.getDetails().getSize() == 0 ? null : failed.getDetails().get(String.class);
    return switch (failed.getType()) {
      case Refusal.INVALID -> Optional.of(failure(ExitCode.USAGE, "usage", message, field));
      case Refusal.UNKNOWN_PIPELINE ->
          Optional.of(failure(ExitCode.USAGE, "unknown_pipeline", message, field));
      case Refusal.REFUSED -> Optional.of(failure(ExitCode.REFUSED, "refused", message, field));
      default -> Optional.empty();
    };
  }

  /** By SQLState, never by text: class 08 and the administrator's shutdowns of class 57. */
  private static boolean isConnectionLost(SQLException lost) {
    String state = lost.getSQLState();
    return state != null && (state.startsWith("08") || state.startsWith("57P"));
  }

  private static Failure unreachable(String message) {
    return failure(ExitCode.UNREACHABLE, "unreachable", message, null);
  }

  private static Failure failure(
      ExitCode exit, String code, String message, @Nullable String field) {
    return new Failure(exit, new ErrorView(new ErrorView.Details(code, message, field, List.of())));
  }

  private static String usage(ParameterException wrong) {
    if (!(wrong instanceof UnmatchedArgumentException extra)
        || extra.isUnknownOption()
        || extra.getUnmatched().isEmpty()) {
      return message(wrong);
    }
    String first = extra.getUnmatched().get(0);
    if (extra.getCommandLine().getSubcommands().isEmpty()) {
      return "'" + first + "' is one argument too many";
    }
    List<String> near = extra.getSuggestions();
    return "there is no command '"
        + first
        + "'"
        + (near.isEmpty() ? "" : "; did you mean '" + near.get(0) + "'?");
  }

  private static @Nullable String field(ParameterException wrong) {
    if (wrong instanceof MissingParameterException missing && !missing.getMissing().isEmpty()) {
      return name(missing.getMissing().get(0));
    }
    if (wrong instanceof UnmatchedArgumentException extra && !extra.getUnmatched().isEmpty()) {
      return extra.getUnmatched().get(0);
    }
    return name(wrong.getArgSpec());
  }

  private static @Nullable String name(@Nullable ArgSpec argument) {
    if (argument instanceof OptionSpec option) {
      return option.longestName();
    }
    return argument == null ? null : argument.paramLabel();
  }

  private static String message(Throwable thrown) {
    String message = thrown.getMessage();
    return message == null ? thrown.toString() : message;
  }
}
