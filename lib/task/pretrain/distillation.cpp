#include "task/pretrain/distillation.h"

#include <torch/nn/functional/distance.h>

#include "core/error.h"
#include "task/pretrain/pretrain_batch.h"
#include "task/pretrain/stored_pretraining.h"
#include "task/weights.h"

namespace minibert {
namespace {

constexpr std::string_view kLayers = "bert.layers.";

}  // namespace

Distillation::Distillation(const DistillationSettings& settings, const std::string& file,
                           const BertConfig& student, const Tokenizer& tokenizer,
                           const Compute& compute)
    : settings_(settings), file_(file), record_(load_record(file)) {
  if (record_.tokenizer_model != tokenizer.bytes())
    throw usage_error("train.teacher.run: " + file +
                      " was trained with another tokenizer, expected the experiment's");
  if (settings.soft_weight > 0) {
    const StoredPretraining stored = stored_pretraining(record_, file);
    if (!stored.masked_lm)
      throw usage_error("train.teacher.run: " + file +
                        " has no trained masked-LM head, expected one, or soft_weight 0");
    if (stored.objective != Objective::mlm)
      throw usage_error("train.teacher.run: " + file +
                        " was trained with objective \"clm\", expected \"mlm\", or soft_weight 0");
  }
  teacher_ = load_pretrained(record_, file);
  if (settings.cosine_weight > 0 && teacher_->config().d_model != student.d_model)
    throw usage_error("model.d_model: found " + std::to_string(student.d_model) +
                      ", expected the teacher's " + std::to_string(teacher_->config().d_model) +
                      " (" + file + ") or train.teacher.cosine_weight 0");
  sha256_ = minibert::weights_sha256(record_.weights);
  teacher_->bert().set_compute_type(compute.type);
  teacher_->to(compute.device);
}

void Distillation::check_length(int64_t longest) const {
  if (const int64_t most = teacher_->config().max_positions; longest > most)
    throw usage_error("train.teacher.run: " + file_ + " reads at most " + std::to_string(most) +
                      " pieces, expected at least the instances' " + std::to_string(longest));
}

void Distillation::start(PretrainingModel& student) const {
  const int64_t layers = stored_layers(student.config());
  const int64_t stride = std::max<int64_t>(1, stored_layers(teacher_->config()) / layers);
  std::vector<NamedTensor> weights;
  for (NamedTensor one : record_.weights) {
    if (one.name.starts_with(kLayers)) {
      size_t digits = 0;
      const int64_t layer = std::stoll(one.name.substr(kLayers.size()), &digits);
      if (layer % stride != 0 || layer / stride >= layers) continue;
      one.name = std::string(kLayers) + std::to_string(layer / stride) +
                 one.name.substr(kLayers.size() + digits);
    }
    weights.push_back(std::move(one));
  }
  load_some_weights(
      student, weights, [](const std::string&) { return false; }, file_);
}

torch::Tensor Distillation::loss(PretrainingModel& student, const torch::Tensor& hidden,
                                 const Batch& batch, MlmOutput* mlm) const {
  namespace F = torch::nn::functional;
  const torch::Tensor &positions = batch.targets[kMaskedQueries], &labels = batch.targets[kLabels];
  torch::Tensor teacher_hidden;
  SoftTargets soft{{}, settings_.temperature, settings_.soft_weight, settings_.mlm_weight};
  {
    torch::NoGradGuard no_grad;
    teacher_hidden = teacher_->encode(batch.ids, batch.segments, batch.targets[kQueries]);
    soft.scores = teacher_->mlm_scores(teacher_hidden, positions, batch.ids);
  }
  *mlm = student.mlm(hidden, positions, labels, batch.ids, &soft);
  const torch::Tensor taught = share_of(mlm->taught, labels.size(0), batch.whole.targets);
  if (settings_.cosine_weight == 0) return taught;
  const torch::Tensor cosine =
      F::cosine_similarity(hidden.to(torch::kFloat32), teacher_hidden.to(torch::kFloat32),
                           F::CosineSimilarityFuncOptions().dim(-1));
  return taught + settings_.cosine_weight *
                      share_of(1 - cosine.mean(), batch.examples, batch.whole.examples);
}

}  // namespace minibert
