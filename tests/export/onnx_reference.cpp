// Exports small random models of every shape and head, and a shipped one, as ONNX files, and writes
// what LibTorch computes of some inputs beside them: FOLDER/NAME.onnx and FOLDER/NAME.json, for onnx.mjs.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <utility>

#include "core/error.h"
#include "core/files.h"
#include "export/onnx_export.h"
#include "task/pretrain/stored_pretraining.h"
#include "task/qa/qa_model.h"
#include "task/sequence/sequence_model.h"
#include "task/tagging/tagging_task.h"
#include "task/weights.h"
#include "train/trainer.h"

namespace minibert {
namespace {

using nlohmann::json;
using Outputs = std::vector<std::pair<std::string, torch::Tensor>>;  // in the graph's order
using Compute = std::function<Outputs(const torch::Tensor& ids, const torch::Tensor& segments)>;

constexpr char kShipped[] = "results/kowiki_everyday/full/mini_bert_1m_soup-s1.h5";
constexpr int64_t kLong = 120;  // farther apart than the last bucket of offsets begins

BertConfig config_with(const json& changes) {
  json config = {{"kind", "bert"}, {"vocab_size", 40},     {"d_model", 16}, {"n_heads", 4},
                 {"d_ff", 24},     {"max_positions", 128}, {"n_layers", 2}};
  config.merge_patch(changes);
  return bert_from_json(config, "a test's model");
}

// Weights that tell every part from every other, also those that training starts at 0 or 1.
void randomize(torch::nn::Module& module) {
  torch::NoGradGuard no_grad;
  torch::manual_seed(11);
  for (const auto& item : module.named_parameters()) {
    const bool gain = item.key().ends_with("norm.weight");
    item.value().copy_(torch::randn_like(item.value()) * 0.3 + (gain ? 1 : 0));
  }
  module.eval();
}

// Rows of pieces of these lengths, filled up with padding, and their segments.
std::pair<torch::Tensor, torch::Tensor> rows(const std::vector<int64_t>& lengths,
                                             const BertConfig& config) {
  const auto count = static_cast<int64_t>(lengths.size());
  const int64_t longest = *std::max_element(lengths.begin(), lengths.end());
  torch::Tensor ids = torch::zeros({count, longest}, torch::kInt64), segments = ids.clone();
  for (int64_t i = 0; i < count; ++i) {
    const int64_t length = lengths[static_cast<size_t>(i)];
    ids[i].slice(0, 0, length).copy_(torch::randint(1, config.vocab_size, {length}));
    segments[i].slice(0, length / 2, length).fill_(config.segments - 1);
  }
  return {ids, segments};
}

json to_json(const torch::Tensor& tensor) {
  const torch::Tensor flat = tensor.contiguous();
  json out = {{"dims", flat.sizes().vec()}};
  if (flat.scalar_type() == torch::kInt64)
    out["data"] =
        std::vector<int64_t>(flat.data_ptr<int64_t>(), flat.data_ptr<int64_t>() + flat.numel());
  else
    out["data"] = std::vector<float>(flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel());
  return out;
}

class Folder {
 public:
  explicit Folder(std::string path) : path_(std::move(path)) {}

  // `outputs`: what the model computes of ids and segments.
  void write(const std::string& name, const BertConfig& config, const std::string& onnx,
             const std::vector<std::vector<int64_t>>& batches, const Compute& outputs) {
    torch::NoGradGuard no_grad;
    torch::manual_seed(7);
    json runs = json::array();
    for (const auto& lengths : batches) {
      const auto [ids, segments] = rows(lengths, config);
      json expected = json::array();
      for (const auto& [output, value] : Outputs(outputs(ids, segments))) {
        expected.push_back(to_json(value));
        expected.back()["name"] = output;
      }
      runs.push_back({{"input_ids", to_json(ids)},
                      {"token_type_ids", to_json(segments)},
                      {"outputs", expected}});
    }
    write_file_atomically(path_ + "/" + name + ".onnx", onnx);
    write_file_atomically(path_ + "/" + name + ".json", json(runs).dump());
  }

 private:
  std::string path_;
};

const std::vector<std::vector<int64_t>> kBatches = {{9}, {5, 9, 2}, {kLong}, {70, kLong}};

Outputs pretraining_outputs(PretrainingModel& model, bool masked_lm, const torch::Tensor& ids,
                            const torch::Tensor& segments) {
  const torch::Tensor hidden = model.encode(ids, segments);
  Outputs out;
  if (masked_lm) {
    const torch::Tensor flat = model.mlm_logits(hidden, torch::arange(ids.numel()), ids);
    out.emplace_back("logits", flat.view({ids.size(0), ids.size(1), -1}));
  }
  // Hugging Face's order.
  if (model.has_nsp()) out.emplace_back("seq_relationship_logits", model.nsp(hidden).flip(1));
  if (model.has_pooler()) out.emplace_back("pooler_output", model.pooler(hidden));
  out.emplace_back("last_hidden_state", hidden);
  return out;
}

void pretraining(Folder& folder, const std::string& name, const json& changes, bool sentences,
                 bool masked_lm = true) {
  const BertConfig config = config_with(changes);
  PretrainingModel model(config, sentences);
  randomize(model);
  const OnnxSource source{.model = config, .masked_lm = masked_lm};
  folder.write(name, config, make_onnx(source, to_record(weights_of(model)), {{"a key", "a text"}}),
               kBatches, [&](const torch::Tensor& ids, const torch::Tensor& segments) {
                 return pretraining_outputs(model, masked_lm, ids, segments);
               });
}

// `heads`: all outputs but the last.
void fine_tuned(Folder& folder, const std::string& name, const BertConfig& config, Model& model,
                bool mean, const Compute& heads) {
  randomize(model);
  const OnnxSource source{.model = config, .mean_pooling = mean};
  folder.write(name, config, make_onnx(source, to_record(weights_of(model)), {}), kBatches,
               [&](const torch::Tensor& ids, const torch::Tensor& segments) {
                 Outputs out = heads(ids, segments);
                 out.emplace_back("last_hidden_state", model.encoder().encode(ids, segments));
                 return out;
               });
}

void judgement(Folder& folder, const std::string& name, const BertConfig& config,
               const std::string& pooling, int64_t outputs) {
  SequenceModel model(config, {.pooling = pooling}, outputs);
  fine_tuned(folder, name, config, model, pooling == "mean",
             [&](const torch::Tensor& ids, const torch::Tensor& segments) {
               return Outputs{{"logits", model.outputs(ids, segments)}};
             });
}

void all_heads(Folder& folder) {
  const BertConfig plain = config_with(json::object()), causal = config_with({{"causal", true}});
  judgement(folder, "classes", plain, "cls", 3);
  judgement(folder, "number_of_mean", plain, "mean", 1);
  judgement(folder, "classes_left_to_right", causal, "cls", 2);
  TaggingModel tags(plain, 5, 0);
  fine_tuned(folder, "tags", plain, tags, false,
             [&](const torch::Tensor& ids, const torch::Tensor& segments) {
               return Outputs{{"logits", tags.logits(ids, segments, 0)}};
             });
  for (const int64_t answer_lengths : {0, 4}) {
    QaModel model(plain, answer_lengths);
    fine_tuned(
        folder, answer_lengths == 0 ? "span" : "span_and_lengths", plain, model, false,
        [&](const torch::Tensor& ids, const torch::Tensor& segments) {
          const torch::Tensor both = model.logits(ids, segments);
          return Outputs{{"start_logits", both.select(2, 0)}, {"end_logits", both.select(2, 1)}};
        });
  }
}

void all_shapes(Folder& folder) {
  pretraining(folder, "bert", {{"mlm_transform", true}, {"mlm_bias", true}, {"nsp_bias", true}},
              true);
  pretraining(folder, "pre_norm", {{"norm", "pre"}, {"activation", "gelu"}}, false);
  pretraining(folder, "shared_factorized",
              {{"share_layers", true}, {"embedding_size", 8}, {"n_layers", 3}, {"pooler", true}},
              false);
  pretraining(folder, "untied_relu", {{"mlm_tied", false}, {"activation", "relu"}, {"segments", 3}},
              true);
  pretraining(folder, "relative_gated",
              {{"position", "relative"}, {"head_gate", true}, {"norm", "pre"}, {"ffn", "geglu"}},
              false);
  pretraining(
      folder, "local_shared",
      {{"position", "relative"}, {"local_layers", 2}, {"n_layers", 4}, {"share_layers", true}},
      false);
  pretraining(folder, "all_local", {{"local_layers", 2}, {"norm", "pre"}}, false);
  pretraining(folder, "convolved", {{"conv", 3}, {"mlm_bias", true}}, true);
  pretraining(folder, "left_to_right", {{"causal", true}}, false);
  pretraining(folder, "left_to_right_relative",
              {{"causal", true}, {"position", "relative"}, {"norm", "pre"}}, false);
  pretraining(folder, "bonus_on_shown", {{"mlm_context", 3}, {"mlm_transform", true}}, false);
  pretraining(folder, "encoder_alone", {{"pooler", true}}, false, /*masked_lm=*/false);
}

void shipped(Folder& folder) {
  const RunRecord record = load_record(kShipped);
  const auto model = load_pretrained(record, kShipped);
  folder.write("shipped", model->config(), export_onnx(record, kShipped), {{12}, {7, 16, 11}},
               [&](const torch::Tensor& ids, const torch::Tensor& segments) {
                 return pretraining_outputs(*model, true, ids, segments);
               });
}

}  // namespace
}  // namespace minibert

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: onnx_reference FOLDER\n");
    return 2;
  }
  try {
    minibert::Folder folder(arguments[1]);
    minibert::all_heads(folder);
    minibert::all_shapes(folder);
    minibert::shipped(folder);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "onnx_reference: %s\n", error.what());
    return 1;
  }
}
