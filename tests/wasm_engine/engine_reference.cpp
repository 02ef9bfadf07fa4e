// engine_reference FOLDER LINES.txt: writes models of several architectures to FOLDER, and prints
// as JSON what the native engine makes of the lines and of given pieces. Numbers are compared by
// the hash of their bits.
#include <cstdio>
#include <fstream>
#include <iostream>

#include "core/files.h"
#include "infer/fill_json.h"
#include "infer/intervene.h"
#include "infer/particles.h"
#include "infer/random_model.h"
#include "support/shipped.h"
#include "task/all/export_run.h"

using minibert::AlignedBytes;
using minibert::export_record;
using minibert::MbqWeights;
using minibert::write_file_atomically;
using minibert::test::answering_model;
using minibert::test::classifying_head;
using minibert::test::classifying_model;
using minibert::test::random_answering_mbq;
using minibert::test::random_headed_mbq;
using minibert::test::random_mbq;
using minibert::test::shapes;
using minibert::test::small_answers;
using minibert::test::small_model;
using minibert::test::tagging_head;
using minibert::test::tagging_model;
using minibert::testing::kShippedAnswers;
using minibert::testing::kShippedClassifier;
using minibert::testing::kShippedModel;
using minibert::testing::kShippedTagger;
using nlohmann::json;
using nlohmann::ordered_json;

namespace infer = minibert::infer;

namespace {

// FNV-1a of the bytes.
uint32_t hash(std::span<const float> values) {
  uint32_t hash = 2166136261u;
  for (const uint8_t byte :
       std::span(reinterpret_cast<const uint8_t*>(values.data()), values.size_bytes()))
    hash = (hash ^ byte) * 16777619u;
  return hash;
}

// [CLS] … [MASK] … of any pieces, as run.mjs makes them.
std::vector<int32_t> pieces(int32_t length, int32_t vocabulary) {
  std::vector<int32_t> ids(static_cast<size_t>(length));
  for (int32_t i = 0; i < length; ++i) ids[i] = 7 + (length * 131 + i * 37) % (vocabulary - 7);
  ids[length / 2] = infer::kMaskId;
  return ids;
}

ordered_json reference(const std::string& file, const std::vector<std::string>& lines) {
  const AlignedBytes bytes(file);
  infer::FillMask model;
  const auto status = model.load(bytes.span());
  if (!status.ok()) throw std::runtime_error(status.message());
  ordered_json result = {{"tokens", json::array()}, {"logits", json::array()}};
  for (const std::string& line : lines) {
    std::vector<infer::Token> tokens;
    const auto tokenized = model.tokenize(line, &tokens);
    result["tokens"].push_back(tokenized.ok() ? infer::to_json(tokens)
                                              : ordered_json(tokenized.message()));
  }
  const int32_t vocabulary = model.model().config().vocab_size;
  for (const int32_t length : {1, 2, 3, 7, 16, 31, 32, 33, 64}) {
    if (!model.encode_ids(pieces(length, vocabulary)).ok()) throw std::runtime_error("encode");
    result["logits"].push_back({{"length", length}, {"hash", hash(model.logits(length / 2))}});
  }
  std::vector<infer::Token> tokens;
  if (!model.attend("나라 [MASK] 나라", &tokens).ok()) throw std::runtime_error("attend");
  const auto& config = model.model().config();
  const auto attention = model.engine().attention(config.local_layers, 0);
  result["attention"] =
      hash({attention.data(),
            attention.size() * size_t(config.attention_layers()) * size_t(config.n_heads)});
  infer::FillResult filled;
  if (!model.fill("나라 [MASK] 나라[MASK].", 10, &filled).ok()) throw std::runtime_error("fill");
  result["fill"] = infer::to_json(filled);
  result["fill"].erase("timing");
  infer::ChangedResult changed;
  const std::string last = std::to_string(config.n_layers);
  minibert::Intervention what;
  if (!minibert::read_parts(config.attention_layers() > 0 ? "1," + last + ".1" : "1", &what))
    throw std::runtime_error("parts");
  if (const infer::Status status =
          infer::fill_changed(model, "나라 [MASK] 나라[MASK].", 10, what,
                              {"나라 [MASK]", 1, {{2, 1}}}, 0, "나라", &changed);
      !status.ok())
    throw std::runtime_error(status.message());
  result["changed"] = infer::to_json(changed);
  return result;
}

// Returns a question answering model's answers to the lines, each asked of all lines.
ordered_json answers_reference(const std::string& file, const std::vector<std::string>& lines) {
  const AlignedBytes bytes(file);
  infer::Answerer model;
  const auto status = model.load(bytes.span());
  if (!status.ok()) throw std::runtime_error(status.message());
  std::string context;
  for (const std::string& line : lines) context += line + "\n";
  ordered_json result = json::array();
  for (const std::string& line : lines) {
    infer::AnswerResult found;
    const auto answered = infer::answer_without_particles(model, line, context, 5, &found);
    ordered_json told = answered.ok() ? infer::to_json(found) : ordered_json(answered.message());
    if (answered.ok()) told.erase("timing");
    result.push_back(std::move(told));
  }
  return {{"context", context}, {"answers", result}};
}

// Returns a labelling or tagging model's result for each line; an error is a text.
ordered_json labels_reference(const std::string& file, const std::vector<std::string>& lines) {
  const AlignedBytes bytes(file);
  infer::Classifier model;
  const auto status = model.load(bytes.span());
  if (!status.ok()) throw std::runtime_error(status.message());
  ordered_json result = json::array();
  for (const std::string& line : lines) {
    infer::ClassifyResult found;
    const auto done = model.classify(line, lines[0], true, &found);
    result.push_back(done.ok() ? infer::to_json(found) : ordered_json(done.message()));
    if (done.ok()) result.back().erase("timing");
  }
  return result;
}

ordered_json names_reference(const std::string& file, const std::vector<std::string>& lines) {
  const AlignedBytes bytes(file);
  infer::Tagger model;
  const auto status = model.load(bytes.span());
  if (!status.ok()) throw std::runtime_error(status.message());
  ordered_json result = json::array();
  for (const std::string& line : lines) {
    infer::TagResult found;
    const auto done = infer::tag_without_particles(model, line, &found);
    result.push_back(done.ok() ? infer::to_json(found) : ordered_json(done.message()));
    if (done.ok()) result.back().erase("timing");
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::vector<std::string> lines;
  std::ifstream input(argv[2]);
  for (std::string line; std::getline(input, line);) lines.push_back(line);
  const json odd = {{"d_model", 33}, {"n_heads", 3}, {"d_ff", 71}, {"embedding_size", 33}};
  const json everything = {{"norm", "pre"},         {"share_layers", true}, {"embedding_size", 17},
                           {"mlm_transform", true}, {"mlm_bias", true},     {"d_model", 36},
                           {"n_heads", 2},          {"d_ff", 130}};
  const json wide = {{"d_model", 261}, {"n_heads", 3}, {"d_ff", 1039}, {"embedding_size", 261}};
  std::vector<std::pair<std::string, std::string>> models = {
      {"shipped", export_record(kShippedModel, MbqWeights::int8)},
      {"odd", random_mbq(small_model(odd), MbqWeights::int8)},
      {"everything", random_mbq(small_model(everything), MbqWeights::int8)},
      {"wide", random_mbq(small_model(wide), MbqWeights::int8)},
      {"float32", random_mbq(small_model(everything), MbqWeights::float32)},
  };
  int number = 0;
  for (const auto& shape : shapes())
    models.emplace_back("shape-" + std::to_string(number++),
                        random_mbq(small_model(shape.changes), MbqWeights::int8));
  ordered_json result;
  for (const auto& [name, file] : models) {
    write_file_atomically(std::string(argv[1]) + "/" + name + ".mbq", file);
    result[name] = reference(file, lines);
  }
  const json wide_windows = small_answers({{"max_length", 64}, {"stride", 20}});
  const std::vector<std::pair<std::string, std::string>> answering = {
      {"answers-shipped", export_record(kShippedAnswers, MbqWeights::int8)},
      {"answers-plain",
       random_answering_mbq(answering_model(wide_windows), wide_windows, MbqWeights::int8)},
      {"answers-float32", random_answering_mbq(answering_model(small_answers()), small_answers(),
                                               MbqWeights::float32)},
  };
  ordered_json asked;
  for (const auto& [name, file] : answering) {
    write_file_atomically(std::string(argv[1]) + "/" + name + ".mbq", file);
    asked[name] = answers_reference(file, lines);
  }
  ordered_json labels, names;
  const auto add = [&](const std::string& name, const std::string& file, auto reference,
                       ordered_json* to) {
    write_file_atomically(std::string(argv[1]) + "/" + name + ".mbq", file);
    (*to)[name] = reference(file, lines);
  };
  const json mean = {{"pooling", "mean"}, {"norm", "pre"}, {"position", "relative"}};
  add("labels-shipped", export_record(kShippedClassifier, MbqWeights::int8), labels_reference,
      &labels);
  add("labels-cls", random_headed_mbq(classifying_model(), classifying_head(), MbqWeights::int8),
      labels_reference, &labels);
  add("labels-mean",
      random_headed_mbq(classifying_model(mean), classifying_head(), MbqWeights::int8),
      labels_reference, &labels);
  add("names-shipped", export_record(kShippedTagger, MbqWeights::int8), names_reference, &names);
  add("names-random", random_headed_mbq(tagging_model(), tagging_head(), MbqWeights::int8),
      names_reference, &names);
  std::cout << ordered_json{{"filling", result},
                            {"answering", asked},
                            {"labelling", labels},
                            {"naming", names}}
                   .dump()
            << "\n";
  return 0;
}
