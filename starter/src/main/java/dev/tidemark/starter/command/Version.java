package dev.tidemark.starter.command;

import picocli.CommandLine.IVersionProvider;

/** The version, from the manifest of the jar. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {"tidemark " + (version == null ? "(not packaged)" : version)};
  }
}
