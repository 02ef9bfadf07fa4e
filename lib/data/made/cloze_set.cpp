#include "data/made/cloze_set.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <optional>
#include <set>

#include "core/error.h"
#include "core/files.h"
#include "core/utf8.h"
#include "data/corpus.h"
#include "data/made/cloze_answers.h"
#include "data/made/cloze_questions.h"
#include "data/ordered_pipeline.h"
#include "data/questions/korquad.h"
#include "text/korean.h"

namespace minibert {
namespace {

using nlohmann::json;

// Code points. KorQuAD's contexts have 456 in the median and few below 300.
constexpr size_t kShortestPassage = 200, kFullPassage = 300, kLongestPassage = 600;
constexpr size_t kLongestSentence = 250;
constexpr size_t kQuestionsPerPassage = 4;
constexpr size_t kDocumentsPerBatch = 64;
// A noun in more than kCommonShare of the first kDocumentsCounted documents is common.
constexpr size_t kDocumentsCounted = 4000;
constexpr double kCommonShare = 0.01;

// How often answers of a kind are asked for, relative to the others: dates and recurring nouns are
// everywhere, people and titles rare.
double weight(ClozeKind kind) {
  switch (kind) {
    case ClozeKind::date:
      return 0.5;
    case ClozeKind::count:
    case ClozeKind::amount:
      return 0.8;
    case ClozeKind::title:
      return 2;
    case ClozeKind::person:
      return 3;
    case ClozeKind::place:
    case ClozeKind::thing:
      break;
  }
  return 1;
}

std::u32string without_parentheses(std::u32string_view text) {
  std::u32string out = parse_sentence(text, 0).text;
  while (!out.empty() && out.back() == U' ') out.pop_back();
  return out;
}

// Sentences of a paragraph, as ranges: each ends in "다." before a space or the end. What does not
// end so (headings, lists, formulas) leaves the paragraph without sentences from there on.
std::vector<std::pair<size_t, size_t>> sentences_of(std::u32string_view text) {
  std::vector<std::pair<size_t, size_t>> out;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    depth += text[i] == U'(' ? 1 : text[i] == U')' ? -1 : 0;
    if (depth > 0 || text[i] != U'다' || text[i + 1] != U'.') continue;
    if (i + 2 < text.size() && text[i + 2] != U' ') continue;
    out.emplace_back(begin, i + 2);
    begin = i + 3;
  }
  return out;
}

bool is_clean(std::u32string_view sentence) {
  return sentence.size() <= kLongestSentence &&
         sentence.find(U"formula_") == std::u32string_view::npos &&
         sentence.find(U"[[") == std::u32string_view::npos &&
         sentence.find(U"니다.") == std::u32string_view::npos &&
         sentence.find_first_of(U"=<>{}|\"“”") == std::u32string_view::npos;
}

ClozeTopic topic_of(const Document& document) {
  ClozeTopic topic;
  topic.title = without_parentheses(to_code_points(document.paragraphs.front()));
  if (document.paragraphs.size() < 2) return topic;
  const std::u32string first = to_code_points(document.paragraphs[1]);
  const auto sentences = sentences_of(first);
  if (sentences.empty() || !first.starts_with(topic.title)) return topic;
  const ClozeSentence sentence =
      parse_sentence(std::u32string_view(first).substr(0, sentences[0].second), 0);
  const WordParts parts = split_particle(sentence.word(sentence.words.size() - 1));
  if (parts.kind == ParticleKind::copula && parts.stem.size() <= 6 &&
      std::ranges::all_of(parts.stem, is_hangul_syllable))
    topic.head = parts.stem;
  return topic;
}

struct Passage {
  std::u32string text;
  std::vector<ClozeSentence> sentences;
};

// A document's clean sentences, gathered into passages.
std::vector<Passage> passages_of(const Document& document) {
  std::vector<Passage> out;
  Passage passage;
  const auto close = [&] {
    if (passage.text.size() >= kShortestPassage) out.push_back(std::move(passage));
    passage = {};
  };
  for (size_t p = 1; p < document.paragraphs.size(); ++p) {
    const std::u32string text = to_code_points(document.paragraphs[p]);
    for (const auto& [begin, end] : sentences_of(text)) {
      const auto sentence = std::u32string_view(text).substr(begin, end - begin);
      if (!is_clean(sentence) || passage.text.size() + sentence.size() > kLongestPassage) close();
      if (!is_clean(sentence)) continue;
      if (!passage.text.empty()) passage.text += U' ';
      passage.sentences.push_back(
          parse_sentence(sentence, static_cast<uint32_t>(passage.text.size())));
      passage.text += sentence;
      if (passage.text.size() >= kFullPassage) close();
    }
  }
  close();
  return out;
}

// Index of a random answer, by its kind's weight.
size_t choose(const std::vector<ClozeAnswer>& answers, Rng& random) {
  double sum = 0;
  for (const ClozeAnswer& answer : answers) sum += weight(answer.kind);
  double left = random.uniform() * sum;
  size_t chosen = 0;
  while (chosen + 1 < answers.size() && left >= weight(answers[chosen].kind))
    left -= weight(answers[chosen++].kind);
  return chosen;
}

CorpusOptions corpus_options(const ClozeSettings& settings) {
  return {.exclude = settings.exclude};
}

NounEvidence nouns_of(const std::vector<Passage>& passages) {
  NounEvidence nouns;
  for (const Passage& passage : passages)
    for (const ClozeSentence& sentence : passage.sentences) nouns.add(sentence);
  return nouns;
}

// From the first documents of the corpus.
CommonNouns common_nouns(const std::vector<std::string>& texts, const ClozeSettings& settings) {
  CorpusReader reader(texts, corpus_options(settings));
  CommonNouns common;
  Document document;
  for (size_t i = 0; i < kDocumentsCounted && reader.next(&document); ++i)
    common.add(nouns_of(passages_of(document)));
  common.finish(kCommonShare);
  return common;
}

struct Made {
  std::vector<KorquadParagraph> paragraphs;
  std::vector<std::vector<ClozeKind>> kinds;  // of every question
};

Made make(const Document& document, uint64_t number, const CommonNouns& common,
          const ClozeSettings& settings) {
  Made made;
  Rng random(settings.seed, "cloze questions", 0, number);
  const ClozeTopic topic = topic_of(document);
  std::vector<Passage> passages = passages_of(document);
  const NounEvidence nouns = nouns_of(passages);
  size_t id = 0;
  for (const Passage& passage : passages) {
    KorquadParagraph paragraph{document.paragraphs.front(), to_utf8(passage.text), {}};
    std::vector<ClozeKind> kinds;
    std::set<std::u32string> asked;
    for (const ClozeSentence& sentence : passage.sentences) {
      if (kinds.size() == kQuestionsPerPassage) break;
      const std::vector<ClozeAnswer> answers = find_answers(sentence, nouns, common, topic);
      if (answers.empty()) continue;
      const ClozeAnswer& answer = answers[choose(answers, random)];
      const std::u32string text = sentence.text.substr(answer.begin, answer.end - answer.begin);
      const auto question = make_question(sentence, answer, topic, random);
      if (!question || !asked.insert(text).second) continue;
      paragraph.questions.push_back({"cloze-" + std::to_string(number) + "-" + std::to_string(++id),
                                     to_utf8(*question), to_utf8(text),
                                     static_cast<int64_t>(sentence.origin[answer.begin])});
      kinds.push_back(answer.kind);
    }
    if (kinds.empty()) continue;
    made.paragraphs.push_back(std::move(paragraph));
    made.kinds.push_back(std::move(kinds));
  }
  return made;
}

json to_json(const KorquadParagraph& paragraph) {
  json questions = json::array();
  for (const KorquadQuestion& question : paragraph.questions)
    questions.push_back(
        {{"id", question.id},
         {"question", question.question},
         {"answers", {{{"text", question.answer}, {"answer_start", question.answer_start}}}}});
  return {{"context", paragraph.context}, {"qas", questions}};
}

// One article after the other, so that the set never stands in memory.
class SetWriter {
 public:
  explicit SetWriter(const std::string& path) : file_(path, std::ios::binary) {
    file_ << R"({"version":"minibert cloze 1","data":[)";
  }
  void add(const std::vector<KorquadParagraph>& paragraphs) {
    if (paragraphs.empty()) return;
    json article = {{"title", paragraphs.front().title}, {"paragraphs", json::array()}};
    for (const KorquadParagraph& paragraph : paragraphs)
      article["paragraphs"].push_back(to_json(paragraph));
    file_ << (any_ ? ",\n" : "\n") << article.dump();
    any_ = true;
  }
  bool finish() {
    file_ << "\n]}\n";
    file_.close();
    return !file_.fail();
  }

 private:
  std::ofstream file_;
  bool any_ = false;
};

// Leaves at most `most` questions.
void truncate(uint64_t most, Made* made) {
  for (size_t p = 0; p < made->paragraphs.size(); ++p) {
    auto& questions = made->paragraphs[p].questions;
    if (questions.size() > most) {
      questions.resize(most);
      made->kinds[p].resize(most);
    }
    most -= questions.size();
    if (most > 0) continue;
    const size_t kept = questions.empty() ? p : p + 1;
    made->paragraphs.resize(kept);
    made->kinds.resize(kept);
  }
}

struct Batch {
  std::vector<Document> documents;
  uint64_t first = 0;     // number of documents[0] in the corpus
  uint64_t excluded = 0;  // paragraphs, up to the batch's end
};
struct MadeBatch {
  std::vector<Made> documents;
  uint64_t excluded = 0;
};

}  // namespace

uint64_t ClozeCounts::total() const {
  uint64_t sum = 0;
  for (const uint64_t count : questions) sum += count;
  return sum;
}

json to_json(const ClozeCounts& counts) {
  json kinds = json::object();
  for (int k = 0; k < kClozeKinds; ++k)
    kinds[to_word(static_cast<ClozeKind>(k))] = counts.questions[static_cast<size_t>(k)];
  return {{"documents", counts.documents},
          {"passages", counts.passages},
          {"excluded_paragraphs", counts.excluded},
          {"questions", counts.total()},
          {"kinds", kinds}};
}

ClozeCounts make_cloze_set(const std::vector<std::string>& texts, const std::string& out_path,
                           const ClozeSettings& settings) {
  CorpusReader reader(texts, corpus_options(settings));
  const CommonNouns common = common_nouns(texts, settings);
  ClozeCounts counts;
  uint64_t read = 0;
  const auto produce = [&](Batch* batch) {
    batch->first = read;
    for (Document document; batch->documents.size() < kDocumentsPerBatch && reader.next(&document);)
      batch->documents.push_back(std::move(document));
    read += batch->documents.size();
    batch->excluded = reader.counts().excluded_paragraphs;
    return !batch->documents.empty();
  };
  const auto work = [&](Batch&& batch) {
    MadeBatch out{.documents = {}, .excluded = batch.excluded};
    for (size_t i = 0; i < batch.documents.size(); ++i)
      out.documents.push_back(make(batch.documents[i], batch.first + i, common, settings));
    return out;
  };
  replace_file(out_path, [&](const std::string& temporary) {
    SetWriter writer(temporary);
    ordered_pipeline<Batch, MadeBatch>(settings.threads, produce, work, [&](MadeBatch&& batch) {
      counts.excluded = batch.excluded;
      for (Made& made : batch.documents) {
        if (settings.count > 0) truncate(settings.count - counts.total(), &made);
        ++counts.documents;
        counts.passages += made.paragraphs.size();
        for (const auto& kinds : made.kinds)
          for (const ClozeKind kind : kinds) ++counts.questions[static_cast<size_t>(kind)];
        writer.add(made.paragraphs);
        if (settings.count > 0 && counts.total() == settings.count) return false;
      }
      return true;
    });
    if (!writer.finish()) throw Error(out_path + ": cannot be written");
    if (counts.total() == 0)
      throw Error(texts.front() + ": gives no question, expected Korean articles in sentences");
  });
  return counts;
}

}  // namespace minibert
