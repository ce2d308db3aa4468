package dev.tidemark.activities.export.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** What an account may be called; some of it has tried to break out of a script before. */
final class OddTexts {
  private static final List<String> ATTACKS =
      List.of(
          "'; drop table events; --",
          "\\'; drop table events; --",
          "''); drop table events; --",
          "\\\\' or 1 = 1; --",
          "*/ drop table events; /*",
          "x\n'; drop table events; --\\",
          "-- \r drop table events;",
          "\u2028drop table events;\u2029\u0085drop table events;\f",
          "$$; drop table events; $$",
          "$tag$ $1 $0 ${x} #{x} {{ x }} {x}",
          ":'x' :x @x &x %s %27 \\u0027 \\x27 \\047",
          "` \" ' \\ ; , ( ) [ ] /",
          "e'x' N'x' r'x' '''x''' \"\"\"x\"\"\"",
          "it's \\ \"odd\"",
          "../..",
          "*",
          " ",
          "NULL",
          "__HIVE_DEFAULT_PARTITION__x",
          "dt=2026-01-01",
          "😀 é 中文 \u202e \u200b\ufeff",
          "tab\tbell\u0007escape\u001b",
          "\\");

  private static final List<String> PIECES =
      List.of("'", "\"", "`", "\\", ";", "--", "/*", "*/", "$$", "\n", "\r", "%", "a", "é", " ");

  private OddTexts() {}

  /** All of them, and as many of random pieces as asked for, always the same ones. */
  static List<String> with(int random) {
    List<String> all = new ArrayList<>(ATTACKS);
    Random dice = new Random(6);
    for (int i = 0; i < random; i++) {
      StringBuilder text = new StringBuilder();
      IntStream.range(0, 1 + dice.nextInt(8))
          .forEach(piece -> text.append(PIECES.get(dice.nextInt(PIECES.size()))));
      all.add(text.toString());
    }
    return all.stream().distinct().toList();
  }
}
