#include "export/mbq_export.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <unordered_map>

#include "core/error.h"
#include "core/files.h"
#include "core/sha256.h"
#include "infer/answerer.h"
#include "infer/classifier.h"
#include "infer/engine/architecture.h"
#include "infer/fill_mask.h"
#include "infer/format/mbq_file.h"
#include "infer/format/mbq_format.h"
#include "infer/kernels/quantize.h"
#include "infer/tagger.h"

namespace minibert {
namespace {

using infer::Dtype;
using infer::OwnedTensor;
using infer::TensorSpec;
namespace mbq = infer::mbq;

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// A model as narrow as this rounds badly: plain int8 changed 7 % of the best guesses of one of
// width 112. It gets 14-bit activations, and a second byte for the matrices that matter most.
constexpr int32_t kNarrow = 256;

bool needs_low(const std::string& name, bool narrow) {
  if (name == mbq::kSegment) return true;  // two rows, which every token's embedding has
  return narrow &&
         (name == mbq::kToken || name == mbq::kPosition || name == mbq::kMlmTransform + ".weight" ||
          name == mbq::kPooler + ".weight" || name.ends_with(mbq::kQkv + ".weight"));
}

// Four values of a low byte are enough for the token embeddings, most of a narrow model, and weigh
// two bits each once compressed.
int8_t one_of_four(int8_t low) {
  return static_cast<int8_t>((low < 0 ? -1 : 1) * (std::abs(low) < 64 ? 32 : 95));
}

void add_quantized(const TensorSpec& spec, const std::vector<float>& values, bool with_low,
                   std::vector<OwnedTensor>* tensors) {
  std::vector<int8_t> quantized(values.size()), low(with_low ? values.size() : 0);
  std::vector<float> scales(static_cast<size_t>(spec.rows));
  infer::quantize_rows(values.data(), spec.rows, spec.cols, quantized.data(), scales.data(),
                       with_low ? low.data() : nullptr);
  if (spec.name == mbq::kToken) std::transform(low.begin(), low.end(), low.begin(), one_of_four);
  tensors->push_back({spec.name, Dtype::int8, spec.shape(), bytes_of(quantized)});
  if (with_low)
    tensors->push_back(
        {spec.name + std::string(mbq::kLowSuffix), Dtype::int8, spec.shape(), bytes_of(low)});
  tensors->push_back(
      {spec.name + std::string(mbq::kScaleSuffix), Dtype::float32, {spec.rows}, bytes_of(scales)});
}

// Moves the mean of all token embeddings, which int8 would spend most of its steps on, to the
// segment embeddings: their sum stays, and every logit of a position changes by the same number. Keys of
// the bonus, which are made of tokens alone, get it in their bias.
void centre_tokens(const infer::ModelConfig& config,
                   std::unordered_map<std::string, std::vector<float>>* values) {
  const size_t width = static_cast<size_t>(config.embedding_size);
  std::vector<float>&token = values->at(mbq::kToken), &segment = values->at(mbq::kSegment);
  for (size_t k = 0; k < width; ++k) {
    double sum = 0;
    for (size_t i = k; i < token.size(); i += width) sum += token[i];
    const float mean = static_cast<float>(sum / config.vocab_size);
    for (size_t i = k; i < token.size(); i += width) token[i] -= mean;
    for (size_t i = k; i < segment.size(); i += width) segment[i] += mean;
    for (size_t r = 0; r < static_cast<size_t>(config.mlm_context); ++r)
      values->at(mbq::kContextKey + ".bias")[r] +=
          mean * values->at(mbq::kContextKey + ".weight")[r * width + k];
  }
}

const NamedTensor* weight_named(const RunRecord& record, const std::string& name) {
  const auto found = std::ranges::find(record.weights, name, &NamedTensor::name);
  return found == record.weights.end() ? nullptr : &*found;
}

// A run's "features"; an arm's own stand before those of the experiment.
nlohmann::json features_of(const RunRecord& record) {
  const nlohmann::json none = nlohmann::json::object();
  const nlohmann::json arms = record.config.value("arms", nlohmann::json::array());
  const nlohmann::json arm = arms.empty() ? none : arms[0];
  return arm.value("features", record.config.value("features", none));
}

// How a run that answers questions does it, all keys.
nlohmann::json answers_of(const RunRecord& record) {
  const infer::AnswerConfig defaults;
  nlohmann::json answers = {{"max_length", defaults.features.max_length},
                            {"max_question", defaults.features.max_question},
                            {"stride", defaults.features.stride},
                            {"overlap", defaults.features.overlap},
                            {"max_answer", defaults.spans.max_answer},
                            {"n_best", defaults.spans.n_best}};
  answers.update(features_of(record));
  answers.erase("training_windows");  // of earlier records
  return answers;
}

// The head that a run trained.
MbqHead head_of(const RunRecord& record) {
  const auto key = [](std::string_view name) { return std::string(name); };
  if (weight_named(record, mbq::kSpan + ".weight") != nullptr)
    return {key(mbq::kAnswers), answers_of(record)};
  const nlohmann::json settings = {
      {"max_length", features_of(record).value("max_length", nlohmann::json())}};
  if (weight_named(record, mbq::kTag + ".weight") != nullptr) return {key(mbq::kTags), settings};
  const NamedTensor* output = weight_named(record, mbq::kSequence + ".weight");
  if (output == nullptr) return {};
  if (output->shape.at(0) == 1)
    throw Error("found a model that gives a text one number, expected one that labels it");
  return {key(mbq::kClassifies), settings};
}

// What a `.mbq` with this head is loaded as.
infer::Status load_with_head(const MbqHead& head, std::span<const uint8_t> file) {
  if (head.key == mbq::kAnswers) return infer::Answerer().load(file);
  if (head.key == mbq::kClassifies) return infer::Classifier().load(file);
  if (head.key == mbq::kTags) return infer::Tagger().load(file);
  return infer::FillMask().load(file);
}

}  // namespace

std::string make_mbq(const MbqSource& source, const std::vector<NamedTensor>& weights,
                     MbqWeights type) {
  infer::ModelConfig config;
  const std::string settings = source.head.settings.dump();
  const auto status =
      infer::parse_config(source.model.dump(), {source.head.key, settings}, &config);
  if (!status.ok()) throw Error(status.message());
  std::unordered_map<std::string, const NamedTensor*> by_name;
  for (const NamedTensor& weight : weights) by_name[weight.name] = &weight;
  std::unordered_map<std::string, std::vector<float>> values;
  for (const TensorSpec& spec : infer::expected_tensors(config)) {
    const auto found = by_name.find(spec.name);
    if (found == by_name.end()) throw Error("weights/" + spec.name + ": missing");
    const NamedTensor& weight = *found->second;
    if (weight.shape != spec.shape() || weight.values.size() != spec.size())
      throw Error("weights/" + spec.name + ": found another shape than the architecture's");
    values[spec.name] = weight.values;
  }
  const bool int8 = type == MbqWeights::int8, fine = int8 && config.d_model <= kNarrow;
  if (int8) centre_tokens(config, &values);
  std::vector<OwnedTensor> tensors;
  for (const TensorSpec& spec : infer::expected_tensors(config)) {
    if (spec.kind == TensorSpec::Kind::matrix && int8) {
      add_quantized(spec, values[spec.name], needs_low(spec.name, fine), &tensors);
    } else {
      tensors.push_back({spec.name, Dtype::float32, spec.shape(), bytes_of(values[spec.name])});
    }
  }
  tensors.push_back({std::string(mbq::kTokenizer),
                     Dtype::uint8,
                     {static_cast<int64_t>(source.tokenizer_model.size())},
                     source.tokenizer_model});
  std::map<std::string, std::string> metadata = {
      {"format", std::string(mbq::kFormat)},
      {"version", std::string(infer::format_version(config))},
      {"weights", std::string(int8 ? mbq::kInt8 : mbq::kFloat32)},
      {"activations", std::string(fine ? mbq::kFine : mbq::kCoarse)},
      {"model", source.model.dump()},
      {"source_run", source.run},
      {"source_sha256", source.sha256},
      {"metrics", nlohmann::json(source.metrics).dump()}};
  if (!config.fills_masks()) metadata[source.head.key] = settings;
  return infer::serialize_mbq(metadata, tensors);
}

std::string export_record(const std::string& path, MbqWeights type) {
  const RunRecord record = load_record(path);
  const auto fail = [&](const std::string& what) { return Error(path + ": " + what); };
  const nlohmann::json model = record.config.value("model", nlohmann::json());
  if (!model.is_object()) throw fail("config has no \"model\"");
  const std::string kind = model.value("kind", "");
  if (kind != "bert") throw fail("found a \"" + kind + "\" model, expected a \"bert\"");
  if (record.weights.empty()) throw fail("the record has no weights");
  if (record.tokenizer_model.empty()) throw fail("the record has no tokenizer");
  try {
    const MbqSource source{model,
                           record.tokenizer_model,
                           record.experiment + "/" + record.profile + "/" + record.arm + "-s" +
                               std::to_string(record.seed),
                           sha256_file(path),
                           record.summary,
                           head_of(record)};
    std::string bytes = make_mbq(source, record.weights, type);
    // What the reader would refuse (a damaged tokenizer, more pieces than embeddings) is not handed
    // out.
    const infer::Status status = load_with_head(source.head, AlignedBytes(bytes).span());
    if (!status.ok()) throw Error("gives a model file that cannot be loaded: " + status.message());
    return bytes;
  } catch (const Error& error) {
    throw fail(error.what());
  }
}

AlignedBytes::AlignedBytes(std::string_view bytes)
    : blocks_(new Block[bytes.size() / sizeof(Block) + 1]), size_(bytes.size()) {
  std::memcpy(blocks_.get(), bytes.data(), bytes.size());
}

std::span<const uint8_t> AlignedBytes::span() const { return {blocks_[0].bytes, size_}; }

std::string load_or_export(const std::string& path) {
  return path.ends_with(".mbq") ? read_file(path) : export_record(path, MbqWeights::float32);
}

}  // namespace minibert
