#include "data/statistics/statistics.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <string_view>

#include "data/corpus.h"
#include "data/ordered_pipeline.h"
#include "data/splits/example_kind.h"
#include "data/splits/question_data.h"
#include "data/statistics/counts.h"

namespace minibert {
namespace {

using nlohmann::json;

// Bins as the course draws them.
constexpr int kQuestionBins = 100, kContextBins = 900, kPositionBins = 500, kTextBins = 100;
constexpr size_t kWords = 100, kFrequentPieces = 50;
// Documents that are tokenized in one unit of work.
constexpr size_t kBatch = 64;

double code_points(std::string_view text) {
  return static_cast<double>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U; }));
}

struct QuestionValues {
  std::vector<double> question, context, position, answer;

  json table(const char* unit) const {
    return {{"unit", unit},
            {"question_length", distribution(question, kQuestionBins)},
            {"context_length", distribution(context, kContextBins)},
            {"answer_position", distribution(position, kPositionBins)},
            {"answer_length", distribution(answer, kQuestionBins)}};
  }
};

json in_characters(const KorquadSet& set) {
  QuestionValues values;
  for (const KorquadParagraph& paragraph : set.paragraphs)
    for (const KorquadQuestion& one : paragraph.questions) {
      values.question.push_back(code_points(one.question));
      values.context.push_back(code_points(paragraph.context));
      values.position.push_back(static_cast<double>(one.answer_start));
      values.answer.push_back(code_points(one.answer));
    }
  return values.table("characters");
}

json in_pieces(const KorquadSet& set, const Tokenizer& tokenizer, QaFeatureSettings settings,
               int threads) {
  QaFeatureSettings uncut = settings;
  uncut.max_length = std::numeric_limits<int>::max();
  uncut.max_question = uncut.max_length / 2;
  QaSplit split = encode_questions(set, tokenizer, uncut, threads);
  QuestionValues values;
  size_t discarded = 0;
  for (uint32_t i = 0; i < split.examples.size(); ++i) {
    QaExample& example = split.examples[i];
    values.question.push_back(static_cast<double>(example.question_ids.size()));
    values.context.push_back(static_cast<double>(split.contexts[example.context].ids.size()));
    values.position.push_back(example.start);
    values.answer.push_back(example.end - example.start + 1);
    example.question_ids.resize(
        std::min(example.question_ids.size(), static_cast<size_t>(settings.max_question)));
    discarded += course_discards(split, i, settings);
  }
  json table = values.table("pieces");
  table["answers_beyond_the_window"] = discarded;
  return table;
}

json frequent_words(const KorquadSet& set) {
  WordCounts titles, contexts, questions;
  std::set<std::string> seen;
  for (const KorquadParagraph& paragraph : set.paragraphs) {
    if (seen.insert(paragraph.title).second) titles.add(paragraph.title);
    contexts.add(paragraph.context);
    for (const KorquadQuestion& question : paragraph.questions) questions.add(question.question);
  }
  return {{"titles", titles.top(kWords)},
          {"contexts", contexts.top(kWords)},
          {"questions", questions.top(kWords)}};
}

// The values of some documents of a text.
struct TextValues {
  std::vector<double> line, document;
  std::vector<uint64_t> pieces;  // by id; empty without a tokenizer
  double characters = 0, unknown = 0;
};

TextValues measure(const std::vector<Document>& documents, const Tokenizer* tokenizer) {
  TextValues out;
  if (tokenizer) out.pieces.resize(static_cast<size_t>(tokenizer->size()));
  for (const Document& document : documents) {
    double length = 0;
    for (const std::string& line : document.paragraphs) {
      const double characters = code_points(line);
      out.characters += characters;
      out.line.push_back(characters);
      if (tokenizer) {
        const std::vector<AlignedPiece> pieces = tokenizer->encode_aligned(line);
        for (const AlignedPiece& piece : pieces) {
          ++out.pieces[static_cast<size_t>(piece.id)];
          if (piece.id == tokenizer->special().unk)
            out.unknown +=
                code_points(std::string_view(line).substr(piece.begin, piece.end - piece.begin));
        }
        out.line.back() = static_cast<double>(pieces.size());
      }
      length += out.line.back();
    }
    out.document.push_back(length);
  }
  return out;
}

void add_pieces(const TextValues& values, const Tokenizer& tokenizer, json* out) {
  uint64_t all = 0, used = 0;
  std::vector<size_t> ids;
  for (size_t id = 0; id < values.pieces.size(); ++id) {
    all += values.pieces[id];
    used += values.pieces[id] > 0;
    ids.push_back(id);
  }
  std::ranges::stable_sort(ids, std::greater(), [&](size_t id) { return values.pieces[id]; });
  json frequent = json::array();
  for (size_t i = 0; i < std::min(kFrequentPieces, ids.size()) && values.pieces[ids[i]] > 0; ++i)
    frequent.push_back({tokenizer.readable(static_cast<int32_t>(ids[i])), values.pieces[ids[i]]});
  const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
  (*out)["pieces"] = all;
  (*out)["unknown_rate"] =
      share(static_cast<double>(values.pieces[static_cast<size_t>(tokenizer.special().unk)]),
            static_cast<double>(all));
  (*out)["character_coverage"] = 1 - share(values.unknown, values.characters);
  (*out)["vocabulary_used"] = used;
  (*out)["frequent_pieces"] = frequent;
}

json of_text(const std::vector<std::string>& files, const Tokenizer* tokenizer, int threads) {
  CorpusReader reader(files);
  TextValues sum = measure({}, tokenizer);
  ordered_pipeline<std::vector<Document>, TextValues>(
      threads,
      [&](std::vector<Document>* batch) {
        Document document;
        while (batch->size() < kBatch && reader.next(&document))
          batch->push_back(std::move(document));
        return !batch->empty();
      },
      [&](std::vector<Document>&& batch) { return measure(batch, tokenizer); },
      [&](TextValues&& part) {
        std::ranges::copy(part.line, std::back_inserter(sum.line));
        std::ranges::copy(part.document, std::back_inserter(sum.document));
        for (size_t id = 0; id < part.pieces.size(); ++id) sum.pieces[id] += part.pieces[id];
        sum.characters += part.characters, sum.unknown += part.unknown;
        return true;
      });
  json out = {{"documents", reader.counts().documents},
              {"paragraphs", reader.counts().paragraphs},
              {"bytes", reader.counts().bytes},
              {"unit", tokenizer ? "pieces" : "characters"},
              {"line_length", distribution(sum.line, kTextBins)},
              {"document_length", distribution(sum.document, kTextBins)}};
  if (tokenizer) add_pieces(sum, *tokenizer, &out);
  return out;
}

}  // namespace

json data_statistics(const ResolvedData& data, const Tokenizer* tokenizer,
                     const QaFeatureSettings& settings, int threads) {
  json out = json::object();
  const std::vector<ExampleKind> kinds = example_kinds(data);
  const auto holds = [&](ExampleKind kind) { return std::ranges::count(kinds, kind) > 0; };
  if (holds(ExampleKind::questions)) {
    const KorquadSplits splits = load_korquad(data);
    const auto add = [&](const char* name, const KorquadSet& set) {
      out[name] = tokenizer ? in_pieces(set, *tokenizer, settings, threads) : in_characters(set);
      out[name]["words"] = frequent_words(set);
      out[name]["paragraphs"] = set.paragraphs.size();
      out[name]["questions"] = set.question_count();
    };
    add("train", splits.train);
    add("dev", splits.dev);
    add("test", splits.test);
  }
  if (std::ranges::count(data.set.files, "text", &DataFile::kind) > 0) {
    const TextFiles text = text_files(data);
    const auto add = [&](const std::string& name, const std::vector<std::string>& files) {
      if (!files.empty()) out["text " + name] = of_text(files, tokenizer, threads);
    };
    add("train", text.train);
    add("dev", text.dev);
    add("test", text.test);
  }
  if (holds(ExampleKind::labelled)) out.update(labelled_statistics(data, tokenizer, threads));
  if (holds(ExampleKind::tagged)) out.update(tagged_statistics(data, tokenizer, threads));
  for (size_t i = 0; i < data.files.size(); ++i)
    if (data.set.files[i].kind == "table" && !data.set.table)
      out[data.set.files[i].name] = {{"bytes", data.files[i].bytes}};
  return out;
}

}  // namespace minibert
