#include "export/mbq_export.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <unordered_map>

#include "core/error.h"
#include "infer/engine/architecture.h"
#include "infer/format/mbq_file.h"
#include "infer/format/mbq_format.h"
#include "infer/kernels/quantize.h"

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

struct QuantizedMatrix {
  std::vector<int8_t> quantized,
      low;                    // [rows, cols] each; low is empty where there is no second byte
  std::vector<float> scales;  // [rows]
};

QuantizedMatrix quantized(const TensorSpec& spec, const std::vector<float>& values, bool with_low) {
  QuantizedMatrix matrix = {std::vector<int8_t>(values.size()),
                            std::vector<int8_t>(with_low ? values.size() : 0),
                            std::vector<float>(static_cast<size_t>(spec.rows))};
  infer::quantize_rows(values.data(), spec.rows, spec.cols, matrix.quantized.data(),
                       matrix.scales.data(), with_low ? matrix.low.data() : nullptr);
  if (spec.name == mbq::kToken)
    std::transform(matrix.low.begin(), matrix.low.end(), matrix.low.begin(), one_of_four);
  return matrix;
}

void add(const TensorSpec& spec, const QuantizedMatrix& matrix, std::vector<OwnedTensor>* tensors) {
  tensors->push_back({spec.name, Dtype::int8, spec.shape(), bytes_of(matrix.quantized)});
  if (!matrix.low.empty())
    tensors->push_back({spec.name + std::string(mbq::kLowSuffix), Dtype::int8, spec.shape(),
                        bytes_of(matrix.low)});
  tensors->push_back({spec.name + std::string(mbq::kScaleSuffix),
                      Dtype::float32,
                      {spec.rows},
                      bytes_of(matrix.scales)});
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
      add(spec, quantized(spec, values[spec.name], needs_low(spec.name, fine)), &tensors);
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
  if (!source.card.is_null()) metadata["card"] = source.card.dump();
  if (!config.fills_masks()) metadata[source.head.key] = settings;
  if (source.head.pairs) metadata[std::string(mbq::kPairs)] = *source.head.pairs ? "true" : "false";
  return infer::serialize_mbq(metadata, tensors);
}

AlignedBytes::AlignedBytes(std::string_view bytes)
    : blocks_(new Block[bytes.size() / sizeof(Block) + 1]), size_(bytes.size()) {
  std::memcpy(blocks_.get(), bytes.data(), bytes.size());
}

std::span<const uint8_t> AlignedBytes::span() const { return {blocks_[0].bytes, size_}; }

}  // namespace minibert
