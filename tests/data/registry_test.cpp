// Which data set an experiment gets, and its splits.
#include "data/registry.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "core/error.h"
#include "core/files.h"
#include "core/sha256.h"
#include "data/splits.h"
#include "record/scratch.h"

using namespace minibert;
using namespace minibert::testing;
using Catch::Matchers::Contains;

namespace {

std::set<std::string> titles(const KorquadSet& set) {
  std::set<std::string> out;
  for (const auto& paragraph : set.paragraphs) out.insert(paragraph.title);
  return out;
}

bool share(const std::set<std::string>& a, const std::set<std::string>& b) {
  for (const auto& one : a)
    if (b.count(one)) return true;
  return false;
}

}  // namespace

TEST_CASE("the sample is always there, large enough, and no title is in two splits") {
  const ResolvedData data = choose(Registry::load(), {"sample"}, "/nonexistent");
  const KorquadSplits splits = load_korquad(data);
  const size_t questions =
      splits.train.question_count() + splits.dev.question_count() + splits.test.question_count();
  CHECK(questions >= 320);
  CHECK(titles(splits.train).size() + titles(splits.dev).size() + titles(splits.test).size() >= 40);
  CHECK_FALSE(share(titles(splits.train), titles(splits.dev)));
  CHECK_FALSE(share(titles(splits.train), titles(splits.test)));
  CHECK_FALSE(share(titles(splits.dev), titles(splits.test)));
  size_t bytes = 0;
  for (const auto& file : text_files(data).train) bytes += read_file(file).size();
  CHECK(bytes >= 60 * 1024);
}

TEST_CASE("the first complete data set of several is taken and the choice is explained") {
  const Scratch empty;
  const ResolvedData data = choose(Registry::load(), {"korquad-v1", "sample"}, empty.path());
  CHECK(data.set.id == "sample");
  CHECK_THAT(data.choice, Contains("sample") && Contains("korquad-v1") && Contains("not found"));
  CHECK_THROWS_WITH(choose(Registry::load(), {"korquad-v1"}, empty.path()),
                    Contains("KorQuAD_v1.0_"));
}

TEST_CASE("a file with another checksum is an error, not a fallback") {
  const Scratch scratch;
  const Registry registry = Registry::load();
  const DataSet& set = registry.at("korquad-v1-dev-split");
  const std::string path = registry.path_of(set, set.files[0], scratch.path());
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  write_bytes(path, std::string(set.files[0].bytes, 'x'));
  CHECK_THROWS_WITH(choose(registry, {"korquad-v1-dev-split", "sample"}, scratch.path()),
                    Contains("KorQuAD_v1.0_dev.json") && Contains(set.files[0].sha256));
  write_bytes(path, "short");
  CHECK_THROWS_WITH(choose(registry, {"korquad-v1-dev-split", "sample"}, scratch.path()),
                    Contains("5") && Contains(std::to_string(set.files[0].bytes)));
}

TEST_CASE("an unknown data set is answered with the nearest") {
  CHECK_THROWS_WITH(Registry::load().at("korquad-v2"), Contains("korquad-v1"));
}

TEST_CASE("the official dev file is split by article, 70/10/20") {
  if (std::getenv("MINIBERT_DATA") == nullptr) return;
  const ResolvedData data = choose(Registry::load(), {"korquad-v1-dev-split"}, data_directory());
  const KorquadSplits splits = load_korquad(data);
  CHECK(titles(splits.train).size() == 98);
  CHECK(titles(splits.dev).size() == 14);
  CHECK(titles(splits.test).size() == 28);
  CHECK_FALSE(share(titles(splits.train), titles(splits.dev)));
  CHECK_FALSE(share(titles(splits.train), titles(splits.test)));
  CHECK_FALSE(share(titles(splits.dev), titles(splits.test)));
  CHECK(splits.train.question_count() + splits.dev.question_count() +
            splits.test.question_count() ==
        5774);
}
