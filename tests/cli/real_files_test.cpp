// Files that others published, as they are: `new` looks at each, and one command trains.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "support/program.h"
#include "support/real_data.h"
#include "support/scratch.h"
#include "support/shell.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using testing::data_folder;
using testing::has_real_data;
using testing::run_program;
using testing::Scratch;

struct Published {
  std::string file, options;      // what `new` is told beside the file
  std::vector<std::string> told;  // by `new`
  std::string ran, headings;      // told by the run: before it starts, and of its table
};

}  // namespace

TEST_CASE("published files are looked at by new and trained by one command") {
  if (!has_real_data({"klue-dev/klue-sts-v1.1_dev.json", "klue-dev/klue-nli-v1.1_dev.json",
                      "ud-ko/ko_gsd-ud-train.conllu", "korean-hate-speech/train.tsv",
                      "stylekqc/act-train.tsv"}))
    return;
  const std::string hate = data_folder() + "/korean-hate-speech/";
  const Published files[] = {
      {"stylekqc/act-train.tsv",
       "",
       {"TSV in UTF-8, with a header, 24000 rows", "text \"sentence\", label \"act\"",
        "4 labels: 0 6000 (25.0 %)",
        "24 texts stand more than once, 0 of them with different labels"},
       "differences in accuracy from 2.6 points on",
       "accuracy"},
      {"klue-dev/klue-nli-v1.1_dev.json",
       "",
       {"JSON in UTF-8, 3000 rows", "text \"premise\", pair \"hypothesis\", label \"gold_label\"",
        "3 labels: contradiction 1000 (33.3 %)"},
       "measured by 300 examples",
       "Matthews"},
      {"klue-dev/klue-sts-v1.1_dev.json",
       "",
       {"519 rows", "text \"sentence1\", pair \"sentence2\", label \"labels.label\"",
        "labels: numbers, to be found as such"},
       "519 rows",
       "Pearson"},
      {"korean-hate-speech/train.tsv",
       "--test " + hate + "dev.tsv --column label=hate",
       {"7896 rows", "text \"comments\", label \"hate\"", "471 to measure on (test)",
        "3 labels: none 3646 (43.6 %), offensive 2688 (32.1 %), hate 2033 (24.3 %)"},
       "measured by 471 examples",
       "macro-F1"},
      {"ud-ko/ko_gsd-ud-train.conllu",
       "",
       {"CoNLL-U (column upos) in UTF-8, 4400 sentences", "16 labels: NOUN 22915 (40.4 %)"},
       "4400 sentences",
       "entity F1"},
  };
  const Scratch scratch;
  int number = 0;
  for (const Published& one : files) {
    const std::string experiment = scratch / ("e" + std::to_string(++number) + ".json");
    const auto looked = run_program("new " + data_folder() + "/" + one.file + " " + one.options +
                                    " --out " + experiment);
    INFO(one.file << "\n" << looked.out << looked.err);
    REQUIRE(looked.status == 0);
    for (const std::string& line : one.told) CHECK_THAT(looked.out + looked.err, Contains(line));
    const auto run = run_program("run " + experiment +
                                 " --profile quick --threads 1 --precision fp32 --no-fetch --quiet "
                                 "--arms majority --results " +
                                 scratch / "results");
    INFO(run.out << run.err);
    CHECK(run.status == 0);
    CHECK_THAT(run.err, Contains(one.ran));
    CHECK_THAT(run.out, Contains(one.headings));
    // Of a task that is not measured by shares nothing is said in points.
    const bool shares = one.headings != "Pearson" && one.headings != "entity F1";
    CHECK(contains(run.err, "points on") == shares);
  }
}

TEST_CASE("of three columns that could be the label new asks for one, by their names") {
  if (!has_real_data({"korean-hate-speech/train.tsv"})) return;
  testing::check_refused(
      "new " + data_folder() + "/korean-hate-speech/train.tsv",
      "found the columns contain_gender_bias, bias, hate that could be the label");
}

}  // namespace minibert
