package dev.tidemark.starter.objects;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.activities.index.ledger.NewEdit;
import dev.tidemark.activities.index.object.Edit;
import dev.tidemark.activities.index.serve.ObjectReader;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Who;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.index.ObjectType;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code objects edit}: one edit of one object, durable when it returns (D7). */
@Command(
    name = "edit",
    description = "Sets properties of an object, makes one, or deletes one.",
    footer = {
      "%nDurable when it returns, and in every answer from then on that is asked for after its"
          + " offset.",
      "An empty value is null."
    })
public final class EditCommand implements Callable<Integer> {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Workspace workspace;

  @Parameters(index = "0", paramLabel = "TYPE", description = "The object type.")
  private String type = "";

  @Parameters(index = "1", paramLabel = "KEY", description = "Its key.")
  private String key = "";

  @Option(
      names = "--set",
      paramLabel = "P=V",
      description = "Sets a property; may be given several times.")
  private Map<String, String> values = new LinkedHashMap<>();

  @Option(names = "--create", description = "Makes an object that is not there.")
  private boolean create;

  @Option(names = "--delete", description = "Deletes it.")
  private boolean delete;

  @Option(
      names = "--request-id",
      paramLabel = "ID",
      description = "Sent again with the same id, it is the same edit (default: a new one).")
  private @Nullable String requestId;

  public EditCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  /** The edit as JSON. */
  record View(
      @JsonProperty("object_type") String objectType, String key, String action, long offset) {}

  @Override
  public Integer call() throws Exception {
    if ((create && delete)
        || (delete && !values.isEmpty())
        || (!create && !delete && values.isEmpty())) {
      throw CommandFailure.usage(
          "--set", "say one of --set P=V, --create with or without --set, and --delete");
    }
    try (Session session = workspace.open(workspace.configuration(), Services.Need.LEDGER);
        ObjectReader reader = session.objects(type, workspace.clock())) {
      Edit edit =
          reader.edit(
              type,
              new NewEdit(
                  requestId == null ? UUID.randomUUID().toString() : requestId,
                  key,
                  action(),
                  json(reader.type(type).orElseThrow()),
                  Who.asks()));
      View view =
          new View(type, edit.key(), edit.action().name().toLowerCase(Locale.ROOT), edit.offset());
      workspace
          .console()
          .result(view, () -> "edit %d of '%s' is made".formatted(view.offset(), view.key()));
    }
    return ExitCode.DONE.code();
  }

  private Edit.Action action() {
    return delete ? Edit.Action.DELETE : create ? Edit.Action.CREATE : Edit.Action.SET;
  }

  private ObjectNode json(ObjectType definition) {
    ObjectNode json = JSON.createObjectNode();
    values.forEach((name, text) -> json.set(name, value(definition, name, text)));
    return json;
  }

  /** What the shell gives is text; that is what most values are in JSON, or read from. */
  private static JsonNode value(ObjectType definition, String name, String text) {
    if (text.isEmpty()) {
      return JSON.nullNode();
    }
    ColumnType.Kind kind =
        definition.properties().stream()
            .filter(property -> property.name().equals(name))
            .map(property -> property.type().kind())
            .findFirst()
            .orElse(ColumnType.Kind.STRING);
    if (kind != ColumnType.Kind.BOOLEAN && kind != ColumnType.Kind.JSON) {
      return JSON.getNodeFactory().textNode(text);
    }
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw CommandFailure.usage("--set", "'%s' of '%s' is not JSON".formatted(text, name));
    }
  }
}
