// Byte-level BPE: GPT-2's documented writing, an independent implementation on real text, round trips,
// and what is refused.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/error.h"
#include "core/files.h"
#include "core/utf8.h"
#include "support/real_data.h"
#include "support/scratch.h"
#include "support/shell.h"
#include "text/byte_source.h"
#include "text/byte_words.h"
#include "text/merges.h"
#include "text/pair_encoder.h"
#include "text/tokenizer.h"

using namespace minibert;
using namespace minibert::testing;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

using Pieces = std::vector<std::string>;

constexpr char kReference[] = "/usr/bin/python3 tests/text/byte_bpe_reference.py ";
const std::string kCorpus = "experiments/sample/corpus.txt";

std::string trained(int32_t vocab_size, const std::vector<std::string>& files = {kCorpus}) {
  TokenizerSettings settings;
  settings.type = "byte_bpe";
  settings.vocab_size = vocab_size;
  return train_tokenizer(files, settings);
}

const std::string& model_of_1200() {
  static const std::string model = trained(1200);
  return model;
}

const Tokenizer& tokenizer() {
  static const Tokenizer one = Tokenizer::from_bytes(model_of_1200(), "tokenizer.json");
  return one;
}

Pieces words(const std::string& text) {
  std::vector<std::string_view> found;
  append_byte_words(text, &found);
  return {found.begin(), found.end()};
}

Pieces readable(const Tokenizer& of, const std::string& text) {
  Pieces out;
  for (const NamedPiece& piece : of.encode_named(text)) out.push_back(piece.text);
  return out;
}

// A tokenizer.json with the bytes and these merges, "left right".
json small_model(const Pieces& merges) {
  json model = json::parse(model_of_1200());
  json& vocabulary = model["model"]["vocab"];
  for (auto it = vocabulary.begin(); it != vocabulary.end();)
    it = *it >= kSmallestByteBpe ? vocabulary.erase(it) : std::next(it);
  model["model"]["merges"] = merges;
  for (std::string merge : merges) {
    merge.erase(merge.find(' '), 1);
    vocabulary.emplace(merge, vocabulary.size());
  }
  return model;
}

Tokenizer small_tokenizer(const Pieces& merges) {
  return Tokenizer::from_bytes(small_model(merges).dump());
}

// Every line of the file has the ids that tests/text/byte_bpe_reference.py gives it, and decodes to
// itself.
void check_against_reference(const std::string& text) {
  const Scratch scratch;
  write_bytes(scratch / "tokenizer.json", model_of_1200());
  write_bytes(scratch / "text.txt", text);
  const ShellResult reference =
      shell(kReference + std::string("encode ") + single_quoted(scratch / "tokenizer.json") + " " +
            single_quoted(scratch / "text.txt"));
  INFO(reference.output.substr(0, 500));
  REQUIRE(reference.status == 0);
  std::istringstream expected(reference.output), given(text);
  size_t lines = 0;
  for (std::string line, ids; std::getline(given, line); ++lines) {
    REQUIRE(std::getline(expected, ids));
    const std::vector<int32_t> encoded = tokenizer().encode(line);
    std::string found;
    for (const int32_t id : encoded) found += (found.empty() ? "" : " ") + std::to_string(id);
    INFO(line);
    REQUIRE(found == ids);
    REQUIRE(tokenizer().decode(encoded) == line.substr(line.starts_with(' ') ? 1 : 0));
  }
  CHECK(lines > 0);
}

const std::string kOddText =
    "Ärger über Ñandú: naïve café, Senjō İstanbul ΟΔΟΣ ς Ǆungla I'll we've IT'S it's '' 'x\n"
    "戦場のヴァルキュリア3 漢字かな 서울은 대한민국의 수도이다 각 2026년11월 ½ ² Ⅷ ④ ٣\n"
    "tab\there \t\t two  spaces   three no\u00adbreak zero\u200bwidth\u00a0em\u2003 space\u3000x \n"
    "  leading and trailing   \n   \n \n\n"
    "un[MASK]able [MASK] [CLS]x[SEP] [mask] [UNK][PAD] [BOS]  [EOS]\n[MASK]\n [MASK]\n[MASK] x\n"
    "emoji 😀👨‍👩‍👧 flags 🇰🇷 math ℝ ≠\n"
    "ﬁ ﷺ \ue000 \U000f0000 ▁ ▁x Ġ Ċ íķľ\n"
    "العربية हिन्दी ไทย עברית é Å ạ\u0308 \u0301alone \u0345 \x1c \x1f \x7f \u0085 \u2028 \ufffd\n" +
    std::string(300, 'a') + " " + std::string(1000, '-') + "\n";

}  // namespace

TEST_CASE("bytes are written in GPT-2's letters") {
  CHECK(byte_letters(" ") == "Ġ");
  CHECK(byte_letters("\n") == "Ċ");
  CHECK(byte_letters("한") == "íķľ");
  CHECK(byte_letters("Az~!") == "Az~!");
  CHECK(byte_letters(std::string(1, '\0')) == "Ā");
  CHECK(byte_letters("\x7f\x80\xa0\xad") == "ġĢłŃ");
  CHECK(bytes_of_letters("Ġíķľ") == " 한");
  CHECK_THROWS_WITH(bytes_of_letters("a b"), Contains("letters that stand for bytes"));
  std::string all;
  for (const uint8_t byte : byte_symbols()) all += static_cast<char>(byte);
  CHECK(all.size() == 256);
  CHECK(bytes_of_letters(byte_letters(all)) == all);
  const std::u32string letters = to_code_points(byte_letters(all));
  CHECK(std::ranges::is_sorted(letters));
  CHECK(std::ranges::adjacent_find(letters) == letters.end());
}

TEST_CASE("a text's words are the matches of GPT-2's expression") {
  CHECK(words("Hello world") == Pieces{"Hello", " world"});
  CHECK(words("I'm we'll it's'x IT'S") ==
        Pieces{"I", "'m", " we", "'ll", " it", "'s", "'", "x", " IT", "'", "S"});
  CHECK(words("a  b   c ") == Pieces{"a", " ", " b", "  ", " c", " "});
  CHECK(words("a\t b\t\tc\n\nd") == Pieces{"a", "\t", " b", "\t", "\t", "c", "\n", "\n", "d"});
  CHECK(words("2026년 3.14, x_1") == Pieces{"2026", "년", " 3", ".", "14", ",", " x", "_", "1"});
  CHECK(words("한국어 is 👍!") == Pieces{"한국어", " is", " 👍!"});
  CHECK(words("").empty());
}

TEST_CASE("a trained vocabulary has special pieces, bytes, and what the merges make, in order") {
  CHECK(tokenizer().size() == 1200);
  CHECK(tokenizer().is_byte_bpe());
  CHECK(tokenizer().is_bpe());
  CHECK_FALSE(tokenizer().is_wordpiece());
  const char* special[] = {"[PAD]", "[UNK]", "[BOS]", "[EOS]", "[SEP]", "[CLS]", "[MASK]"};
  for (int32_t id = 0; id < kFirstOrdinaryPiece; ++id) CHECK(tokenizer().piece(id) == special[id]);
  CHECK(tokenizer().piece(7) == "!");
  CHECK(tokenizer().piece(kSmallestByteBpe - 1) == "Ń");
  CHECK(tokenizer().lone_space() == tokenizer().id("Ġ"));
  CHECK(tokenizer().id("none of these") == kUnk);
  const auto& merges = tokenizer().merges();
  REQUIRE(merges.size() == 1200 - kSmallestByteBpe);
  for (size_t i = 0; i < merges.size(); ++i) {
    const int32_t id = kSmallestByteBpe + static_cast<int32_t>(i);
    REQUIRE(std::max(merges[i].first, merges[i].second) < id);
    REQUIRE(tokenizer().piece(id) ==
            tokenizer().piece(merges[i].first) + tokenizer().piece(merges[i].second));
    REQUIRE(tokenizer().score(id) == -static_cast<float>(i));
  }
  CHECK_THROWS_AS(tokenizer().piece(1200), Error);
}

TEST_CASE("the merges are those of a program that counts anew at every step") {
  const ShellResult reference = shell(kReference + std::string("learn 450 ") + kCorpus);
  REQUIRE(reference.status == 0);
  std::istringstream lines(reference.output);
  const auto& merges = tokenizer().merges();
  size_t rank = 0;
  for (std::string line; std::getline(lines, line); ++rank) {
    INFO("merge " << rank + 1);
    REQUIRE(tokenizer().piece(merges[rank].first) + " " + tokenizer().piece(merges[rank].second) ==
            line);
  }
  CHECK(rank == 450 - kSmallestByteBpe);
  CHECK(trained(1200) == model_of_1200());
}

TEST_CASE("lines of real text have the ids of an independent program and decode to themselves") {
  check_against_reference(kOddText + read_file(kCorpus));
  check_against_reference(
      read_unpacked("experiments/data/kowiki-small/kowiki-small-dev.txt.zst", 16 << 20));
  if (has_real_data({"wikitext-2/test.txt"}, "WikiText-2")) {
    const std::string text = read_file(data_folder() + "/wikitext-2/test.txt");
    check_against_reference(text.substr(0, text.find('\n', text.size() / 3) + 1));
  }
}

TEST_CASE("pairs are joined by rank, the leftmost of equal ones first, in words of any length") {
  const Tokenizer one = small_tokenizer({"a a", "b c", "a bc", "aa a"});
  CHECK(readable(one, " aaa") == Pieces{"▁", "aaa"});
  CHECK(readable(one, " aaaa") == Pieces{"▁", "aa", "aa"});
  CHECK(readable(one, " aabc") == Pieces{"▁", "aa", "bc"});
  CHECK(readable(one, " xabc") == Pieces{"▁", "x", "abc"});
  std::string text;
  Pieces expected = {"▁"};
  for (int i = 0; i < 20; ++i) {
    text += "xabcaaa";
    expected.insert(expected.end(), {"x", "abc", "aaa"});
  }
  CHECK(readable(one, text) == expected);
  // A word of many symbols takes no time that grows with its square.
  const std::vector<int32_t> many = one.encode(std::string(300000, 'a'));
  CHECK(many.size() == 150001);
}

TEST_CASE("a space goes before a text, and pieces with it begin words") {
  CHECK(tokenizer().encode("서울은") == tokenizer().encode(" 서울은"));
  CHECK(tokenizer().encode("").empty());
  CHECK(tokenizer().decode({}).empty());
  CHECK(tokenizer().encode(" ") == std::vector<int32_t>{tokenizer().lone_space()});
  // Not behind a special piece, where a word may go on.
  CHECK(readable(tokenizer(), "[MASK]이") == Pieces{"[MASK]", "이"});
  CHECK(tokenizer().encode("[MASK]") == std::vector<int32_t>{kMask});
  for (int32_t id = 0; id < tokenizer().size(); ++id) {
    REQUIRE(tokenizer().is_special(id) == (id < kFirstOrdinaryPiece));
    REQUIRE(tokenizer().starts_word(id) == tokenizer().piece(id).starts_with("Ġ"));
  }
  CHECK_FALSE(PairEncoder(tokenizer()).joins_pairs());
}

TEST_CASE("a file that says so has no space put before a text") {
  json model = small_model({"a b", "Ġ ab"});
  model["pre_tokenizer"]["add_prefix_space"] = false;
  const Tokenizer plain = Tokenizer::from_bytes(model.dump());
  const Tokenizer spaced = Tokenizer::from_bytes(small_model({"a b", "Ġ ab"}).dump());
  CHECK(plain.encode("ab") == std::vector<int32_t>{plain.id("ab")});
  CHECK(spaced.encode("ab") == std::vector<int32_t>{spaced.id("Ġab")});
  CHECK(plain.encode(" ab") == spaced.encode(" ab"));
  CHECK(plain.decode(plain.encode(" ab")) == " ab");
}

TEST_CASE("pieces are aligned with whole characters, without the spaces before them") {
  const Tokenizer one = small_tokenizer({"Ġ a", "í ķ", "Ġ Ġ"});
  const std::string text = "a 한a   b [MASK]é ";
  Pieces seen;
  for (const AlignedPiece& piece : one.encode_aligned(text)) {
    REQUIRE(piece.begin <= piece.end);
    REQUIRE(piece.end <= text.size());
    seen.push_back(text.substr(piece.begin, piece.end - piece.begin));
  }
  CHECK(seen == Pieces{"a", "", "한", "한", "a", "", "", "b", "", "[MASK]", "é", "é", ""});
  const auto first = one.encode_aligned("b");
  REQUIRE(first.size() == 2);
  CHECK(first[0].end == 0);
  CHECK(first[1].begin == 0);
  CHECK(first[1].end == 1);
}

TEST_CASE("a reader sees text where a piece is whole characters, else the bytes' letters") {
  const Tokenizer one = small_tokenizer({"í ķ", "íķ ľ", "Ġ íķľ", "Ċ a", "Ġ a", "â ĸ", "âĸ ģ"});
  const auto shown = [&](const char* piece) { return one.readable(one.id(piece)); };
  CHECK(shown("íķľ") == "한");
  CHECK(shown("Ġíķľ") == "▁한");
  CHECK(shown("íķ") == "íķ");
  CHECK(shown("Ġ") == "▁");
  CHECK(shown("Ċa") == "Ċa");
  CHECK(shown("âĸģ") == "âĸģ");  // ▁ itself
  CHECK(shown("[MASK]") == "[MASK]");
  CHECK(one.is_text(one.id("Ġíķľ")));
  for (const char* piece : {"íķ", "Ċ", "[SEP]"}) CHECK_FALSE(one.is_text(one.id(piece)));
  CHECK(readable(one, "한 하") == Pieces{"▁한", "▁", "íķ", "ĺ"});
  const auto merges = first_merges(one, 3);
  REQUIRE(merges.size() == 3);
  CHECK(merges[1].left + "|" + merges[1].right + "|" + merges[1].piece == "íķ|ľ|한");
  CHECK(merges[2].left + "|" + merges[2].right + "|" + merges[2].piece == "▁|한|▁한");
  CHECK(first_merges(one, 100).size() == 7);
}

TEST_CASE("bytes that are no text decode to U+FFFD, one for each broken character") {
  const auto decoded = [](const std::string& bytes) {
    std::vector<int32_t> ids;
    for (const char byte : bytes) ids.push_back(tokenizer().id(byte_letters({&byte, 1})));
    return tokenizer().decode(ids);
  };
  CHECK(decoded("\xed\x95\x9c") == "한");
  CHECK(decoded("a\xed\x95") == "a\ufffd");
  CHECK(decoded("\x95\x9cx") == "\ufffd\ufffdx");
  CHECK(decoded("\xed\xa0\x80") == "\ufffd\ufffd\ufffd");  // a surrogate
  CHECK(decoded("\xf0\x9f\x98") == "\ufffd");
  CHECK(decoded("\xe0\x80\xc2") == "\ufffd\ufffd\ufffd");
  CHECK(decoded("\xff\xed\x95\xed\x95\x9c") == "\ufffd\ufffd한");
  CHECK_THROWS_AS(tokenizer().decode({1200}), Error);
}

TEST_CASE("special pieces that are written in the text are not learnt from") {
  const Scratch scratch;
  write_bytes(scratch / "a.txt", "xyxy[MASK]xy [MASK]\n\n");
  TokenizerSettings settings;
  settings.type = "byte_bpe";
  settings.vocab_size = 5000;
  const std::string text = scratch / "a.txt";
  CHECK_THROWS_WITH(train_tokenizer({text}, settings),
                    Contains("5000 pieces") && Contains("allows at most 266"));
  const Tokenizer one = Tokenizer::from_bytes(train_tokenizer({text}, settings, true));
  REQUIRE(one.merges().size() == 3);
  CHECK(one.piece(263) == "xy");
  CHECK(one.piece(264) == "Ġxy");  // as frequent as xy xy, but Ġ has a lower id than xy
  CHECK(one.piece(265) == "Ġxyxy");
}

TEST_CASE("training refuses settings that byte-level BPE does not have, and bad text") {
  TokenizerSettings settings;
  settings.type = "byte_bpe";
  settings.vocab_size = 262;
  CHECK_THROWS_WITH(train_tokenizer({kCorpus}, settings),
                    Contains("found 262, expected at least 263"));
  settings.vocab_size = 300;
  settings.byte_fallback = true;
  CHECK_THROWS_WITH(train_tokenizer({kCorpus}, settings), Contains("tokenizer.byte_fallback"));
  settings.byte_fallback = false;
  settings.character_coverage = 0.99;
  CHECK_THROWS_WITH(train_tokenizer({kCorpus}, settings), Contains("tokenizer.character_coverage"));
  const Scratch scratch;
  write_bytes(scratch / "empty.txt", "\n \n");
  write_bytes(scratch / "bad.txt", "좋은 줄\n\xff\xfe\n");
  CHECK_THROWS_WITH(trained(300, {scratch / "empty.txt"}), Contains("every line"));
  CHECK_THROWS_WITH(trained(300, {scratch / "bad.txt"}), Contains("bad.txt:2: not valid UTF-8"));
  CHECK(Tokenizer::from_bytes(trained(kSmallestByteBpe)).merges().empty());
  CHECK_THROWS_WITH(tokenizer().encode("a\xff"), Contains("not valid UTF-8 at byte 1"));
}

TEST_CASE("a bad tokenizer.json is refused with the key") {
  const auto message = [](const std::string& bytes) {
    try {
      Tokenizer::from_bytes(bytes, "t.json");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto patched = [&](const char* patch) {
    json model = small_model({"a b", "Ġ ab"});
    model.merge_patch(json::parse(patch));
    return message(model.dump());
  };
  CHECK(patched("{}").empty());
  CHECK(patched(R"({"model": {"merges": [["a", "b"], ["Ġ", "ab"]]}})").empty());
  CHECK_THAT(message("{"), Contains("t.json: not valid JSON"));
  CHECK_THAT(message("{\"a\": " + std::string(100000, '[')), Contains("nested deeper"));
  CHECK_THAT(message("{\"a\": \"\xff\"}"), Contains("not valid JSON"));
  CHECK(message("{}") == "t.json: model.type: found nothing, expected \"BPE\"");
  CHECK(message(R"({"model": 3})") == "t.json: model.type: found nothing, expected \"BPE\"");
  const std::pair<const char*, const char*> cases[] = {
      {R"({"model": {"type": "Unigram"}})", R"(model.type: found "Unigram", expected "BPE")"},
      {R"({"model": {"type": ["BPE"]}})", R"(model.type: found array, expected "BPE")"},
      {R"({"pre_tokenizer": {"type": "Metaspace"}})", R"(expected "ByteLevel")"},
      {R"({"pre_tokenizer": {"add_prefix_space": "no"}})",
       "pre_tokenizer.add_prefix_space: found \"no\", expected true or false"},
      {R"({"pre_tokenizer": {"use_regex": false}})", "pre_tokenizer.use_regex: found false"},
      {R"({"decoder": null})", "decoder.type: found nothing"},
      {R"({"normalizer": {"type": "NFC"}})", "normalizer: found object, expected null"},
      {R"({"model": {"dropout": 0.1}})", "model.dropout: found 0.1, expected 0.0"},
      {R"({"model": {"end_of_word_suffix": "</w>"}})", "model.end_of_word_suffix"},
      {R"({"model": {"continuing_subword_prefix": "##"}})", "model.continuing_subword_prefix"},
      {R"({"model": {"byte_fallback": true}})", "model.byte_fallback: found true"},
      {R"({"model": {"ignore_merges": true}})", "model.ignore_merges: found true"},
      {R"({"model": {"vocab": null}})", "model.vocab: found nothing, expected an object"},
      {R"({"model": {"vocab": {"x": 266}}})",
       R"(model.vocab: "x": found 266, expected an id in 0…264)"},
      {R"({"model": {"vocab": {"x": "1"}}})", R"(model.vocab: "x": found "1")"},
      {R"({"model": {"vocab": {"x": -1}}})", R"(model.vocab: "x": found -1)"},
      {R"({"model": {"vocab": {"x": 8}}})", R"(model.vocab: """ and "x" both have the id 8)"},
      {R"({"model": {"vocab": {"ba": 265}}})", R"("ba": is no byte, and no merge makes it)"},
      {R"({"model": {"vocab": {"": 265}}})", R"("": is no byte, and no merge makes it)"},
      {R"({"model": {"vocab": {"[PAD]": 1, "[UNK]": 0}}})",
       R"(model.vocab: the piece 0 is "[UNK]", expected [PAD])"},
      {R"({"model": {"vocab": {"Ġ": null, "x y": 227}}})",
       R"(the byte 32: the vocabulary has no piece "Ġ")"},
      {R"({"model": {"vocab": {"ab": null, "zz": 263}}})",
       R"(model.merges[0]: the vocabulary has no piece "ab")"},
      {R"({"model": {"merges": ["a b", "Ġ a c"]}})",
       R"(model.merges[1]: the vocabulary has no piece "a c")"},
      {R"({"model": {"merges": ["a b", "ab Ġ"]}})",
       R"(model.merges[1]: the vocabulary has no piece "abĠ")"},
      {R"({"model": {"merges": ["a b", "[MASK] a"]}})", "[MASK] is a special piece"},
      {R"({"model": {"merges": ["a b", "Ġ ab", "a b"]}})", R"("a b" is listed twice)"},
      {R"({"model": {"merges": ["ab"]}})", R"(model.merges[0]: found "ab", expected "left right")"},
      {R"({"model": {"merges": [["a", 1]]}})", "model.merges[0]: found array"},
      {R"({"model": {"merges": {}}})", "model.merges: found object, expected a list"},
      {R"({"added_tokens": null})", "added_tokens: found nothing"},
      {R"({"added_tokens": []})", "added_tokens: [PAD] is missing"},
      {R"({"added_tokens": [{"id": 0, "content": "<s>"}]})",
       R"(added_tokens: found "<s>" with the id 0, expected only [PAD])"},
      {R"({"added_tokens": [{"id": 1, "content": "[PAD]"}]})", R"("[PAD]" with the id 1)"},
      {R"({"added_tokens": [7]})", "added_tokens: found null"},
      {R"({"added_tokens": [{"id": 0, "content": "[PAD]", "lstrip": true}]})",
       R"(added_tokens: "[PAD]": lstrip: found true, expected false)"},
  };
  for (const auto& [patch, expected] : cases) {
    INFO(patch);
    CHECK_THAT(patched(patch), Catch::StartsWith("t.json: ") && Contains(expected));
  }
  json large = small_model({});
  for (int id = kSmallestByteBpe; id < 65537; ++id)
    large["model"]["vocab"][std::to_string(id)] = id;
  CHECK(message(large.dump()) == "t.json: model.vocab: found 65537 pieces, expected at most 65536");
}
