package dev.tidemark.activities.task;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.publish.Contents;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** The tasks that this process can run. */
public final class Tasks {
  private final Path folder;
  private final Connections connections;
  private final Map<String, PartitionTask> objects;
  private final Map<String, PartitionTask> instances = new ConcurrentHashMap<>();
  private final Turns turns = new Turns();

  /**
   * @param folder where commands run: the configuration's folder
   * @param objects tasks given as objects, by the name they are registered under
   */
  public Tasks(Path folder, Connections connections, Map<String, PartitionTask> objects) {
    this.folder = folder.toAbsolutePath().normalize();
    this.connections = connections;
    this.objects = Map.copyOf(objects);
  }

  /**
   * What runs a task.
   *
   * @throws TaskFailedException if this process cannot
   */
  TaskRunner runner(TaskSpec spec) throws TaskFailedException {
    if (spec instanceof TaskSpec.Command command) {
      return new CommandTask(folder, command.command());
    }
    if (spec instanceof TaskSpec.Sql sql) {
      return new SqlTask(connections.database(sql.connection()), sql);
    }
    if (spec instanceof TaskSpec.Export export) {
      return new ExportTask(connections.database(export.connection()), export);
    }
    if (spec instanceof TaskSpec.Foreign foreign) {
      throw new TaskFailedException(
          "'" + foreign.type() + "' is run by the workers of task queue " + foreign.taskQueue());
    }
    PartitionTask task = task(((TaskSpec.Java) spec).type());
    return run -> {
      run.in(folder);
      task.run(run);
      return Contents.of(null);
    };
  }

  /** The turns of this process's tasks. */
  Turns turns() {
    return turns;
  }

  private PartitionTask task(String type) throws TaskFailedException {
    PartitionTask object = objects.get(type);
    if (object != null) {
      return object;
    }
    PartitionTask instance = instances.get(type);
    if (instance == null) {
      PartitionTask made = instantiate(type);
      PartitionTask other = instances.putIfAbsent(type, made);
      instance = other == null ? made : other;
    }
    return instance;
  }

  private PartitionTask instantiate(String type) throws TaskFailedException {
    try {
      Class<?> found = load(type);
      if (!PartitionTask.class.isAssignableFrom(found)) {
        throw new TaskFailedException(
            "task.java '" + type + "' does not implement " + PartitionTask.class.getName());
      }
      boolean inner = found.getEnclosingClass() != null && !Modifier.isStatic(found.getModifiers());
      if (inner) {
        throw new TaskFailedException("task.java '" + type + "' is an inner class; make it static");
      }
      return (PartitionTask) found.getConstructor().newInstance();
    } catch (ClassNotFoundException e) {
      throw new TaskFailedException(
          "task.java '"
              + type
              + "' is neither a class on this worker's class path nor one of the tasks given to it: "
              + new TreeSet<>(objects.keySet()));
    } catch (ReflectiveOperationException e) {
      throw new TaskFailedException(
          "task.java '"
              + type
              + "' cannot be made by a public constructor without arguments: "
              + Texts.describe(e.getCause() == null ? e : e.getCause()));
    }
  }

  /** A nested class may be named with a dot, as its source has it. */
  private static Class<?> load(String type) throws ClassNotFoundException {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader loader = context == null ? Tasks.class.getClassLoader() : context;
    try {
      return Class.forName(type, true, loader);
    } catch (ClassNotFoundException e) {
      int dot = type.lastIndexOf('.');
      if (dot < 0) {
        throw e;
      }
      return Class.forName(type.substring(0, dot) + "$" + type.substring(dot + 1), true, loader);
    }
  }
}
