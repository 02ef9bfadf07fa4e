#include "infer/engine/model.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "infer/engine/architecture.h"
#include "infer/engine/float_ops.h"
#include "infer/format/mbq_file.h"
#include "infer/format/mbq_format.h"

namespace minibert::infer {
namespace {

// Takes checked tensors out of a file; keeps the first error, also for left-over tensors.
class TensorReader {
 public:
  TensorReader(const MbqFile& file, bool quantized) : file_(file), quantized_(quantized) {}

  const float* vector(const std::string& name, int64_t size) {
    const auto bytes = take(name, Dtype::float32, {size});
    const auto* values = reinterpret_cast<const float*>(bytes.data());
    if (status_.ok() && !all_finite({values, size_t(size)}))
      fail(name, "found a number that is not finite");
    return values;
  }

  void table(const std::string& name, int32_t rows, int32_t cols, Matrix* matrix) {
    matrix->rows = rows;
    matrix->cols = cols;
    const auto bytes = take(name, Dtype::float32, {rows, cols});
    matrix->float32 = reinterpret_cast<const float*>(bytes.data());
    if (status_.ok() && !all_finite({matrix->float32, size_t(rows) * size_t(cols)}))
      fail(name, "found a number that is not finite");
  }

  void matrix(const std::string& name, int32_t rows, int32_t cols, Matrix* matrix) {
    if (!quantized_) return table(name, rows, cols, matrix);
    matrix->rows = rows;
    matrix->cols = cols;
    matrix->int8 = reinterpret_cast<const int8_t*>(take(name, Dtype::int8, {rows, cols}).data());
    const std::string low = name + std::string(mbq::kLowSuffix);
    if (file_.tensors.contains(low) && cols <= mbq::kMaxFineInner)
      matrix->low = reinterpret_cast<const int8_t*>(take(low, Dtype::int8, {rows, cols}).data());
    const std::string scale = name + std::string(mbq::kScaleSuffix);
    matrix->scales = vector(scale, rows);
    for (int32_t n = 0; status_.ok() && n < rows; ++n)
      if (!(matrix->scales[n] > 0)) fail(scale, "found a scale that is not above 0");
  }

  std::string_view text(std::string_view name) {
    const auto found = file_.tensors.find(std::string(name));
    if (found == file_.tensors.end() || found->second.dtype != Dtype::uint8 ||
        found->second.shape.size() != 1) {
      fail(std::string(name), "missing, or not a list of bytes");
      return {};
    }
    ++taken_;
    return {reinterpret_cast<const char*>(found->second.bytes.data()), found->second.bytes.size()};
  }

  Status finish() {
    if (!status_.ok()) return status_;
    size_t paddings = 0;
    for (const auto& [name, tensor] : file_.tensors) paddings += name.starts_with(mbq::kPadding);
    if (taken_ + paddings != file_.tensors.size())
      return Status::error("found " + std::to_string(file_.tensors.size() - paddings) +
                           " tensors, expected the " + std::to_string(taken_) +
                           " of this architecture");
    return {};
  }
  bool ok() const { return status_.ok(); }

 private:
  std::span<const uint8_t> take(const std::string& name, Dtype dtype,
                                const std::vector<int64_t>& shape) {
    const auto found = file_.tensors.find(name);
    if (found == file_.tensors.end()) {
      fail(name, "missing");
      return {};
    }
    const TensorView& tensor = found->second;
    if (tensor.dtype != dtype) {
      fail(name,
           "found another dtype, expected " + std::string(dtype == Dtype::int8 ? "I8" : "F32"));
      return {};
    }
    if (tensor.shape != shape) {
      fail(name, "found shape " + text_of(tensor.shape) + ", expected " + text_of(shape));
      return {};
    }
    ++taken_;
    return tensor.bytes;
  }
  static std::string text_of(const std::vector<int64_t>& shape) {
    std::string text = "[";
    for (size_t i = 0; i < shape.size() && i < 8; ++i)
      text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
    return text + "]";
  }
  void fail(const std::string& name, const std::string& what) {
    if (status_.ok()) status_ = Status::error("tensor \"" + name + "\": " + what);
  }
  const MbqFile& file_;
  bool quantized_;
  size_t taken_ = 0;
  Status status_;
};

std::string metadata(const MbqFile& file, const std::string& key) {
  const auto found = file.metadata.find(key);
  return found == file.metadata.end() ? "" : found->second;
}

Status check_format(const MbqFile& file, ModelFacts* facts) {
  const auto expect = [&](const std::string& key, std::string_view expected) {
    const std::string found = metadata(file, key);
    if (found == expected) return Status();
    return Status::error("__metadata__." + key + ": found \"" + found.substr(0, 60) +
                         "\", expected \"" + std::string(expected) + "\"");
  };
  const Status status = expect("format", mbq::kFormat);
  if (!status.ok()) return status;
  constexpr std::string_view kVersions[] = {mbq::kPlain,     mbq::kShaped, mbq::kAnswering,
                                            mbq::kLabelling, mbq::kBonus,  mbq::kLabelSets};
  const std::string version = metadata(file, "version");
  if (std::find(std::begin(kVersions), std::end(kVersions), version) == std::end(kVersions))
    return Status::error("__metadata__.version: found \"" + version.substr(0, 60) +
                         "\", expected \"" + std::string(mbq::kPlain) + "\" to \"" +
                         std::string(mbq::kLabelSets) + "\": a newer minibert may read it");
  facts->quantized = metadata(file, "weights") == mbq::kInt8;
  facts->fine = metadata(file, "activations") == mbq::kFine;
  if (!facts->quantized) return expect("weights", mbq::kFloat32);
  return facts->fine || !file.metadata.contains("activations")
             ? Status()
             : expect("activations", mbq::kCoarse);
}

// Which head the file has in the place of the masked LM's.
Status find_head(const MbqFile& file, HeadText* head) {
  for (const std::string_view key : {mbq::kAnswers, mbq::kClassifies, mbq::kTags}) {
    const auto found = file.metadata.find(std::string(key));
    if (found == file.metadata.end()) continue;
    if (!head->key.empty())
      return Status::error("__metadata__: found both \"" + std::string(head->key) + "\" and \"" +
                           std::string(key) + "\", expected one of them");
    *head = {key, found->second};
  }
  return {};
}

// Reads whether a labelling model was trained on pairs.
Status read_pairs(const MbqFile& file, ModelConfig* config) {
  if (!config->classifies || !file.metadata.contains(std::string(mbq::kPairs))) return {};
  const std::string found = metadata(file, std::string(mbq::kPairs));
  if (found != "true" && found != "false")
    return Status::error("__metadata__.pairs: found \"" + found.substr(0, 60) +
                         "\", expected \"true\" or \"false\"");
  config->classifies->pairs = found == "true";
  return {};
}

// A file has nothing that programs of its version would compute wrongly.
Status check_version(const MbqFile& file, const ModelConfig& config) {
  const std::string found = metadata(file, "version");
  const std::string_view needed = format_version(config);
  if (found == needed || (found == mbq::kShaped && needed == mbq::kPlain)) return {};
  return Status::error("__metadata__.version: found \"" + found + "\", expected \"" +
                       std::string(needed) + "\" for this architecture");
}

int32_t sum_of_row(const int8_t* values, int32_t n, int32_t cols) {
  int32_t sum = 0;
  for (int32_t k = 0; k < cols; ++k) sum += values[int64_t(n) * cols + k];
  return sum;
}

std::vector<float> sums_of_rows(const Matrix& matrix) {
  std::vector<float> sums(static_cast<size_t>(matrix.rows));
  for (int32_t n = 0; n < matrix.rows; ++n) {
    float& sum = sums[static_cast<size_t>(n)];
    sum = static_cast<float>(sum_of_row(matrix.int8, n, matrix.cols));
    if (matrix.low != nullptr)
      sum += static_cast<float>(sum_of_row(matrix.low, n, matrix.cols)) / mbq::kLowSteps;
  }
  return sums;
}

}  // namespace

Status another_task(const ModelConfig& config, std::string_view expected) {
  const std::string found = config.answers      ? "answers questions"
                            : config.classifies ? "labels texts"
                            : config.tags       ? "marks names"
                                                : "fills masks";
  return Status::error("the model " + found + ", expected one that " + std::string(expected));
}

// Fills a model from a checked container.
class ModelBuilder {
 public:
  static Status build(const MbqFile& file, size_t file_bytes, Model* model) {
    Status status = check_format(file, &model->facts_);
    HeadText head;
    if (status.ok()) status = find_head(file, &head);
    if (status.ok()) status = parse_config(metadata(file, "model"), head, &model->config_);
    if (status.ok()) status = read_pairs(file, &model->config_);
    if (status.ok()) status = check_version(file, model->config_);
    if (!status.ok()) return status;
    TensorReader reader(file, model->facts_.quantized);
    read_tensors(reader, model);
    model->tokenizer_ = reader.text(mbq::kTokenizer);
    status = reader.finish();
    if (!status.ok()) return status;
    add_row_sums(model);
    model->facts_.file_bytes = file_bytes;
    for (const TensorSpec& spec : expected_tensors(model->config_))
      model->facts_.parameters += spec.size();
    model->facts_.source_run = metadata(file, "source_run");
    model->facts_.source_sha256 = metadata(file, "source_sha256");
    status = read_metrics(metadata(file, "metrics"), &model->facts_);
    if (!status.ok() || !file.metadata.contains("card")) return status;
    return read_card(metadata(file, "card"), &model->facts_);
  }

 private:
  static void read_tensors(TensorReader& reader, Model* model) {
    const ModelConfig& c = model->config_;
    const int32_t d = c.d_model, e = c.embedding_size;
    const auto linear = [&](const std::string& name, int32_t rows, int32_t cols, Matrix* matrix) {
      reader.matrix(name + ".weight", rows, cols, matrix);
      matrix->bias = reader.vector(name + ".bias", rows);
    };
    const auto norm = [&](const std::string& name, int32_t size, Norm* to) {
      to->weight = reader.vector(name + ".weight", size);
      to->bias = reader.vector(name + ".bias", size);
    };
    reader.matrix(mbq::kToken, c.vocab_size, e, &model->token);
    if (!c.relative_position) reader.matrix(mbq::kPosition, c.max_positions, e, &model->position);
    reader.matrix(mbq::kSegment, c.segments, e, &model->segment);
    norm(mbq::kEmbeddingNorm, e, &model->embedding_norm);
    if (e != d) linear(mbq::kProjection, d, e, &model->projection);
    model->layers.resize(static_cast<size_t>(c.stored_layers()));
    for (int32_t i = 0; i < c.stored_layers() && reader.ok(); ++i) {
      const std::string prefix = mbq::kLayers + std::to_string(i);
      LayerWeights& layer = model->layers[static_cast<size_t>(i)];
      if (i < c.local_layers) {
        linear(prefix + mbq::kLocalValue, d, d, &layer.value);
        reader.table(prefix + mbq::kLocalConv, c.local_taps, d, &layer.conv);
        linear(prefix + mbq::kLocalOutput, d, d, &layer.output);
      } else {
        linear(prefix + mbq::kQkv, 3 * d, d, &layer.qkv);
        if (c.conv > 0) reader.table(prefix + mbq::kAttentionConv, c.conv, 3 * d, &layer.conv);
        if (c.relative_position)
          reader.table(prefix + mbq::kOffsets, c.n_heads, mbq::kOffsetBuckets, &layer.offsets);
        if (c.head_gate) {
          reader.table(prefix + mbq::kGate + ".weight", c.n_heads, d, &layer.gate);
          layer.gate.bias = reader.vector(prefix + mbq::kGate + ".bias", c.n_heads);
        }
        linear(prefix + mbq::kAttentionOutput, d, d, &layer.output);
      }
      norm(prefix + mbq::kAttentionNorm, d, &layer.attention_norm);
      linear(prefix + mbq::kInner, c.inner_rows(), d, &layer.inner);
      linear(prefix + mbq::kOuter, d, c.d_ff, &layer.outer);
      norm(prefix + mbq::kFfnNorm, d, &layer.ffn_norm);
    }
    if (c.pre_norm) norm(mbq::kFinalNorm, d, &model->final_norm);
    if (c.mlm_transform) {
      linear(mbq::kMlmTransform, e, d, &model->mlm_transform);
      norm(mbq::kMlmNorm, e, &model->mlm_norm);
    }
    if (c.mlm_bias) model->token.bias = reader.vector(mbq::kMlmBias, c.vocab_size);
    const auto small = [&](const std::string& name, int32_t rows, int32_t cols, Matrix* matrix) {
      reader.table(name + ".weight", rows, cols, matrix);
      matrix->bias = reader.vector(name + ".bias", rows);
    };
    if (c.mlm_context > 0) {
      small(mbq::kContextQuery, c.mlm_context, e, &model->context_query);
      small(mbq::kContextKey, c.mlm_context, e, &model->context_key);
    }
    const auto output = [&](const std::string& name, size_t rows, Matrix* matrix) {
      small(name, static_cast<int32_t>(rows), d, matrix);
    };
    if (c.classifies) {
      if (!c.classifies->mean_pooling) linear(mbq::kPooler, d, d, &model->pooler);
      output(mbq::kSequence, c.classifies->labels.size(), &model->sequence);
    }
    if (c.tags) output(mbq::kTag, c.tags->tags.size(), &model->tag);
    if (!c.answers) return;
    output(mbq::kSpan, 2, &model->span);
    const int32_t lengths = c.answers->lengths;
    if (lengths > 0)
      model->answer_lengths = {reader.vector(mbq::kAnswerLengths, lengths), size_t(lengths)};
  }

  static void add_row_sums(Model* model) {
    std::vector<Matrix*> matrices = {&model->token, &model->projection, &model->mlm_transform,
                                     &model->pooler};
    for (LayerWeights& layer : model->layers)
      for (Matrix* matrix : {&layer.qkv, &layer.value, &layer.output, &layer.inner, &layer.outer})
        matrices.push_back(matrix);
    for (Matrix* matrix : matrices) {
      if (matrix->int8 == nullptr) continue;
      model->row_sums_.push_back(sums_of_rows(*matrix));
      matrix->row_sums = model->row_sums_.back().data();
    }
  }

  static Status read_metrics(const std::string& text, ModelFacts* facts) {
    const auto object = nlohmann::json::parse(text, nullptr, false);
    if (!object.is_object())
      return Status::error("__metadata__.metrics: found no JSON object, expected one");
    for (const auto& [name, value] : object.items()) {
      if (!value.is_number())
        return Status::error("__metadata__.metrics." + name.substr(0, 60) + " is not a number");
      facts->metrics[name] = value.get<double>();
    }
    return {};
  }

  static Status read_card(const std::string& text, ModelFacts* facts) {
    const auto list = nlohmann::json::parse(text, nullptr, false);
    if (!list.is_array())
      return Status::error("__metadata__.card: found no JSON list, expected one");
    for (const auto& row : list) {
      const auto is_text = [&](const char* key) {
        return row.is_object() && row.contains(key) && row[key].is_string();
      };
      if (!is_text("name") || !is_text("heading") || !is_text("split") ||
          !row.contains("decimals") || !row["decimals"].is_number_unsigned() ||
          row["decimals"].get<uint64_t>() > mbq::kMaxDecimals ||
          !facts->metrics.contains(row["name"].get<std::string>()))
        return Status::error("__metadata__.card[" + std::to_string(facts->card.size()) +
                             "]: expected {name of a metric, heading, split, decimals}");
      const std::string name = row["name"];
      facts->card.push_back({name, row["heading"], row["split"], row["decimals"].get<int>(),
                             facts->metrics.at(name)});
    }
    return {};
  }
};

Status Model::load(std::span<const uint8_t> file) {
  *this = Model();
  MbqFile container;
  Status status = MbqFile::parse(file, &container);
  if (status.ok()) status = ModelBuilder::build(container, file.size(), this);
  if (!status.ok()) *this = Model();
  return status;
}

}  // namespace minibert::infer
