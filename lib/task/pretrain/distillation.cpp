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
  teacher_ = load_pretrained(record_, file);
  if (settings.cosine_weight > 0 && teacher_->config().d_model != student.d_model)
    throw usage_error("model.d_model: found " + std::to_string(student.d_model) +
                      ", expected the teacher's " + std::to_string(teacher_->config().d_model) +
                      " (" + file + ") or train.teacher.cosine_weight 0");
  sha256_ = minibert::weights_sha256(record_.weights);
  teacher_->bert().set_compute_type(compute.type);
  teacher_->to(compute.device);
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
  torch::Tensor teacher_hidden, teacher_logits;
  {
    torch::NoGradGuard no_grad;
    teacher_hidden = teacher_->encode(batch.ids, batch.segments, batch.targets[kQueries]);
    if (labels.size(0) > 0)
      teacher_logits = teacher_->mlm_logits(teacher_hidden, positions, batch.ids);
  }
  const auto apart = [&] {
    if (settings_.cosine_weight == 0) return 0 * hidden.sum();  // of a batch without masks, too
    const torch::Tensor cosine =
        F::cosine_similarity(hidden.to(torch::kFloat32), teacher_hidden.to(torch::kFloat32),
                             F::CosineSimilarityFuncOptions().dim(-1));
    return settings_.cosine_weight *
           share_of(1 - cosine.mean(), batch.examples, batch.whole.examples);
  };
  if (labels.size(0) == 0) {  // the other terms are means over nothing
    mlm->loss = torch::zeros({}, hidden.device());
    mlm->correct = torch::zeros({}, labels.options());
    return apart();
  }
  const torch::Tensor logits = student.mlm_logits(hidden, positions, batch.ids);
  mlm->loss = F::cross_entropy(logits, labels);
  mlm->correct = logits.detach().argmax(-1).eq(labels).sum();
  const double t = settings_.temperature;
  const torch::Tensor soft =
      F::kl_div((logits / t).log_softmax(-1), (teacher_logits / t).softmax(-1),
                F::KLDivFuncOptions().reduction(torch::kBatchMean));
  const auto of_masked = [&](const torch::Tensor& mean) {
    return share_of(mean, labels.size(0), batch.whole.targets);
  };
  return settings_.soft_weight * t * t * of_masked(soft) +
         settings_.mlm_weight * of_masked(mlm->loss) + apart();
}

}  // namespace minibert
