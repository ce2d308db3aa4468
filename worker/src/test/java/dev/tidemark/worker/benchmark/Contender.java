package dev.tidemark.worker.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;

/** One way to run partitions, with what its runs took so far. */
final class Contender {

  /** The way. */
  interface Way {
    /** What is not measured. */
    default void prepare() {}

    /** What is. */
    void run() throws Exception;
  }

  private final String name;
  private final Way way;
  private final int partitions;
  private final List<Double> rates = new ArrayList<>();
  private final List<CpuTime> cpu = new ArrayList<>();

  Contender(String name, Way way, int partitions) {
    this.name = name;
    this.way = way;
    this.partitions = partitions;
  }

  String name() {
    return name;
  }

  /** Runs it once. */
  void run(DataSource ledger) throws Exception {
    way.prepare();
    CpuTime before = CpuTime.now(ledger);
    long began = System.nanoTime();
    way.run();
    rates.add(partitions / ((System.nanoTime() - began) / 1e9));
    cpu.add(CpuTime.now(ledger).minus(before));
    Figures.note(name + ": " + lastRun());
  }

  /** What was measured so far was only to warm up. */
  void forget() {
    rates.clear();
    cpu.clear();
  }

  private String lastRun() {
    int last = rates.size() - 1;
    return String.format(Locale.ROOT, "%.0f/s, ", rates.get(last)) + cpu.get(last).per(partitions);
  }

  /** Partitions per second: the median of the runs. */
  double rate() {
    return Figures.median(rates);
  }

  /** Of each of its runs: the rate, divided by that of the other's run beside it. */
  double rateRatioTo(Contender other) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < rates.size(); i++) {
      ratios.add(rates.get(i) / other.rates.get(i));
    }
    return Figures.median(ratios);
  }

  CpuTime cpu() {
    return cpu.stream().reduce(CpuTime.NONE, CpuTime::plus);
  }

  String summary() {
    return String.format(Locale.ROOT, "%.0f/s, ", rate()) + cpu().per(partitions * cpu.size());
  }
}
