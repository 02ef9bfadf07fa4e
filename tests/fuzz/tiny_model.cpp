#include "tiny_model.h"

#include "infer/engine/architecture.h"
#include "infer/format/mbq_file.h"
#include "infer/format/mbq_format.h"
#include "infer/kernels/quantize.h"

namespace minibert::test {
namespace {

using infer::Dtype;
using infer::OwnedTensor;

std::string varint(uint64_t value) {
  std::string out;
  for (; value >= 128; value >>= 7) out += static_cast<char>((value & 127) | 128);
  return out + static_cast<char>(value);
}
std::string number(int field, uint64_t value) { return varint(field << 3) + varint(value); }
std::string bytes(int field, const std::string& value) {
  return varint(field << 3 | 2) + varint(value.size()) + value;
}

template <class T>
std::string raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

}  // namespace

std::string tiny_tokenizer() {
  enum Type { kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4 };
  std::string model;
  const auto piece = [&](const std::string& text, Type type, float score = 0) {
    std::string message = bytes(1, text);
    message += static_cast<char>(2 << 3 | 5);
    message += std::string(reinterpret_cast<const char*>(&score), sizeof(score));
    model += bytes(1, message + number(3, type));
  };
  piece("[PAD]", kControl);
  piece("[UNK]", kUnknown);
  piece("[BOS]", kControl);
  piece("[EOS]", kControl);
  piece("[SEP]", kUserDefined);
  piece("[CLS]", kUserDefined);
  piece("[MASK]", kUserDefined);
  float score = 0;
  for (const char* text : {"▁한", "한국", "▁", "한", "국", "어", "a", ".", "▁a"})
    piece(text, kNormal, --score);
  std::string trainer = number(3, 2) + number(4, 16);  // BPE, vocabulary
  trainer += number(40, 1) + number(41, 2) + number(42, 3) + number(43, 0);
  trainer += bytes(45, "[UNK]") + bytes(46, "[BOS]") + bytes(47, "[EOS]") + bytes(48, "[PAD]");
  model += bytes(2, trainer);
  return model + bytes(3, bytes(1, "identity") + number(3, 1) + number(4, 1) + number(5, 1));
}

std::string tiny_mbq(bool int8, Tiny size) {
  const bool everything = size != Tiny::plain;
  const infer::HeadText head =
      size == Tiny::answering
          ? infer::HeadText{infer::mbq::kAnswers,
                            "{\"max_length\":14,\"max_question\":5,\"stride\":3,"
                            "\"overlap\":true,\"max_answer\":3,\"n_best\":4}"}
      : size == Tiny::labelling ? infer::HeadText{infer::mbq::kClassifies, "{\"max_length\":12}"}
      : size == Tiny::naming    ? infer::HeadText{infer::mbq::kTags, "{\"max_length\":12}"}
                                : infer::HeadText{};
  const std::string model =
      std::string(
          "{\"kind\":\"bert\",\"vocab_size\":16,\"d_model\":8,\"n_heads\":2,\"d_ff\":12,"
          "\"n_layers\":3,\"max_positions\":16,\"layer_norm_eps\":0.001,") +
      (size == Tiny::shaped ? "\"position\":\"relative\",\"local_layers\":1,\"local_taps\":5,"
                              "\"conv\":3,\"ffn\":\"geglu\",\"head_gate\":true,\"mlm_context\":2,"
                            : "") +
      (size == Tiny::answering ? "\"segments\":4,\"answer_lengths\":2," : "") +
      (size == Tiny::labelling ? "\"pooling\":\"cls\",\"labels\":[\"a\",\"b\"]," : "") +
      (size == Tiny::naming ? "\"labels\":[\"O\",\"B-PS\",\"I-PS\"]," : "") +
      (everything ? "\"embedding_size\":5,\"share_layers\":true,\"norm\":\"pre\","
                    "\"mlm_transform\":true,\"mlm_bias\":true}"
                  : "\"embedding_size\":8,\"share_layers\":false,\"norm\":\"post\","
                    "\"mlm_transform\":false,\"mlm_bias\":false}");
  infer::ModelConfig config;
  if (!infer::parse_config(model, head, &config).ok()) return {};
  std::vector<OwnedTensor> tensors;
  for (const auto& spec : infer::expected_tensors(config)) {
    std::vector<float> values(spec.size());
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(static_cast<int>((i * 2654435761u) >> 7 & 63) - 32) / 64;
    const std::vector<int64_t> shape = spec.shape();
    if (spec.kind != infer::TensorSpec::Kind::matrix || !int8) {
      tensors.push_back({spec.name, Dtype::float32, shape, raw(values)});
      continue;
    }
    std::vector<int8_t> quantized(values.size()), low(values.size());
    std::vector<float> scales(static_cast<size_t>(spec.rows));
    infer::quantize_rows(values.data(), spec.rows, spec.cols, quantized.data(), scales.data(),
                         low.data());
    tensors.push_back({spec.name, Dtype::int8, shape, raw(quantized)});
    if (everything)
      tensors.push_back(
          {spec.name + std::string(infer::mbq::kLowSuffix), Dtype::int8, shape, raw(low)});
    tensors.push_back({spec.name + std::string(infer::mbq::kScaleSuffix),
                       Dtype::float32,
                       {spec.rows},
                       raw(scales)});
  }
  const std::string tokenizer = tiny_tokenizer();
  tensors.push_back({std::string(infer::mbq::kTokenizer),
                     Dtype::uint8,
                     {static_cast<int64_t>(tokenizer.size())},
                     tokenizer});
  std::map<std::string, std::string> metadata = {
      {"format", "minibert-mbq"},
      {"version", std::string(infer::format_version(config))},
      {"weights", int8 ? "int8" : "float32"},
      {"activations", everything ? "14" : "7"},
      {"model", model},
      {"source_run", "fuzz"},
      {"source_sha256", ""},
      {"metrics", "{\"mlm_accuracy\":0.5}"}};
  if (!head.key.empty()) metadata[std::string(head.key)] = head.text;
  // Without a checksum, which would hold off every change of the data.
  return infer::serialize_mbq(metadata, tensors, false);
}

std::vector<std::string> tiny_files() {
  std::vector<std::string> files;
  for (const bool int8 : {true, false})
    for (const Tiny size : {Tiny::plain, Tiny::everything, Tiny::shaped})
      files.push_back(tiny_mbq(int8, size));
  for (const Tiny size : {Tiny::answering, Tiny::labelling, Tiny::naming})
    for (const bool int8 : {true, false}) files.push_back(tiny_mbq(int8, size));
  return files;
}

}  // namespace minibert::test
