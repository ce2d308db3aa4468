package dev.tidemark.activities.index.build;

import dev.tidemark.activities.index.ledger.Builds;
import dev.tidemark.activities.index.ledger.Edits;
import dev.tidemark.activities.index.ledger.ObjectIndex;
import dev.tidemark.activities.index.ledger.ObjectIndexes;
import dev.tidemark.activities.index.ledger.Transactions;
import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.index.segment.SegmentFiles;
import dev.tidemark.activities.index.source.Sources;
import dev.tidemark.activities.index.stage.ChangelogStage;
import dev.tidemark.activities.index.stage.EditFeed;
import dev.tidemark.activities.index.stage.IndexStage;
import dev.tidemark.activities.index.stage.MergeStage;
import dev.tidemark.activities.index.stage.StageManifest;
import dev.tidemark.activities.index.stage.Watch;
import dev.tidemark.activities.index.stage.Workplace;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.Scratch;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.workflows.index.Build;
import dev.tidemark.workflows.index.Datasource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stages of a build, out of what the ledger knows of it. Each asks for those before it, which
 * find what they have published.
 */
final class BuildStages {
  private static final Logger LOG = LoggerFactory.getLogger(BuildStages.class);
  private static final int EDITS_AT_ONCE = 1_000;

  private final ObjectIndexes indexes;
  private final Builds builds;
  private final Transactions transactions;
  private final Edits edits;
  private final Sources sources;
  private final Stores stores;
  private @Nullable SegmentFiles segments;

  BuildStages(DataSource ledger, Sources sources, Stores stores) {
    this.indexes = new ObjectIndexes(ledger);
    this.builds = new Builds(ledger);
    this.transactions = new Transactions(ledger);
    this.edits = new Edits(ledger);
    this.sources = sources;
    this.stores = stores;
  }

  /** With a folder for segments of the caller's. */
  BuildStages(DataSource ledger, Sources sources, Stores stores, SegmentFiles segments) {
    this(ledger, sources, stores);
    this.segments = segments;
  }

  StageManifest changelog(Build build, String datasource, Watch watch) throws IOException {
    Site site = site(build, watch);
    return changelog(build, site, site.named(datasource));
  }

  StageManifest merge(Build build, Watch watch) throws IOException {
    Site site = site(build, watch);
    return merge(site, changelogs(build, site));
  }

  Indexed index(Build build, Watch watch) throws IOException {
    Site site = site(build, watch);
    List<StageManifest> changelogs = changelogs(build, site);
    prune(site.place().segments());
    IndexManifest manifest =
        IndexStage.run(site.build(), site.place(), merge(site, changelogs), changelogs);
    return new Indexed(manifest, IndexStage.address(site.build(), site.place()));
  }

  /**
   * A generation.
   *
   * @param address of its manifest
   */
  record Indexed(IndexManifest manifest, String address) {
    Builds.Made made() {
      return new Builds.Made(address, manifest.changed(), manifest.objects());
    }
  }

  /** A build, and where its stages work. */
  private record Site(
      ObjectIndex index, dev.tidemark.activities.index.stage.Build build, Workplace place) {
    int named(String datasource) {
      List<String> names = index.type().datasources().stream().map(Datasource::name).toList();
      return names.indexOf(datasource);
    }
  }

  private Site site(Build build, Watch watch) throws IOException {
    ObjectIndex index = indexes.get(build.index());
    OutputStore store = stores.open(index.type().location());
    return new Site(
        index,
        new dev.tidemark.activities.index.stage.Build(
            index.type(),
            build.index(),
            build.generation(),
            build.token(),
            builds.throughEdit(build),
            build.full() ? null : manifest(store, index)),
        new Workplace(store, segments(), watch));
  }

  /** A process that builds nothing needs no folder for it. */
  private synchronized SegmentFiles segments() throws IOException {
    SegmentFiles made = segments;
    if (made == null) {
      made = new SegmentFiles(Scratch.folder("segments"));
      segments = made;
    }
    return made;
  }

  /** A worker lives longer than most indexes: what it has of those that are gone goes. */
  private void prune(SegmentFiles kept) {
    try {
      kept.keepOnly(indexes.building());
    } catch (IOException e) {
      LOG.warn("cannot remove files of indexes that are gone; tried with the next build", e);
    }
  }

  private static IndexManifest manifest(OutputStore store, ObjectIndex index) throws IOException {
    return IndexManifest.at(
        store, index.type().name(), index.id(), String.valueOf(index.built().manifest()));
  }

  private List<StageManifest> changelogs(Build build, Site site) throws IOException {
    List<StageManifest> changelogs = new ArrayList<>();
    for (int i = 0; i < site.index().type().datasources().size(); i++) {
      changelogs.add(changelog(build, site, i));
    }
    return changelogs;
  }

  private StageManifest changelog(Build build, Site site, int datasource) throws IOException {
    Datasource source = site.index().type().datasources().get(datasource);
    return ChangelogStage.run(
        site.build(),
        site.place(),
        datasource,
        transactions.of(build, source.name()),
        sources.reader(site.index().type(), source));
  }

  private StageManifest merge(Site site, List<StageManifest> changelogs) throws IOException {
    return MergeStage.run(site.build(), site.place(), changelogs, feed(site.index()));
  }

  private EditFeed feed(ObjectIndex index) {
    return (after, through, sink) -> {
      for (long offset = after; offset < through; ) {
        int most = (int) Math.min(EDITS_AT_ONCE, through - offset);
        Edits.Page page = edits.after(index, offset, most);
        for (dev.tidemark.activities.index.object.Edit edit : page.edits()) {
          sink.edit(edit);
        }
        offset += most;
      }
    };
  }
}
