#include "task/tagging/tagging_task.h"

#include <algorithm>

#include "core/rng.h"
#include "core/text.h"
#include "core/utf8.h"
#include "score/entity_score.h"
#include "train/batching.h"
#include "train/spread.h"

namespace minibert {
namespace {

namespace F = torch::nn::functional;

constexpr int64_t kNoTag = -100;

// Returns the tags of `text`'s characters except spaces, which KLUE scores.
std::string without_spaces(const std::string& tags, const std::string& text) {
  const std::u32string characters = to_code_points(text);
  std::vector<std::string> kept;
  const std::vector<std::string_view> all = split_tags(tags);
  for (size_t i = 0; i < all.size(); ++i)
    if (characters[i] != U' ' && characters[i] != U'\t') kept.emplace_back(all[i]);
  return joined(kept, " ");
}

std::vector<uint32_t> lengths_of(const TaggingSplit& split) {
  std::vector<uint32_t> out;
  for (const auto& row : split.rows.ids) out.push_back(static_cast<uint32_t>(row.size()));
  return out;
}

// Returns the targets of these sentences' pieces as [B, S] int64 like `ids_BS`; kNoTag elsewhere.
torch::Tensor tag_tensor(const torch::Tensor& ids_BS, const std::vector<uint32_t>& indices,
                         const TagTargets& targets) {
  torch::Tensor tags_BS = torch::full_like(ids_BS, kNoTag);
  for (size_t row = 0; row < indices.size(); ++row) {
    const std::vector<int64_t>& tags = targets[indices[row]];
    std::copy(tags.begin(), tags.end(),
              tags_BS.data_ptr<int64_t>() + static_cast<int64_t>(row) * tags_BS.size(1) + 1);
  }
  return tags_BS;
}

// Over the pieces that have a tag.
torch::Tensor tag_loss(const torch::Tensor& logits_BSC, const torch::Tensor& tags_BS,
                       const F::CrossEntropyFuncOptions::reduction_t& reduction) {
  return F::cross_entropy(logits_BSC.view({-1, logits_BSC.size(2)}), tags_BS.view(-1),
                          F::CrossEntropyFuncOptions().ignore_index(kNoTag).reduction(reduction));
}

// Tags of every sentence's characters, separated by spaces, and the loss of all pieces.
struct Tagged {
  std::vector<std::string> tags;
  double loss = 0;
};

// Writes the tags of one batch's sentences into `out`.
void tag_sentences(const torch::Tensor& best_BS, const std::vector<uint32_t>& indices,
                   const TaggingSplit& split, const std::vector<std::string>& tags,
                   std::vector<std::string>* out) {
  for (size_t row = 0; row < indices.size(); ++row) {
    const int64_t* best = best_BS.data_ptr<int64_t>() + static_cast<int64_t>(row) * best_BS.size(1);
    const uint32_t index = indices[row];
    std::vector<std::string> of_pieces;
    for (size_t i = 0; i < split.characters[index].size(); ++i)
      of_pieces.push_back(tags[static_cast<size_t>(best[i + 1])]);
    const size_t characters = code_point_offsets(split.texts[index]).size() - 1;
    (*out)[index] = joined(character_tags(split.characters[index], of_pieces, characters), " ");
  }
}

// Tags all sentences in eval mode. Forward passes are spread over `workers`.
Tagged tag_all(TaggingModel& model, const TaggingSplit& split, const TagTargets& targets,
               const std::vector<std::string>& tags, torch::Device device, Workers* workers) {
  constexpr int64_t kBatchSize = 64;
  torch::NoGradGuard no_grad;
  model.eval();
  const auto batches = sorted_batches(lengths_of(split), kBatchSize);
  const auto found = make_spread(workers, batches.size(), [&](size_t number) -> Tensors {
    const Batch batch = batch_of(split.rows, batches[number]);
    const Batch there = batch.to(device);
    const torch::Tensor logits_BSC = model.logits(there.ids, there.segments, 0);
    const torch::Tensor tags_BS = tag_tensor(batch.ids, batches[number], targets).to(device);
    return {logits_BSC.argmax(-1).to(torch::kCPU).contiguous(),
            tag_loss(logits_BSC, tags_BS, torch::kSum).to(torch::kCPU)};
  });
  Tagged out{std::vector<std::string>(split.texts.size())};
  for (size_t number = 0; number < batches.size(); ++number) {
    tag_sentences(found[number][0], batches[number], split, tags, &out.tags);
    out.loss += found[number][1].item<double>();
  }
  return out;
}

}  // namespace

TaggingModel::TaggingModel(const ModelConfig& config, int64_t tags, double head_dropout)
    : Model(config.make()),
      head_(add_head(std::make_shared<TagHead>(encoder().width(), tags, head_dropout))) {}

void TaggingModel::initialize(uint64_t seed) {
  encoder().initialize(seed);
  head_->initialize(encoder(), seed);
}

torch::Tensor TaggingModel::logits(const torch::Tensor& ids, const torch::Tensor& segments,
                                   uint64_t key) {
  encoder().set_dropout_key(key);
  return (*head_)(encoder().encode(ids, segments), derive_seed(key, "head"));
}

std::vector<float> piece_logits_of(TaggingModel& model, const TextInputWindow& window) {
  torch::NoGradGuard no_grad;
  model.eval();
  TextRows rows;
  rows.ids.push_back(window.ids);
  rows.segments.push_back(window.segments);
  const Batch batch = batch_of(rows, {0});
  const torch::Tensor logits_SC = model.logits(batch.ids, batch.segments, 0)[0]
                                      .narrow(0, 1, window.text.count)
                                      .to(torch::kCPU)
                                      .contiguous();
  const float* first = logits_SC.data_ptr<float>();
  return {first, first + logits_SC.numel()};
}

Evaluation evaluate_tags(TaggingModel& model, const TaggingSplit& split, const TagTargets& targets,
                         const std::vector<std::string>& tags, torch::Device device,
                         Workers* workers) {
  Tagged found = tag_all(model, split, targets, tags, device, workers);
  double pieces = 0;
  for (const std::vector<int64_t>& sentence : targets)
    pieces += static_cast<double>(sentence.size());
  Evaluation out = score_tags(split, std::move(found.tags));
  if (pieces > 0) out.metrics["loss"] = found.loss / pieces;
  return out;
}

Evaluation score_tags(const TaggingSplit& split, std::vector<std::string> prediction) {
  Evaluation out;
  double entities = 0;
  std::vector<std::string> gold;
  for (size_t i = 0; i < split.gold.size(); ++i) {
    gold.push_back(without_spaces(split.gold[i], split.texts[i]));
    prediction[i] = without_spaces(prediction[i], split.texts[i]);
    for (const auto& [type, counts] : entity_counts(gold[i], prediction[i]))
      entities += counts.gold;
  }
  out.metrics = {{"entity_macro_f1", entity_macro_f1(gold, prediction)},
                 {"character_macro_f1", character_macro_f1(gold, prediction)},
                 {"entities", entities},
                 {"examples", static_cast<double>(split.ids.size())}};
  out.predictions = Predictions{
      split.ids,
      {{"text", split.texts}, {"gold", std::move(gold)}, {"prediction", std::move(prediction)}},
      {}};
  return out;
}

TaggingTask::TaggingTask(std::shared_ptr<TaggingModel> model,
                         std::shared_ptr<const TaggingSplit> train, TagTargets targets,
                         std::shared_ptr<const TaggingSplit> dev, TagTargets dev_targets,
                         std::vector<std::string> tags, const TrainConfig& config,
                         torch::Device device, uint64_t seed)
    : BucketedTask(seed),
      model_(std::move(model)),
      train_(std::move(train)),
      dev_(std::move(dev)),
      targets_(std::move(targets)),
      dev_targets_(std::move(dev_targets)),
      tags_(std::move(tags)),
      device_(device) {
  add_phase({lengths_of(*train_), config.batch_size, config.epochs});
}

Batch TaggingTask::make_batch(int64_t index, Part part) {
  const auto& all = batch(index);
  const std::vector<uint32_t> indices = examples_of(all, part);
  Batch batch = batch_of(train_->rows, indices);
  batch.targets = {tag_tensor(batch.ids, indices, targets_)};
  batch.whole.examples = static_cast<int64_t>(all.size());
  for (const uint32_t sentence : all) {
    batch.whole.tokens += lengths()[sentence];
    batch.whole.targets += static_cast<int64_t>(targets_[sentence].size());
  }
  return batch;
}

StepOutput TaggingTask::step(const Batch& batch, uint64_t key) {
  const torch::Tensor logits_BSC = model_->logits(batch.ids, batch.segments, key);
  const torch::Tensor& tags_BS = batch.targets[0];
  const int64_t tagged = batch.tokens - 2 * batch.examples;
  const auto pieces = static_cast<double>(tagged);
  // Where no sentence has a piece the mean would be over nothing.
  const torch::Tensor loss =
      tagged > 0 ? tag_loss(logits_BSC, tags_BS, torch::kMean) : logits_BSC.sum() * 0;
  StepOutput out;
  out.loss = share_of(loss, tagged, batch.whole.targets);
  out.metrics["loss"] = {loss.detach() * pieces, pieces};
  out.metrics["tag_accuracy"] = {logits_BSC.argmax(-1).eq(tags_BS).sum(), pieces};
  return out;
}

std::optional<StepFlops> TaggingTask::flops(const Batch& batch) const {
  const PassShape shape{batch.ids.size(0), batch.ids.size(1), batch.ids.size(1)};
  return StepFlops{
      (model_->encoder().flops(shape) + model_->head().flops(shape.rows * shape.length)).both()};
}

Metrics TaggingTask::evaluate_dev(Workers* workers) {
  return evaluate_tags(*model_, *dev_, dev_targets_, tags_, device_, workers).metrics;
}

}  // namespace minibert
