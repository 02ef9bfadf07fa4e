// KorQuAD reading and the course's features, with a tokenizer trained on the sample text.
#include <catch2/catch.hpp>

#include "core/error.h"
#include "core/files.h"
#include "core/utf8.h"
#include "data/questions/qa_features.h"
#include "data/registry.h"
#include "data/splits/question_data.h"
#include "support/scratch.h"

using namespace minibert;
using namespace minibert::testing;
using Catch::Matchers::Contains;

namespace {

const Tokenizer& sample_tokenizer() {
  static const Tokenizer tokenizer = [] {
    TokenizerSettings settings;
    settings.vocab_size = 1500;
    return Tokenizer::from_bytes(train_tokenizer({"experiments/sample/corpus.txt"}, settings));
  }();
  return tokenizer;
}

KorquadSet one_question(const std::string& context, const std::string& question,
                        const std::string& answer, int64_t start) {
  KorquadSet set;
  set.paragraphs.push_back({"제목", context, {{"q", question, answer, start}}});
  return set;
}

std::string joined(const std::vector<int32_t>& ids, size_t begin, size_t end) {
  std::string out;
  for (size_t i = begin; i < end; ++i) out += sample_tokenizer().piece(ids[i]) + " ";
  return out;
}

// The course's steps, written out plainly: words at space, tab, CR, LF and U+202F, each encoded on
// its own; the first sub-span, starts ascending and ends descending, whose pieces are the answer's.
std::pair<uint32_t, uint32_t> course_span(const std::string& context, const std::string& answer,
                                          int64_t answer_start) {
  const std::u32string text = to_code_points(context);
  std::vector<std::u32string> words;
  std::vector<int> word_of;
  bool space = true;
  for (char32_t c : text) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == 0x202f) {
      space = true;
    } else {
      if (space) words.emplace_back();
      words.back() += c;
      space = false;
    }
    word_of.push_back(static_cast<int>(words.size()) - 1);
  }
  std::vector<std::string> pieces;
  std::vector<size_t> first;
  for (const auto& word : words) {
    first.push_back(pieces.size());
    for (int32_t id : sample_tokenizer().encode(to_utf8(word)))
      pieces.push_back(sample_tokenizer().piece(id));
  }
  const size_t length = to_code_points(answer).size();
  const int word_start = word_of[static_cast<size_t>(answer_start)];
  const int word_end = word_of[static_cast<size_t>(answer_start) + length - 1];
  const size_t begin = first[static_cast<size_t>(word_start)];
  const size_t end = static_cast<size_t>(word_end) + 1 < first.size()
                         ? first[static_cast<size_t>(word_end) + 1] - 1
                         : pieces.size() - 1;
  std::string wanted;
  for (int32_t id : sample_tokenizer().encode(answer)) wanted += sample_tokenizer().piece(id) + " ";
  for (size_t s = begin; s <= end; ++s)
    for (size_t e = end + 1; e-- > s;) {
      std::string span;
      for (size_t i = s; i <= e; ++i) span += pieces[i] + " ";
      if (span == wanted) return {static_cast<uint32_t>(s), static_cast<uint32_t>(e)};
    }
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
}

}  // namespace

TEST_CASE("every sample question gets the span of the course's own steps and its exact text back") {
  const KorquadSet set = read_korquad("experiments/sample/train.json");
  REQUIRE(set.question_count() >= 200);
  const QaSplit split = encode_questions(set, sample_tokenizer(), {}, 2);
  size_t example = 0;
  for (const KorquadParagraph& paragraph : set.paragraphs)
    for (const KorquadQuestion& question : paragraph.questions) {
      const QaExample& one = split.examples[example++];
      INFO(question.id);
      REQUIRE(one.id == question.id);
      const auto [start, end] =
          course_span(paragraph.context, question.answer, question.answer_start);
      CHECK(one.start == start);
      CHECK(one.end == end);
      CHECK_THAT(span_text(split, one.context, one.start, one.end), Contains(question.answer));
    }
}

TEST_CASE("features do not depend on the number of threads") {
  const KorquadSet set = read_korquad("experiments/sample/test.json");
  const QaSplit a = encode_questions(set, sample_tokenizer(), {}, 1);
  const QaSplit b = encode_questions(set, sample_tokenizer(), {}, 4);
  REQUIRE(a.examples.size() == b.examples.size());
  for (uint32_t i = 0; i < a.examples.size(); ++i)
    CHECK(feature_line(a, i, {}) == feature_line(b, i, {}));
}

TEST_CASE("a feature line holds [CLS] question [SEP] context [SEP] and the label") {
  const std::string context = "세종대왕은 1443년에 훈민정음을 창제하였다.";
  const QaSplit split = encode_questions(
      one_question(context, "훈민정음은 언제 창제되었나?", "1443년", 6), sample_tokenizer(), {}, 1);
  const auto line = nlohmann::json::parse(feature_line(split, 0, {}));
  const auto ids = line.at("input_ids").get<std::vector<int32_t>>();
  const auto segments = line.at("segments").get<std::vector<int>>();
  const size_t question = split.examples[0].question_ids.size();
  CHECK(ids.size() == segments.size());
  CHECK(ids.front() == kCls);
  CHECK(ids[question + 1] == kSep);
  CHECK(ids.back() == kSep);
  CHECK(segments[question + 1] == 0);
  CHECK(segments[question + 2] == 1);
  CHECK(segments.back() == 1);
  CHECK(line.at("discarded") == false);
  const auto start = line.at("start").get<size_t>(), end = line.at("end").get<size_t>();
  CHECK(joined(ids, start, end + 1) ==
        joined(split.contexts[0].ids, split.examples[0].start, split.examples[0].end + 1));
}

TEST_CASE("an answer beyond the window is discarded and keeps only its id") {
  std::string context;
  for (int i = 0; i < 300; ++i) context += "물은 흐른다. ";
  const auto start = static_cast<int64_t>(to_code_points(context).size());
  context += "끝은 서울이다.";
  const QaSplit split = encode_questions(one_question(context, "끝은 어디인가?", "서울", start + 3),
                                         sample_tokenizer(), {}, 1);
  CHECK(course_discards(split, 0, {}));
  const auto line = nlohmann::json::parse(feature_line(split, 0, {}));
  CHECK(line == nlohmann::json({{"id", "q"}, {"discarded", true}}));
  // The covering windows reach it all the same.
  bool reached = false;
  uint32_t covered = 0;
  for (const QaWindow& window : covering_windows(split, 0, {})) {
    CHECK(window.first <= covered);
    covered = window.first + window.count;
    reached =
        reached || (window.first <= split.examples[0].start && split.examples[0].end < covered);
    CHECK(window.count + split.examples[0].question_ids.size() + 3 <= 384);
  }
  CHECK(reached);
  CHECK(covered == split.contexts[0].ids.size());
}

TEST_CASE("a narrow no-break space parts words, other spaces do not") {
  const QaSplit split = encode_questions(one_question("서울\u202f부산 대구", "어디?", "부산", 3),
                                         sample_tokenizer(), {}, 1);
  CHECK(split.contexts[0].word_piece.size() == 3);
  CHECK(split.examples[0].start == split.contexts[0].word_piece[1]);
}

TEST_CASE("a question is cut at its limit") {
  QaFeatureSettings settings;
  settings.max_question = 5;
  const QaSplit split =
      encode_questions(one_question("서울은 대한민국의 수도이다.",
                                    "대한민국의 수도는 어디에 있는 어떤 도시인가?", "서울", 0),
                       sample_tokenizer(), settings, 1);
  CHECK(split.examples[0].question_ids.size() == 5);
}

TEST_CASE("a bad question file is refused with the place") {
  struct Case {
    const char* name;
    std::string text;
    const char* expected;
  };
  const std::string good = read_file("experiments/sample/dev.json");
  const Case cases[] = {
      {"truncated", good.substr(0, good.size() / 2), "not valid JSON"},
      {"not UTF-8", "{\"data\": \"\xed\xa0\x80\"}", "not valid UTF-8 at byte"},
      {"no data", "{}", "data"},
      {"data of another type", R"({"data": 3})", "data"},
      {"no answers",
       R"({"data":[{"title":"t","paragraphs":[{"context":"가나","qas":[{"id":"q7","question":"?","answers":[]}]}]}]})",
       "q7"},
      {"duplicate id",
       R"({"data":[{"title":"t","paragraphs":[{"context":"가나","qas":[{"id":"q9","question":"?","answers":[{"text":"가","answer_start":0}]},{"id":"q9","question":"?","answers":[{"text":"가","answer_start":0}]}]}]}]})",
       "q9"},
  };
  for (const Case& one : cases) {
    INFO(one.name);
    const Scratch scratch;
    write_bytes(scratch / "bad.json", one.text);
    CHECK_THROWS_WITH(read_korquad(scratch / "bad.json"),
                      Contains("bad.json") && Contains(one.expected));
  }
  CHECK_THROWS_WITH(read_korquad("nowhere.json"), Contains("nowhere.json"));
}

TEST_CASE("of several answers the first is the label, the others count as right too") {
  const Scratch scratch;
  write_bytes(
      scratch / "two.json",
      R"({"data":[{"title":"t","paragraphs":[{"context":"가나","qas":[{"id":"q","question":"?","answers":[{"text":"가","answer_start":0},{"text":"가","answer_start":0},{"text":"나","answer_start":1}]}]}]}]})");
  const KorquadQuestion question =
      read_korquad(scratch / "two.json").paragraphs.at(0).questions.at(0);
  CHECK(question.answer == "가");
  CHECK(question.alternatives == std::vector<std::string>{"나"});
}

TEST_CASE("an answer that is not the text at answer_start is an error naming the question") {
  CHECK_THROWS_WITH(encode_questions(one_question("서울은 수도이다.", "수도는?", "서울", 1),
                                     sample_tokenizer(), {}, 1),
                    Contains("q"));
  CHECK_THROWS_AS(
      encode_questions(one_question("서울", "수도는?", "서울", 90), sample_tokenizer(), {}, 1),
      Error);
  CHECK_THROWS_AS(
      encode_questions(one_question("서울", "수도는?", "서울", -1), sample_tokenizer(), {}, 1),
      Error);
  // With several files, the message names the paragraph's.
  KorquadSet set = one_question("서울은 수도이다.", "수도는?", "서울", 1);
  set.paragraphs[0].source = "a.json";
  set.paragraphs.push_back({"제목", "부산", {{"r", "어디?", "부산", 0}}, "b.json"});
  CHECK_THROWS_WITH(encode_questions(set, sample_tokenizer(), {}, 1),
                    Contains("a.json: question q: answer_start 1 gives \"울은\""));
}

TEST_CASE("with overlap, segments tell which words and pieces the question has") {
  const std::string context = "고구려는 주몽이 세운 나라이다. 백제는 온조가 세웠다.";
  QaFeatureSettings settings;
  settings.overlap = true;
  const QaSplit split =
      encode_questions(one_question(context, "고구려를 세운 왕은 누구인가?", "주몽", 5),
                       sample_tokenizer(), settings, 1);
  std::vector<int32_t> ids;
  std::vector<uint8_t> segments;
  const QaWindow window = course_window(split, 0, settings);
  append_window(split, window, &ids, &segments);
  REQUIRE(ids.size() == segments.size());
  const EncodedContext& pieces = split.contexts[0];
  const size_t first = split.examples[0].question_ids.size() + 2;
  CHECK(std::all_of(segments.begin(), segments.begin() + static_cast<std::ptrdiff_t>(first),
                    [](uint8_t segment) { return segment == 0; }));
  CHECK(segments.back() == 1);
  const auto segment_of_word = [&](size_t word) {
    return static_cast<int>(segments[first + pieces.word_piece[word]]);
  };
  CHECK(segment_of_word(0) == 3);  // 고구려는
  CHECK(segment_of_word(2) == 3);  // 세운
  CHECK(segment_of_word(1) != 3);  // 주몽이
  CHECK(segment_of_word(5) != 3);  // 온조가
  // A window cut out of the middle takes its own part.
  std::vector<int32_t> some_ids;
  std::vector<uint8_t> some;
  append_window(split, {0, 1, window.count - 1}, &some_ids, &some);
  CHECK(std::equal(some.begin() + static_cast<std::ptrdiff_t>(first), some.end(),
                   segments.begin() + static_cast<std::ptrdiff_t>(first) + 1, segments.end()));
}
