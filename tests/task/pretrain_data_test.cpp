// Which text a pretraining experiment reads: how often, and without what.
#include "task/pretrain/pretrain_data.h"

#include <catch2/catch.hpp>

#include "core/error.h"
#include "core/files.h"
#include "support/scratch.h"
#include "text/tokenizer.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using testing::Scratch;
using testing::write_bytes;

constexpr const char* kText =
    "고양이\n고양이는 집에서 기르는 동물이다.\n고양이는 밤에 잘 보고 낮에는 오래 자며 쥐를 잘 잡는 "
    "동물로 알려져 있다.\n";

constexpr int kDevArticles = 8;

ResolvedData files_of(const std::string& id, const std::string& kind,
                      const std::vector<std::pair<std::string, std::string>>& split_and_path) {
  ResolvedData data;
  data.set.id = id;
  for (const auto& [split, path] : split_and_path) {
    DataFile file;
    file.name = path.substr(path.rfind('/') + 1), file.kind = kind, file.split = split;
    data.set.files.push_back(file);
    FileState state;
    state.presence = Presence::complete, state.path = path;
    data.files.push_back(state);
  }
  return data;
}

// Counts of a split's documents and of the paragraphs left out; train: as it is trained on.
std::pair<int, int> read_with(const Scratch& scratch, const PretrainSettings& settings,
                              Split split = Split::train) {
  write_bytes(scratch / "a.txt", kText);
  write_bytes(scratch / "b.txt", kText);
  std::string articles;
  for (int i = 0; i < kDevArticles; ++i)
    articles += "제" + std::to_string(i) + "호 " + kText + "\n";
  write_bytes(scratch / "dev.txt", articles);
  write_bytes(scratch / "held-out.txt",
              "시험\n고양이는 밤에 잘 보고, 낮에는 오래 자며 쥐를 잘 잡는 동물로 알려져 있다!\n");
  const ResolvedData data = files_of(
      "own", "text",
      {{"train", scratch / "a.txt"}, {"train", scratch / "b.txt"}, {"dev", scratch / "dev.txt"}});
  const Tokenizer tokenizer = Tokenizer::from_bytes(
      train_tokenizer({"experiments/sample/corpus.txt"}, {.vocab_size = 1500}, true));
  PretrainData text({.data = data,
                     .tokenizer = tokenizer,
                     .settings = settings,
                     .cache = scratch / "cache",
                     .find = [&](const std::string& id) {
                       return files_of(id, "text", {{"test", scratch / "held-out.txt"}});
                     }});
  const nlohmann::json statistics =
      (split == Split::train ? text.training(64) : text.measured(split))->statistics();
  return {statistics.at("documents"), statistics.at("excluded_paragraphs")};
}

PretrainSettings settings_with(std::map<std::string, int64_t> repeat,
                               std::vector<std::string> exclude) {
  PretrainSettings settings;
  settings.repeat = std::move(repeat);
  settings.exclude = std::move(exclude);
  return settings;
}

}  // namespace

TEST_CASE("a training file is read as often as the experiment says") {
  const Scratch scratch;
  CHECK(read_with(scratch, settings_with({}, {})) == std::pair{2, 0});
  CHECK(read_with(scratch, settings_with({{"b.txt", 3}}, {})) == std::pair{4, 0});
  CHECK_THROWS_WITH(read_with(scratch, settings_with({{"c.txt", 2}}, {})),
                    Contains("instances.repeat: found \"c.txt\"") && Contains("a.txt, b.txt"));
}

TEST_CASE("a model is measured on any data set, whatever its training text repeated or left out") {
  const Scratch scratch;
  CHECK(read_with(scratch, settings_with({{"elsewhere.txt", 2}}, {"held-out"}), Split::dev) ==
        std::pair{2 * kDevArticles, 0});  // dev text is gone through twice
}

TEST_CASE("training paragraphs that overlap an excluded data set's evaluation texts are left out") {
  const Scratch scratch;
  CHECK(read_with(scratch, settings_with({}, {"held-out"})) == std::pair{2, 2});
}

}  // namespace minibert
