#include "export/mbq_export.h"

#include <cstring>
#include <unordered_map>

#include "core/error.h"
#include "core/files.h"
#include "core/sha256.h"
#include "infer/architecture.h"
#include "infer/mbq_file.h"
#include "infer/mbq_format.h"
#include "infer/quantize.h"

namespace minibert {
namespace {

using infer::Dtype;
using infer::OwnedTensor;
using infer::TensorSpec;

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::vector<int64_t> shape_of(const TensorSpec& spec) {
  return spec.matrix ? std::vector<int64_t>{spec.rows, spec.cols} : std::vector<int64_t>{spec.rows};
}

void add_quantized(const TensorSpec& spec, const NamedTensor& weight,
                   std::vector<OwnedTensor>* tensors) {
  std::vector<int8_t> quantized(weight.values.size());
  std::vector<float> scales(static_cast<size_t>(spec.rows));
  infer::quantize_rows(weight.values.data(), spec.rows, spec.cols, quantized.data(), scales.data());
  tensors->push_back({spec.name, Dtype::int8, shape_of(spec), bytes_of(quantized)});
  tensors->push_back({spec.name + std::string(infer::mbq::kScaleSuffix),
                      Dtype::float32,
                      {spec.rows},
                      bytes_of(scales)});
}

}  // namespace

std::string make_mbq(const MbqSource& source, const std::vector<NamedTensor>& weights,
                     MbqWeights type) {
  infer::ModelConfig config;
  const auto status = infer::parse_config(source.model.dump(), &config);
  if (!status.ok()) throw Error(status.message());
  std::unordered_map<std::string, const NamedTensor*> by_name;
  for (const NamedTensor& weight : weights) by_name[weight.name] = &weight;
  std::vector<OwnedTensor> tensors;
  for (const TensorSpec& spec : infer::expected_tensors(config)) {
    const auto found = by_name.find(spec.name);
    if (found == by_name.end()) throw Error("weights/" + spec.name + ": missing");
    const NamedTensor& weight = *found->second;
    if (weight.shape != shape_of(spec) || weight.values.size() != spec.size())
      throw Error("weights/" + spec.name + ": found another shape than the architecture's");
    if (spec.matrix && type == MbqWeights::int8) {
      add_quantized(spec, weight, &tensors);
    } else {
      tensors.push_back({spec.name, Dtype::float32, shape_of(spec), bytes_of(weight.values)});
    }
  }
  tensors.push_back({std::string(infer::mbq::kTokenizer),
                     Dtype::uint8,
                     {static_cast<int64_t>(source.tokenizer_model.size())},
                     source.tokenizer_model});
  return infer::serialize_mbq(
      {{"format", std::string(infer::mbq::kFormat)},
       {"version", std::string(infer::mbq::kVersion)},
       {"weights",
        std::string(type == MbqWeights::int8 ? infer::mbq::kInt8 : infer::mbq::kFloat32)},
       {"model", source.model.dump()},
       {"source_run", source.run},
       {"source_sha256", source.sha256},
       {"metrics", nlohmann::json(source.metrics).dump()}},
      tensors);
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
  for (const NamedTensor& weight : record.weights)
    if (weight.name == "qa.weight")
      throw fail("found a model fine-tuned to answer questions, expected a masked LM");
  const MbqSource source{model, record.tokenizer_model,
                         record.experiment + "/" + record.profile + "/" + record.arm + "-s" +
                             std::to_string(record.seed),
                         sha256_file(path), record.summary};
  try {
    return make_mbq(source, record.weights, type);
  } catch (const Error& error) {
    throw fail(error.what());
  }
}

AlignedBytes::AlignedBytes(std::string_view bytes)
    : blocks_(new Block[bytes.size() / sizeof(Block) + 1]), size_(bytes.size()) {
  std::memcpy(blocks_.get(), bytes.data(), bytes.size());
}

std::span<const uint8_t> AlignedBytes::span() const { return {blocks_.get()->bytes, size_}; }

std::string load_or_export(const std::string& path) {
  return path.ends_with(".mbq") ? read_file(path) : export_record(path, MbqWeights::float32);
}

}  // namespace minibert
