#include "task/pretrain/pretrain_task.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace minibert {
namespace {

const char* loss_name(Objective objective) {
  return objective == Objective::clm ? "lm_loss" : "mlm_loss";
}
const char* accuracy_name(Objective objective) {
  return objective == Objective::clm ? "lm_accuracy" : "mlm_accuracy";
}

}  // namespace

PretrainTask::PretrainTask(std::shared_ptr<PretrainingModel> model,
                           std::vector<PretrainPhase> phases,
                           std::shared_ptr<const InstanceFile> dev, PretrainOptions options,
                           torch::Device device, uint64_t seed)
    : BucketedTask(seed),
      model_(std::move(model)),
      phases_(std::move(phases)),
      dev_(std::move(dev)),
      options_(std::move(options)),
      device_(device) {
  for (const PretrainPhase& phase : phases_) {
    check_fits(*phase.instances);
    add_phase({lengths_of(*phase.instances, options_.blanks.get()), phase.batch_size, phase.epochs,
               phase.batch_pieces});
  }
  check_fits(*dev_);
  if (!follows_position()) return;
  int64_t epoch = 0, step = 0;
  for (const PretrainPhase& phase : phases_) {
    phase_starts_.push_back(step);
    for (int64_t last = epoch + phase.epochs; epoch < last; ++epoch) step += batch_count(epoch);
  }
  phase_starts_.push_back(step);
}

bool PretrainTask::follows_position() const {
  return std::ranges::any_of(
      phases_, [](const PretrainPhase& phase) { return phase.mask_probability_end > 0; });
}

double PretrainTask::mask_probability() const {
  const PretrainPhase& own = phases_[phase()];
  if (own.mask_probability_end == 0) return own.mask.probability;
  double done = position_.done;
  if (phases_.size() > 1) {
    const int64_t start = phase_starts_[phase()];
    const int64_t end = std::min(phase_starts_[phase() + 1], position_.steps);
    done = static_cast<double>(position_.step - start) / static_cast<double>(end - start);
  }
  return std::lerp(own.mask.probability, own.mask_probability_end, done);
}

void PretrainTask::check_fits(const InstanceFile& instances) const {
  if (static_cast<int64_t>(instances.longest()) > model_->config().max_positions)
    throw usage_error(instances.path() + ": an instance has " +
                      std::to_string(instances.longest()) +
                      " pieces, expected at most model.max_positions " +
                      std::to_string(model_->config().max_positions));
}

Batch PretrainTask::make_batch(int64_t index, Part part) {
  const PretrainPhase& phase = phases_[this->phase()];
  BatchSettings settings{.objective = options_.measuring.objective,
                         .mask = phase.mask,
                         .single_piece_share = phase.single_piece_share};
  settings.mask.probability = mask_probability();
  settings.blanks = options_.blanks.get();
  return pretrain_batch(*phase.instances, batch(index), settings, seed(),
                        static_cast<uint64_t>(epoch()), part);
}

StepOutput PretrainTask::step(const Batch& batch, uint64_t key) {
  model_->bert().set_dropout_key(key);
  const auto hidden = model_->encode(batch.ids, batch.segments, batch.targets[kQueries]);
  const int64_t predicted = batch.targets[kLabels].size(0);
  const auto masked = static_cast<double>(predicted);
  StepOutput out;
  if (predicted == 0 && batch.whole.targets > 0 && !options_.distillation) {
    out.loss = torch::zeros({}, batch.ids.device());  // it is the other parts that predict
  } else {
    MlmOutput mlm;
    if (options_.distillation) {
      out.loss = options_.distillation->loss(*model_, hidden, batch, &mlm);
    } else {
      const bool soft = batch.targets[kTaughtPieces].defined();
      const SoftTargets targets{
          {}, 1, 1, 0, {batch.targets[kTaughtPieces], batch.targets[kTaughtProbabilities]}};
      mlm = model_->mlm(hidden, batch.targets[kMaskedQueries], batch.targets[kLabels], batch.ids,
                        soft ? &targets : nullptr);
      out.loss = share_of(soft ? mlm.taught : mlm.loss, predicted, batch.whole.targets);
    }
    out.metrics[loss_name(options_.measuring.objective)] = {mlm.loss.detach() * masked, masked};
    out.metrics[accuracy_name(options_.measuring.objective)] = {mlm.correct, masked};
  }
  if (batch.targets[kNsp].defined() && options_.nsp_weight > 0) {
    const auto logits = model_->nsp(hidden);
    const auto loss = torch::nn::functional::cross_entropy(
        options_.nsp_double_softmax ? logits.softmax(-1) : logits, batch.targets[kNsp]);
    // Instances without a sentence task count as nothing.
    const auto examples = static_cast<double>(batch.judged);
    out.loss = out.loss + options_.nsp_weight * share_of(loss, batch.judged, batch.whole.examples);
    out.metrics["nsp_loss"] = {loss.detach() * examples, examples};
    out.metrics["nsp_accuracy"] = {logits.argmax(-1).eq(batch.targets[kNsp]).sum(), examples};
  }
  return out;
}

std::optional<StepFlops> PretrainTask::flops(const Batch& batch) const {
  const torch::Tensor& queries = batch.targets[kQueries];
  const int64_t length = batch.ids.size(1), predicted = batch.targets[kLabels].size(0);
  const PassShape shape{batch.ids.size(0), length, queries.defined() ? queries.size(1) : length};
  const bool judges = batch.targets[kNsp].defined() && options_.nsp_weight > 0;
  StepFlops out{model_->flops(shape, predicted, judges).both()};
  if (options_.distillation) out.teacher = options_.distillation->flops(shape, predicted);
  return out;
}

Metrics PretrainTask::evaluate_dev(Workers* workers) {
  PretrainMeasuring measuring = options_.measuring;
  measuring.kinds = false;  // a curve of each would be too much
  const Evaluation found =
      evaluate_pretraining(*model_, *dev_, measuring, kEvaluationMaskSeed, device_, workers);
  if (options_.measuring.tokenizer != nullptr && options_.measuring.objective == Objective::mlm)
    dev_example_ = shown_instance(*dev_, static_cast<size_t>(epoch()) % dev_->size(),
                                  options_.measuring, kEvaluationMaskSeed, *found.predictions);
  return found.metrics;
}

}  // namespace minibert
