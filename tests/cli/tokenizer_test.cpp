// `minibert tokenizer`, with the tokenizer of the shipped model and with a new one.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "core/files.h"
#include "support/program.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using testing::kShippedModel;
using testing::run_program;
using testing::Scratch;

const std::string kModel = std::string(" --model ") + kShippedModel;

TEST_CASE("encode prints a line's pieces, ids or bytes, and decode makes the text again") {
  const std::string text = "대한민국의 수도는 서울이다.";
  const auto pieces = run_program("tokenizer encode" + kModel, text + "\n\n" + text + "\n");
  CHECK(pieces.status == 0);
  CHECK(pieces.err.empty());
  CHECK_THAT(pieces.out, Catch::StartsWith("▁대한민국의 "));
  CHECK(std::count(pieces.out.begin(), pieces.out.end(), '\n') == 3);

  const auto ids = run_program("tokenizer encode --ids" + kModel, text + "\n");
  CHECK(run_program("tokenizer decode" + kModel, ids.out).out == text + "\n");

  const json list = json::parse(run_program("tokenizer encode --json" + kModel, text + "\n").out);
  std::string joined;
  for (const json& piece : list) {
    CHECK(piece["begin"] == joined.size());
    joined = text.substr(0, piece["end"].get<size_t>());
  }
  CHECK(joined == text);
}

TEST_CASE("show lists every piece, the special ones first") {
  const auto all = run_program("tokenizer show" + kModel);
  CHECK(std::count(all.out.begin(), all.out.end(), '\n') == 8007);
  CHECK_THAT(all.out,
             Catch::StartsWith("     0  [PAD]\n     1  [UNK]\n     2  [BOS]\n     3  [EOS]\n"
                               "     4  [SEP]\n     5  [CLS]\n     6  [MASK]\n"));
}

TEST_CASE("merges come in order, and each joins pieces that are there before") {
  const auto found = json::parse(run_program("tokenizer merges --count 300 --json" + kModel).out);
  REQUIRE(found.size() == 300);
  std::set<std::string> made;
  const auto is_there = [&](const std::string& piece) {
    size_t characters = 0;
    for (const char byte : piece) characters += (byte & 0xC0) != 0x80;
    return characters == 1 || made.count(piece) == 1;
  };
  for (size_t i = 0; i < found.size(); ++i) {
    INFO(found[i].dump());
    CHECK(found[i]["rank"] == found[0]["rank"].get<size_t>() + i);
    CHECK(is_there(found[i]["left"]));
    CHECK(is_there(found[i]["right"]));
    made.insert(found[i]["piece"].get<std::string>());
  }
}

TEST_CASE("train makes a model that encode takes") {
  const testing::Scratch scratch;
  const std::string type = GENERATE("bpe", "unigram");
  const auto trained =
      run_program("tokenizer train experiments/sample/corpus.txt --vocab-size 1200 --type " + type +
                  " --out " + scratch / "a.model");
  INFO(trained.err);
  CHECK(trained.status == 0);
  CHECK(trained.out == scratch / "a.model" + ": 1200 pieces\n");
  CHECK(run_program("tokenizer encode --model " + scratch / "a.model", "서울\n").out.size() > 6);
}

TEST_CASE("train reads the text of JSON lines, and a folder") {
  const Scratch scratch;
  std::string lines;
  for (int i = 0; i < 50; ++i)
    lines += R"({"text": "가나다 라마 바사"})"
             "\n";
  std::filesystem::create_directories(scratch / "AA");
  write_file_atomically(scratch / "AA/wiki_00", lines);
  const auto trained = run_program("tokenizer train " + scratch / "AA" +
                                   " --vocab-size 60 --shrink-to-fit --out " + scratch / "a.model");
  INFO(trained.err);
  REQUIRE(trained.status == 0);
  const std::string pieces = run_program("tokenizer show --model " + scratch / "a.model").out;
  CHECK_THAT(pieces, Contains("가나") && !Contains("text") && !Contains("{"));
}

TEST_CASE("a WordPiece vocabulary is a tokenizer like any other") {
  const std::string model = " --model experiments/data/bert-base-uncased/vocab.txt.zst";
  const std::string text = "BERT models tokenizers";
  CHECK(run_program("tokenizer encode" + model, text + "\n").out ==
        "bert models token ##izer ##s\n");
  const auto ids = run_program("tokenizer encode --ids" + model, text + "\n");
  CHECK(run_program("tokenizer decode" + model, ids.out).out == "bert models tokenizers\n");
  const auto all = run_program("tokenizer show" + model);
  CHECK(std::count(all.out.begin(), all.out.end(), '\n') == 30522);
  CHECK_THAT(all.out, Catch::StartsWith("     0  [PAD]\n") && Contains("\n   103  [MASK]\n"));
  const auto merges = run_program("tokenizer merges" + model);
  CHECK(merges.status == 2);
  CHECK(merges.err == "minibert: the tokenizer is not BPE, so it has no merges\n");
}

TEST_CASE("a byte-level BPE is trained, and shown as text") {
  const testing::Scratch scratch;
  const std::string text = "한국의 역사는 😀 [MASK]이다.";
  const auto trained = run_program(
      "tokenizer train experiments/sample/corpus.txt --vocab-size 1200 --type byte_bpe --out " +
      scratch / "tokenizer.json");
  INFO(trained.err);
  CHECK(trained.out == scratch / "tokenizer.json" + ": 1200 pieces\n");
  const std::string model = " --model " + scratch / "tokenizer.json";
  const auto ids = run_program("tokenizer encode --ids" + model, text + "\n");
  CHECK(run_program("tokenizer decode" + model, ids.out).out == text + "\n");
  CHECK_THAT(run_program("tokenizer encode" + model, text + "\n").out,
             Catch::StartsWith("▁한") && Contains(" [MASK] 이"));
  CHECK_THAT(run_program("tokenizer merges" + model).out, Contains(" -> 이\n"));
  const auto refused = run_program(
      "tokenizer train experiments/sample/corpus.txt --type byte_bpe --byte-fallback --out " +
      scratch / "b.json");
  CHECK(refused.status == 2);
  CHECK(refused.err ==
        "minibert: tokenizer.byte_fallback: not a setting of byte_bpe, which knows every byte\n");
}

TEST_CASE("learn-bpe shows every step, from words to ids") {
  const testing::Scratch scratch;
  testing::write_bytes(scratch / "a.txt", "low lower low\nnew low newer\n");
  const std::string command = "tokenizer learn-bpe " + scratch / "a.txt" + " --merges 4";
  CHECK(run_program(command).out ==
        "     1  (l, o)  4\n     2  (lo, w)  4\n     3  (low, </w>)  3\n     4  (e, r)  2\n");
  CHECK_THAT(run_program(command + " --sentence 'low newest'").out,
             Catch::EndsWith("low</w> | n e w e s t |\n"));
  const auto shown = run_program(command + " --show --word lowest --sentence 'new low'");
  CHECK(shown.status == 0);
  CHECK_THAT(shown.out,
             Catch::StartsWith("4 different words; the first, with their counts in the text:\n"
                               "  l o w </w> : 3\n  l o w e r </w> : 1\n") &&
                 Contains("\nmerge 2: the most frequent pair is (lo, w), 4 times\n  low </w>\n") &&
                 Contains("\nlowest -> l o w e s t </w>\n  after merge  1: lo w e s t </w>\n") &&
                 Contains("\npieces: low e s t\n") && Contains("\nsentence: n e w | low</w> |\n") &&
                 Contains("\nvocabulary of 9 pieces, the first of them:\n  [PAD] : 0\n") &&
                 Catch::EndsWith("ids of lowest: 6 1 1 1\n"));
  testing::write_bytes(scratch / "bad.txt", "good\nb\xff\n");
  const auto bad = run_program("tokenizer learn-bpe " + scratch / "bad.txt");
  CHECK(bad.status == 1);
  CHECK_THAT(bad.err, Contains("bad.txt:2: not valid UTF-8 at byte 1"));
  testing::write_bytes(scratch / "blank.txt", " \n");
  CHECK_THAT(run_program("tokenizer learn-bpe " + scratch / "blank.txt").err,
             Contains("blank.txt: found no word"));
  CHECK(run_program("tokenizer learn-bpe").status == 2);
}

TEST_CASE("text that SentencePiece would refuse or leave out is told or trained on") {
  const Scratch scratch;
  std::string word;
  for (int i = 0; i < 32768; ++i) word += "가나";
  write_file_atomically(scratch / "w.txt", "가 나\n" + word + "\n");
  const std::string train =
      "tokenizer train " + scratch / "w.txt" + " --vocab-size 12 --out " + scratch / "w.model";
  const auto refused = run_program(train);
  CHECK(refused.status == 1);
  CHECK_THAT(refused.err,
             Contains("w.txt:2: 65536 characters without a space, expected at most 65535"));
  CHECK(std::ranges::count(refused.err, '\n') == 1);
  CHECK_FALSE(std::filesystem::exists(scratch / "w.model"));
  CHECK(run_program(train + " --type unigram").status == 0);
  // A line beyond a million bytes, and one with a sign of SentencePiece's own, are read.
  std::string line;
  while (line.size() < 1100000) line += "가나 ";
  for (int i = 0; i < 20000; ++i) line += "다라 ";
  line += "\n";
  for (int i = 0; i < 5000; ++i) line += "마바▅사\n";
  write_file_atomically(scratch / "w.txt", line);
  CHECK(run_program("tokenizer train " + scratch / "w.txt" + " --vocab-size 18 --out " +
                    scratch / "w.model")
            .status == 0);
  const std::string pieces = run_program("tokenizer show --model " + scratch / "w.model").out;
  for (const char* character : {"다", "라", "마", "사"}) CHECK_THAT(pieces, Contains(character));
}

TEST_CASE("the tokenizer commands say in one line what is wrong") {
  const testing::Scratch scratch;
  const auto word = run_program("tokenizer decode" + kModel, "12 서울\n");
  CHECK(word.status == 2);
  CHECK(word.err == "minibert: found \"서울\", expected piece ids\n");
  const auto large = run_program("tokenizer decode" + kModel, "8007\n");
  CHECK(large.status != 0);
  CHECK_THAT(large.err, Contains("8007"));
  const auto absent = run_program("tokenizer encode --model " + scratch / "none.model", "a\n");
  CHECK(absent.status == 1);
  CHECK_THAT(absent.err, Contains(scratch / "none.model"));
  testing::write_bytes(scratch / "text.model", "not a model");
  const auto text = run_program("tokenizer show --model " + scratch / "text.model");
  CHECK(text.status == 1);
  CHECK_THAT(text.err, Contains("text.model"));
  CHECK_THAT(text.err, !Contains(".cc("));
  const auto pieces =
      run_program("tokenizer train experiments/sample/corpus.txt --vocab-size 60000 --out " +
                  scratch / "b.model");
  CHECK_THAT(pieces.err, Contains("60000 pieces on this text: ") && !Contains(".cc("));
  testing::write_bytes(scratch / "own.txt", "서울\n");
  testing::check_refused("tokenizer train " + scratch / "own.txt" + " --out " + scratch / "own.txt",
                         "own.txt: is the text itself, expected another file");
  CHECK(run_program("tokenizer").status == 2);
}

}  // namespace
}  // namespace minibert
