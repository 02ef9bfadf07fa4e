// Which examples belong together.
#include "data/splits/clusters.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <set>

#include "core/error.h"
#include "data/splits/example_kind.h"
#include "support/message.h"
#include "support/real_data.h"
#include "support/scratch.h"

namespace minibert {
namespace {

TEST_CASE("questions belong to their article, or to their paragraph where it has no title") {
  KorquadSet set;
  set.paragraphs = {{"세종", "가", {{"1", "", "", 0}, {"2", "", "", 0}}},
                    {"세종", "나", {{"3", "", "", 0}}},
                    {"", "다", {{"4", "", "", 0}, {"5", "", "", 0}}},
                    {"", "라", {{"6", "", "", 0}}}};
  CHECK(clusters_of(set) ==
        ClusterOfExample{
            {"1", "세종"}, {"2", "세종"}, {"3", "세종"}, {"4", "4"}, {"5", "4"}, {"6", "6"}});
}

TEST_CASE("labelled examples belong to the first with the same first text") {
  std::vector<LabelledExample> examples(4);
  for (size_t i = 0; i < examples.size(); ++i) examples[i].id = "test-" + std::to_string(i + 1);
  examples[0].text = "비가 온다", examples[0].pair = "날이 맑다";
  examples[1].text = "눈이 온다";
  examples[2].text = "비가 온다", examples[2].pair = "땅이 젖는다";
  examples[3].text = "비가 온다 ";
  CHECK(clusters_in_order(examples) ==
        std::vector<std::string>{"test-1", "test-2", "test-1", "test-4"});
  CHECK(clusters_of(examples).at("test-3") == "test-1");
}

TEST_CASE(
    "a data set holds the examples of its files' kinds, a table's where its columns are known") {
  DataSet set;
  for (const char* kind : {"tags", "text", "korquad", "table", "korquad"}) {
    DataFile file;
    file.kind = kind;
    set.files.push_back(file);
  }
  CHECK(example_kinds(set) == std::vector{ExampleKind::questions, ExampleKind::tagged});
  set.table = TableLayout();
  CHECK(example_kinds(set) ==
        std::vector{ExampleKind::questions, ExampleKind::labelled, ExampleKind::tagged});
  set.files.resize(2);
  CHECK(example_kinds(set) == std::vector{ExampleKind::tagged});
}

TEST_CASE(
    "a registered data set tells its clusters by id; others are unknown, missing ones an error") {
  auto clusters = registered_clusters();
  CHECK(clusters("sample").size() > 10);
  CHECK(clusters("my own files").empty());
  CHECK(clusters("kowiki-everyday").empty());  // text, whose examples are no file's
  const testing::Scratch nothing;
  CHECK_THAT(testing::message_of([&] { registered_clusters(nothing.path())("nsmc-official"); }),
             Catch::Contains("nsmc-official"));
}

TEST_CASE("a list beside the registry tells the clusters of data that are not there") {
  const testing::Scratch folder;
  std::filesystem::create_directories(folder / "clusters");
  testing::write_bytes(folder / "clusters/own.tsv", "test-2\ttest-1\n");
  CHECK(registered_clusters("", folder / "datasets.json")("own") ==
        ClusterOfExample{{"test-2", "test-1"}});
  testing::write_bytes(folder / "clusters/bad.tsv", "test-2\ttest-1\ntest-3\n");
  CHECK_THAT(testing::message_of([&] { registered_clusters("", folder / "datasets.json")("bad"); }),
             Catch::EndsWith("bad.tsv:2: found \"test-3\", expected an example's id, a tab and its "
                             "cluster"));
}

TEST_CASE("XNLI's shipped list is that of its data: three hypotheses a premise") {
  if (!testing::has_real_data({"kornlu/xnli.test.ko.tsv"})) return;
  const LabelledSplits splits =
      load_labelled(choose(Registry::load(), {"kornli-xnli"}, testing::data_folder()));
  const std::vector<std::string> in_order = clusters_in_order(splits.test);
  const ClusterOfExample listed = registered_clusters()("kornli-xnli");
  for (size_t i = 0; i < in_order.size(); ++i) {
    const auto found = listed.find(splits.test[i].id);
    CHECK((found == listed.end() ? splits.test[i].id : found->second) == in_order[i]);
  }
}

TEST_CASE("KorQuAD's 5,774 questions are of 140 articles") {
  if (!testing::has_real_data({"korquad/KorQuAD_v1.0_dev.json"})) return;
  const ClusterOfExample clusters =
      registered_clusters(testing::data_folder())("korquad-v1-dev-split");
  std::set<std::string> articles;
  for (const auto& [id, article] : clusters) articles.insert(article);
  CHECK(clusters.size() == 5774);
  CHECK(articles.size() == 140);
}

}  // namespace
}  // namespace minibert
