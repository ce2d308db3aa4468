package dev.tidemark.starter.partition;

import dev.tidemark.starter.session.SliceOption;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** At least one partition of a pipeline, in all slices or in some. */
final class PartitionArguments {
  @Parameters(paramLabel = "PIPELINE", index = "0", description = "The pipeline.")
  private String pipeline = "";

  @Parameters(
      paramLabel = "PARTITION",
      index = "1..*",
      arity = "1..*",
      description = "Their labels.")
  private List<String> partitions = new ArrayList<>();

  @Mixin private final SliceOption slice = new SliceOption();

  String pipeline() {
    return pipeline;
  }

  List<String> partitions() {
    return partitions;
  }

  SliceOption slice() {
    return slice;
  }
}
