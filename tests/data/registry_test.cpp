// Which data set an experiment gets, and its splits.
#include "data/registry.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "core/error.h"
#include "core/files.h"
#include "core/sha256.h"
#include "data/splits/labelled_data.h"
#include "data/splits/question_data.h"
#include "data/splits/tagged_data.h"
#include "support/scratch.h"
#include "text/byte_source.h"

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

TEST_CASE("what the repository ships is the official files, and a data folder's own comes first") {
  const Scratch empty;
  const Registry registry = Registry::load();
  const ResolvedData data = choose(registry, {"korquad-v1-dev-split"}, empty.path());
  CHECK(data.files[0].sha256 == "25ffeb51e6c51ec02c071b60a10188e10005c144110f0d876b26079d80a35bdf");
  CHECK(data.files[0].bytes == 3881058);
  const KorquadSplits splits = load_korquad(data);
  CHECK(splits.train.question_count() + splits.dev.question_count() +
            splits.test.question_count() ==
        5774);
  const KorquadSplits tydi = load_korquad(choose(registry, {"tydiqa-ko"}, empty.path()));
  // Two of the 1,625 stand in the test file, too.
  CHECK(tydi.train.question_count() + tydi.dev.question_count() == 1623);
  CHECK(tydi.test.question_count() == 276);
  for (const char* id : {"kobest-boolq", "kobest-copa", "kobest-wic", "kobest-hellaswag",
                         "kobest-sentineg", "kowiki-small"})
    CHECK(choose(registry, {id}, empty.path()).set.id == id);

  const DataSet& set = registry.at("korquad-v1-dev-split");
  const std::string own = registry.path_of(set, set.files[0], empty.path());
  std::filesystem::create_directories(std::filesystem::path(own).parent_path());
  write_bytes(own, read_unpacked(data.files[0].path, set.files[0].bytes));
  CHECK(choose(registry, {"korquad-v1-dev-split"}, empty.path()).files[0].path == own);
}

TEST_CASE("a packed file that unpacks to something else is an error") {
  const Scratch scratch;
  std::filesystem::create_directories(scratch / "data/set");
  write_bytes(scratch / "data/set/a.txt.zst", "text");
  const auto registry = [&](const std::string& sum) {
    write_bytes(scratch / "datasets.json",
                R"({"version": 1, "datasets": [{"id": "set", "title": "t", "folder": "set",
                    "licence": "l", "citation": "c", "files": [{"name": "a.txt", "kind": "text",
                    "split": "train", "bytes": 4, "sha256": ")" +
                    sum + R"(", "packed": true}]}]})");
    return Registry::load(scratch / "datasets.json");
  };
  CHECK(choose(registry(sha256_hex("text")), {"set"}, "/nonexistent").files[0].bytes == 4);
  CHECK_THROWS_WITH(choose(registry(sha256_hex("test")), {"set"}, "/nonexistent"),
                    Contains("a.txt.zst") && Contains(sha256_hex("test")));
}

TEST_CASE("a data set is public by an address, or as the repository has it") {
  const auto is_public = registered_public();
  for (const char* id : {"sample", "kowiki-small", "tydiqa-ko", "korquad-v1", "files of one's own"})
    CHECK(is_public(id));
  for (const char* id : {"kowiki", "nsmc", "kowiki-cloze"}) CHECK_FALSE(is_public(id));
}

TEST_CASE("an unknown data set is answered with the nearest") {
  CHECK_THROWS_WITH(Registry::load().at("korquad-v2"), Contains("korquad-v1"));
}

TEST_CASE("TyDiQA's questions can be added to KorQuAD's training, its dev and test stay") {
  const Scratch none;
  const KorquadSplits alone =
      load_korquad(choose(Registry::load(), {"korquad-v1-dev-split"}, none.path()));
  const KorquadSplits both =
      load_korquad(choose(Registry::load(), {"korquad-tydiqa"}, none.path()));
  CHECK(both.train.question_count() > alone.train.question_count() + 1000);
  CHECK(both.dev.question_count() == alone.dev.question_count());
  CHECK(both.test.question_count() == alone.test.question_count());
}

TEST_CASE("a registered file lies in its data set's folder or in one below it") {
  const Scratch folder;
  for (const std::string name : {"../a.txt", "/a.txt", "b/../a.txt", "b/", ""}) {
    CAPTURE(name);
    write_bytes(folder / "datasets.json", R"({"version": 1, "datasets": [{"id": "a", "title": "",
      "folder": ".", "licence": "", "citation": "", "files": [{"name": ")" +
                                              name + R"(", "kind": "text", "split": "train"}]}]})");
    CHECK_THROWS_WITH(Registry::load(folder / "datasets.json"),
                      Contains("files[0].name: found \"" + name + "\", expected a file's name"));
  }
}

TEST_CASE("the files of the official sets are read in the form they have there") {
  const Scratch scratch;
  const Registry registry = Registry::load();
  // The set with these texts as its files.
  const auto with = [&](const std::string& id, const std::vector<std::string>& texts) {
    ResolvedData data;
    data.set = registry.at(id);
    REQUIRE(data.set.files.size() == texts.size());
    for (size_t i = 0; i < texts.size(); ++i) {
      FileState state;
      state.path = scratch / (id + std::to_string(i));
      write_bytes(state.path, texts[i]);
      data.files.push_back(state);
    }
    return data;
  };
  const std::string reviews = "id\tdocument\tlabel\n1\t좋다 \"참\"\t1\n2\t\t0\n3\t나쁘다\t0\n";
  const LabelledSplits nsmc = load_labelled(with("nsmc-official", {reviews, reviews}));
  CHECK(nsmc.train.size() + nsmc.dev.size() == 2);  // two official rows in 20,000 have no text
  CHECK(nsmc.test.size() == 2);
  CHECK(nsmc.test[0].label == "positive");

  const std::string pairs =
      "sentence1\tsentence2\tgold_label\n말이 뛴다.\tN/A\tneutral\n말이 뛴다.\t말이 잔다.\t"
      "contradiction\n";
  const LabelledSplits kornli = load_labelled(with("kornli", {pairs, pairs, pairs, pairs}));
  CHECK(kornli.train.size() == 4);
  CHECK(kornli.dev.size() == 2);
  CHECK(kornli.test.size() == 2);
  CHECK(kornli.test[1].pair == "말이 잔다.");

  const std::string tags =
      "## 컬럼명 : CHAR\tNE_TAG\n## klue-ner-v1_train_00025_nsmc\t<이동:PS> "
      "님\n이\tB-PS\n동\tI-PS\n "
      "\tO\n님\tO\n\n";
  const TaggedSplits klue = load_tagged(with("klue-ner-official", {tags, tags}));
  CHECK(klue.train.size() + klue.dev.size() == 1);
  REQUIRE(klue.test.size() == 1);
  CHECK(klue.test[0].text == "이동 님");
}

TEST_CASE("what has no SHA-256 is called unverified") {
  const Registry registry = Registry::load();
  for (const char* id :
       {"sample", "nsmc-official", "kornli", "klue-ner-official", "wikitext-2-train", "korquad-v1"})
    CHECK(unverified_note(registry.at(id)).empty());
  CHECK(unverified_note(registry.at("kowiki-everyday")) ==
        "unverified: everyday-text/everyday-train.txt");
  CHECK_THAT(unverified_note(registry.at("kowiki-dump")),
             Contains("unverified: kowiki-latest-pages-articles.xml.bz2"));
  CHECK_THAT(unverified_note(registry.at("wikitext-2-raw")),
             Contains("wiki.train.raw (a download's archive is compared with its SHA-256)"));
}

TEST_CASE("the official dev file is split by article, 70/10/20") {
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
