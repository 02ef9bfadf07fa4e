#include "data/statistics.h"

#include <algorithm>
#include <cmath>

#include "core/utf8.h"
#include "data/corpus.h"
#include "data/splits.h"

namespace minibert {
namespace {

using nlohmann::json;

// Linear interpolation between the nearest ranks, as NumPy's default.
double percentile(const std::vector<double>& sorted, double share) {
  const double rank = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(rank);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (rank - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

json lengths(std::vector<double> values) {
  if (values.empty()) return nullptr;
  std::sort(values.begin(), values.end());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value, squares += value * value;
  const auto count = static_cast<double>(values.size());
  const double mean = sum / count, low = percentile(values, 0.25), high = percentile(values, 0.75);
  return {{"min", values.front()},
          {"max", values.back()},
          {"mean", mean},
          {"deviation", std::sqrt(std::max(0.0, squares / count - mean * mean))},
          {"percentile_25", low},
          {"percentile_50", percentile(values, 0.5)},
          {"percentile_75", high},
          {"box_max", high + 1.5 * (high - low)}};
}

double characters(const std::string& text) {
  return static_cast<double>(code_point_offsets(text).size() - 1);
}

json in_characters(const KorquadSet& set) {
  std::vector<double> question, context, answer;
  for (const KorquadParagraph& paragraph : set.paragraphs) {
    context.push_back(characters(paragraph.context));
    for (const KorquadQuestion& one : paragraph.questions) {
      question.push_back(characters(one.question));
      answer.push_back(characters(one.answer));
    }
  }
  return {{"unit", "characters"},
          {"question_length", lengths(question)},
          {"context_length", lengths(context)},
          {"answer_length", lengths(answer)}};
}

json in_pieces(const KorquadSet& set, const Tokenizer& tokenizer, QaFeatureSettings settings,
               int threads) {
  const QaSplit split = encode_questions(set, tokenizer, settings, threads);
  std::vector<double> question, context, answer;
  size_t discarded = 0;
  for (const EncodedContext& one : split.contexts)
    context.push_back(static_cast<double>(one.ids.size()));
  for (uint32_t i = 0; i < split.examples.size(); ++i) {
    const QaExample& example = split.examples[i];
    question.push_back(static_cast<double>(example.question_ids.size()));
    answer.push_back(static_cast<double>(example.end - example.start + 1));
    discarded += course_discards(split, i, settings);
  }
  return {{"unit", "pieces"},
          {"question_length", lengths(question)},
          {"context_length", lengths(context)},
          {"answer_length", lengths(answer)},
          {"answers_beyond_the_window", discarded}};
}

json of_text(const std::vector<std::string>& files) {
  CorpusReader reader(files);
  Document document;
  while (reader.next(&document)) {
  }
  return {{"documents", reader.counts().documents},
          {"paragraphs", reader.counts().paragraphs},
          {"bytes", reader.counts().bytes}};
}

}  // namespace

json data_statistics(const ResolvedData& data, const Tokenizer* tokenizer,
                     const QaFeatureSettings& settings, int threads) {
  json out = json::object();
  const auto has_kind = [&](const std::string& kind) {
    return std::any_of(data.set.files.begin(), data.set.files.end(),
                       [&](const DataFile& file) { return file.kind == kind; });
  };
  if (has_kind("korquad")) {
    const KorquadSplits splits = load_korquad(data);
    const auto add = [&](const char* name, const KorquadSet& set) {
      out[name] = tokenizer ? in_pieces(set, *tokenizer, settings, threads) : in_characters(set);
      out[name]["paragraphs"] = set.paragraphs.size();
      out[name]["questions"] = set.question_count();
    };
    add("train", splits.train);
    add("dev", splits.dev);
    add("test", splits.test);
  }
  if (has_kind("text")) {
    const TextFiles text = text_files(data);
    const auto add = [&](const std::string& name, const std::vector<std::string>& files) {
      if (!files.empty()) out["text " + name] = of_text(files);
    };
    add("train", text.train);
    add("dev", text.dev);
    add("test", text.test);
  }
  for (size_t i = 0; i < data.files.size(); ++i)
    if (data.set.files[i].kind == "table")
      out[data.set.files[i].name] = {{"bytes", data.files[i].bytes}};
  return out;
}

}  // namespace minibert
