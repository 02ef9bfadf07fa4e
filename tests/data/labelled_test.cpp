// Labelled tables and tagged sentences: what is read, how rows are shared out, and one clear line for
// everything that is wrong.
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <set>

#include "core/error.h"
#include "data/files/share_out.h"
#include "data/splits/labelled_data.h"
#include "data/splits/tagged_data.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using testing::Scratch;
using testing::write_bytes;

// A data set of one file, as the registry would resolve it.
ResolvedData one_file(const std::string& path, const std::string& kind,
                      const std::string& split = "train") {
  ResolvedData data;
  data.set.id = "own";
  DataFile file;
  file.name = "own.tsv", file.kind = kind, file.split = split;
  data.set.files.push_back(file);
  FileState state;
  state.presence = Presence::complete, state.path = path;
  data.files.push_back(state);
  return data;
}

ResolvedData table(const std::string& path) {
  ResolvedData data = one_file(path, "table");
  TableLayout layout;
  layout.text = {"text"};
  layout.label = "label";
  layout.labels = {{"0", "no"}, {"1", "yes"}};
  data.set.table = layout;
  return data;
}

std::string mistake(const std::string& text, const std::function<void(const std::string&)>& read) {
  const Scratch scratch;
  write_bytes(scratch / "own.tsv", text);
  try {
    read(scratch / "own.tsv");
  } catch (const Error& error) {
    const std::string message = error.what();
    CHECK(message.find('\n') == std::string::npos);
    return message.substr(message.find("own"));
  }
  return "no error";
}

std::string table_mistake(const std::string& text) {
  return mistake(text, [](const std::string& path) { load_labelled(table(path)); });
}

std::string tag_mistake(const std::string& text) {
  return mistake(text, [](const std::string& path) { load_tagged(one_file(path, "tags")); });
}

}  // namespace

TEST_CASE("cells of a comma-separated table may stand in quotes") {
  const Scratch scratch;
  write_bytes(scratch / "own.csv", "text,label\n\"네, \"\"좋아\"\" 해요\",1\n별로,0\n");
  ResolvedData data = table(scratch / "own.csv");
  data.set.table->separator = "comma";
  const LabelledSplits splits = load_labelled(data);
  REQUIRE(splits.train.size() == 2);
  CHECK(splits.train[0].text == "네, \"좋아\" 해요");
  CHECK(splits.train[0].label == "yes");
  write_bytes(scratch / "own.csv", "text,label\n\"네, 좋아 해요,1\n");
  CHECK_THROWS_WITH(load_labelled(data), Contains("own.csv:2: found a quote that is never closed"));
}

TEST_CASE("a table's rows become examples by the names of its columns") {
  const Scratch scratch;
  write_bytes(scratch / "own.tsv", "id\tlabel\ttext\r\n7\t1\t 좋아요 \r\n8\t0\t별로\r\n");
  const LabelledSplits splits = load_labelled(table(scratch / "own.tsv"));
  REQUIRE(splits.train.size() == 2);
  CHECK(splits.train[0].text == "좋아요");
  CHECK(splits.train[0].label == "yes");
  CHECK(splits.train[1].label == "no");
  CHECK(splits.train[1].id == "train-2");
  CHECK(splits.dev.empty());
}

TEST_CASE("a file without a header takes the registry's; columns join, pair and choose") {
  const Scratch scratch;
  write_bytes(scratch / "own.tsv", "비가 왔다\t결과\t길이 젖었다\t해가 났다\t1\n");
  ResolvedData data = table(scratch / "own.tsv");
  data.set.table->header = {"premise", "question", "1", "2", "label"};
  data.set.table->text = {"premise", "question"};
  data.set.table->choices = {"1", "2"};
  data.set.table->labels.clear();
  const LabelledSplits splits = load_labelled(data);
  REQUIRE(splits.train.size() == 1);
  CHECK(splits.train[0].text == "비가 왔다 결과");
  CHECK(splits.train[0].choices == std::vector<std::string>{"길이 젖었다", "해가 났다"});
  CHECK(splits.train[0].label == "1");
}

TEST_CASE("every mistake in a table is one line that names file and line") {
  CHECK(table_mistake("id\tlabel\ttext\n1\t0\n") ==
        "own.tsv:2: found 2 columns, expected 3 (id, label, text)");
  CHECK(table_mistake("id\tlabel\n1\t0\n") ==
        "own.tsv: found the columns id, label, expected one named \"text\"");
  CHECK(table_mistake("label\ttext\n0\t \n") == "own.tsv:2: column text is empty, expected text");
  CHECK(table_mistake("label\ttext\n2\t글\n") ==
        "own.tsv:2: found the label \"2\", expected one of: 0, 1");
  CHECK_THAT(table_mistake("label\ttext\n0\t\xff\n"),
             Contains("own.tsv:2: not valid UTF-8 at byte 2"));
  CHECK_THAT(table_mistake("label\ttext\n"), Contains("has no rows"));
  CHECK_THAT(table_mistake(""), Contains("is empty, expected a header"));
  ResolvedData plain = one_file("nowhere.tsv", "table");
  CHECK_THROWS_WITH(load_labelled(plain), Contains("data set own: has no labelled texts"));
}

TEST_CASE("rows are shared out by the hash of their text, equal texts together") {
  const Scratch scratch;
  std::string text = "label\ttext\n";
  for (int i = 0; i < 400; ++i)
    text += std::to_string(i % 2) + "\t문장 " + std::to_string(i / 2) + "\n";
  write_bytes(scratch / "own.tsv", text);
  ResolvedData data = table(scratch / "own.tsv");
  data.set.rows = ArticleSplit{"train", 70, 10, 20};
  const LabelledSplits splits = load_labelled(data);
  CHECK(splits.train.size() == 280);
  CHECK(splits.dev.size() == 40);
  CHECK(splits.test.size() == 80);
  std::set<std::string> train;
  for (const auto& example : splits.train) train.insert(example.text);
  for (const auto* others : {&splits.dev, &splits.test})
    for (const auto& example : *others) CHECK_FALSE(train.contains(example.text));
  const LabelledSplits again = load_labelled(data);
  CHECK(
      std::ranges::equal(again.test, splits.test, {}, &LabelledExample::id, &LabelledExample::id));
}

TEST_CASE("shares are exact in hash order and empty shares stay empty") {
  const std::vector<std::string> keys = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
  const auto same = [](const std::string& key) { return key; };
  const auto shares = share_out_by_hash({50, 0, 50}, keys, same);
  CHECK(std::ranges::count(shares, 0U) == 5);
  CHECK(std::ranges::count(shares, 1U) == 0);
  CHECK(std::ranges::count(shares, 2U) == 5);
}

TEST_CASE("tagged sentences are read character by character") {
  const Scratch scratch;
  write_bytes(scratch / "own.tsv",
              "## comment\n박\tB-PS\n씨\tO\n \tO\n#\tO\n\n서\tB-LC\n울\tI-LC\n");
  const TaggedSplits splits = load_tagged(one_file(scratch / "own.tsv", "tags"));
  REQUIRE(splits.train.size() == 2);
  CHECK(splits.train[0].text == "박씨 #");
  CHECK(splits.train[0].tags == std::vector<std::string>{"B-PS", "O", "O", "O"});
  CHECK(splits.train[1].tags == std::vector<std::string>{"B-LC", "I-LC"});
}

TEST_CASE("a stray I- of a registered data set is a beginning, and is told") {
  const Scratch scratch;
  write_bytes(scratch / "own.tsv", "박\tI-PS\n씨\tI-LC\n");
  std::vector<std::string> told;
  const TaggedSplits splits = load_tagged(one_file(scratch / "own.tsv", "tags"),
                                          [&](const std::string& line) { told.push_back(line); });
  CHECK(splits.train.at(0).tags == std::vector<std::string>{"B-PS", "B-LC"});
  REQUIRE(told.size() == 1);
  CHECK_THAT(told[0], Contains("2 tags I-… go on with no entity"));
}

TEST_CASE("every mistake in tagged sentences is one line that names file and line") {
  CHECK(tag_mistake("박\tX\n") == "own.tsv:1: found the tag \"X\", expected O, B-… or I-…");
  CHECK_THAT(tag_mistake("박씨\tO\n"),
             Contains("own.tsv:1: found \"박씨\tO\", expected one character"));
  CHECK_THAT(tag_mistake("박 O\n"), Contains("expected one character, a tab, a tag"));
  CHECK_THAT(tag_mistake("## nothing\n"), Contains("has no sentences"));
}

}  // namespace minibert
