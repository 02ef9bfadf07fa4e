// Labelled tables written as a text to pretrain on.
#include "data/made/table_text.h"

#include <catch2/catch.hpp>
#include <set>

#include "core/files.h"
#include "data/corpus.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using testing::Scratch;
using testing::write_bytes;

ResolvedData tables(const std::vector<std::pair<std::string, std::string>>& split_and_path,
                    const TableLayout& layout) {
  ResolvedData data;
  data.set.id = "own";
  data.set.table = layout;
  for (const auto& [split, path] : split_and_path) {
    DataFile file;
    file.name = path, file.kind = "table", file.split = split;
    data.set.files.push_back(file);
    FileState state;
    state.presence = Presence::complete, state.path = path;
    data.files.push_back(state);
  }
  return data;
}

TableLayout columns(const std::string& text, const std::string& label) {
  TableLayout layout;
  layout.text = {text};
  layout.label = label;
  return layout;
}

std::vector<Document> documents_of(const std::string& path) {
  CorpusReader reader({path});
  std::vector<Document> out;
  for (Document document; reader.next(&document);) out.push_back(document);
  return out;
}

}  // namespace

TEST_CASE("training rows become documents of paragraphs; dev and test rows and labels do not") {
  const Scratch scratch;
  std::string rows = "text\tlabel\n";
  for (int i = 0; i < 10; ++i) rows += "훈련 문장 " + std::to_string(i) + "\tyes\n";
  write_bytes(scratch / "train.tsv", rows);
  write_bytes(scratch / "test.tsv", "text\tlabel\n시험 문장\tno\n");
  const ResolvedData data = tables(
      {{"train", scratch / "train.tsv"}, {"test", scratch / "test.tsv"}}, columns("text", "label"));
  const auto counts = write_table_text({data}, scratch / "out.txt", 1, 4);
  REQUIRE(counts.size() == 1);
  CHECK(counts[0].examples == 10);
  CHECK(counts[0].documents == 3);
  CHECK(counts[0].paragraphs == 10);
  const std::vector<Document> documents = documents_of(scratch / "out.txt");
  REQUIRE(documents.size() == 3);
  std::set<std::string> all;
  for (const Document& document : documents)
    all.insert(document.paragraphs.begin(), document.paragraphs.end());
  CHECK(all.size() == 10);
  CHECK(all.count("훈련 문장 7") == 1);
  CHECK(all.count("시험 문장") == 0);

  SECTION("in the same order whenever it is written, in another with another seed") {
    const std::string first = read_file(scratch / "out.txt");
    write_table_text({data}, scratch / "again.txt", 1, 4);
    CHECK(read_file(scratch / "again.txt") == first);
    write_table_text({data}, scratch / "other.txt", 2, 4);
    CHECK(read_file(scratch / "other.txt") != first);
  }
}

TEST_CASE("a pair or the right alternative is the paragraph after its text") {
  const Scratch scratch;
  write_bytes(scratch / "pairs.csv", "Q,A,label\n배고파,\"밥, 먹어요\",0\n");
  TableLayout pairs = columns("Q", "label");
  pairs.separator = "comma";
  pairs.pair = "A";
  write_table_text({tables({{"train", scratch / "pairs.csv"}}, pairs)}, scratch / "pairs.txt");
  CHECK(documents_of(scratch / "pairs.txt").at(0).paragraphs ==
        std::vector<std::string>{"배고파", "밥, 먹어요"});

  write_bytes(scratch / "choices.tsv",
              "text\ta\tb\tlabel\n비가 온다.\t해가 떴다.\t땅이 젖었다.\t2\n");
  TableLayout choices = columns("text", "label");
  choices.choices = {"a", "b"};
  write_table_text({tables({{"train", scratch / "choices.tsv"}}, choices)},
                   scratch / "choices.txt");
  CHECK(documents_of(scratch / "choices.txt").at(0).paragraphs ==
        std::vector<std::string>{"비가 온다.", "땅이 젖었다."});
}

}  // namespace minibert
