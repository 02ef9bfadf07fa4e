#include "task/pretrain/pretrain_task.h"

#include <algorithm>

#include "core/error.h"
#include "core/utf8.h"
#include "train/batching.h"

namespace minibert {
namespace {

const char* loss_name(Objective objective) {
  return objective == Objective::clm ? "lm_loss" : "mlm_loss";
}
const char* accuracy_name(Objective objective) {
  return objective == Objective::clm ? "lm_accuracy" : "mlm_accuracy";
}

// A space before a piece (▁, Ġ) or the mark that it continues a word (##) is no text of its own.
size_t text_bytes(const Tokenizer& tokenizer, int32_t id) {
  constexpr std::string_view kSpace = "\xe2\x96\x81", kByteSpace = "\xc4\xa0", kContinues = "##";
  const std::string_view piece = tokenizer.piece(id);
  const std::string_view mark = tokenizer.is_wordpiece()  ? kContinues
                                : tokenizer.is_byte_bpe() ? kByteSpace
                                                          : kSpace;
  const std::string_view text = piece.substr(piece.starts_with(mark) ? mark.size() : 0);
  // Byte-level BPE writes every byte as a letter.
  return tokenizer.is_byte_bpe() ? to_code_points(text).size() : text.size();
}

double bytes_of(const torch::Tensor& labels, const std::vector<uint8_t>& piece_bytes) {
  double sum = 0;
  for (int64_t i = 0; i < labels.size(0); ++i)
    sum += piece_bytes[static_cast<size_t>(labels.data_ptr<int64_t>()[i])];
  return sum;
}

}  // namespace

std::vector<uint8_t> piece_bytes(const Tokenizer& tokenizer) {
  constexpr size_t kUnknown = 3;
  std::vector<uint8_t> bytes;
  for (int32_t id = 0; id < tokenizer.size(); ++id)
    bytes.push_back(static_cast<uint8_t>(std::min<size_t>(
        255, id == tokenizer.special().unk ? kUnknown : text_bytes(tokenizer, id))));
  return bytes;
}

Metrics evaluate_pretraining(PretrainingModel& model, const InstanceFile& instances,
                             const PretrainOptions& options, uint64_t mask_seed,
                             torch::Device device, int64_t batch_size) {
  torch::NoGradGuard no_grad;
  const BatchSettings batching{.objective = options.objective, .mask = options.mask};
  double bytes = 0, mlm_loss = 0, correct = 0, masked = 0, nsp_loss = 0, nsp_correct = 0,
         sentences = 0;
  double course_nsp = 0;
  for (const auto& indices : sorted_batches(lengths_of(instances), batch_size)) {
    const Batch on_cpu = pretrain_batch(instances, indices, batching, mask_seed, 0);
    if (!options.piece_bytes.empty())
      bytes += bytes_of(on_cpu.targets[kLabels], options.piece_bytes);
    const Batch batch = on_cpu.to(device);
    const auto hidden = model.encode(batch.ids, batch.segments, batch.targets[kQueries]);
    const auto mlm = model.mlm(hidden, batch.targets[kMaskedQueries], batch.targets[kLabels]);
    const auto count = static_cast<double>(batch.targets[kLabels].size(0));
    mlm_loss += mlm.loss.item<double>() * count;
    correct += mlm.correct.item<double>();
    masked += count;
    if (!batch.targets[kNsp].defined()) continue;
    const auto logits = model.nsp(hidden);
    nsp_loss += torch::nn::functional::cross_entropy(
                    logits, batch.targets[kNsp],
                    torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum))
                    .item<double>();
    course_nsp += torch::nn::functional::cross_entropy(
                      logits.softmax(-1), batch.targets[kNsp],
                      torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum))
                      .item<double>();
    nsp_correct += logits.argmax(-1).eq(batch.targets[kNsp]).sum().item<double>();
    sentences += static_cast<double>(batch.examples);
  }
  Metrics metrics;
  const auto total = static_cast<double>(instances.size());
  metrics["instances"] = total;
  metrics[loss_name(options.objective)] = mlm_loss / masked;
  metrics[accuracy_name(options.objective)] = correct / masked;
  if (bytes > 0) metrics["loss_per_byte"] = mlm_loss / bytes;
  if (options.objective == Objective::mlm)
    metrics["course_mlm_loss"] =
        20.0 * mlm_loss / (total * static_cast<double>(instances.longest()));
  if (sentences > 0) {
    metrics["nsp_loss"] = nsp_loss / sentences;
    metrics["nsp_accuracy"] = nsp_correct / sentences;
    metrics["course_nsp_loss"] = course_nsp / sentences;
  }
  return metrics;
}

PretrainTask::PretrainTask(std::shared_ptr<PretrainingModel> model,
                           std::vector<PretrainPhase> phases,
                           std::shared_ptr<const InstanceFile> dev, PretrainOptions options,
                           torch::Device device, uint64_t seed)
    : model_(std::move(model)),
      phases_(std::move(phases)),
      dev_(std::move(dev)),
      options_(std::move(options)),
      device_(device),
      seed_(seed) {
  for (const PretrainPhase& phase : phases_)
    if (static_cast<int64_t>(phase.instances->longest()) > model_->config().max_positions)
      throw usage_error(phase.instances->path() + ": an instance has " +
                        std::to_string(phase.instances->longest()) +
                        " pieces, expected at most model.max_positions " +
                        std::to_string(model_->config().max_positions));
}

int64_t PretrainTask::epochs() const {
  int64_t epochs = 0;
  for (const PretrainPhase& phase : phases_) epochs += phase.epochs;
  return epochs;
}

const PretrainPhase& PretrainTask::phase_of(int64_t epoch) const {
  for (const PretrainPhase& phase : phases_) {
    if (epoch < phase.epochs) return phase;
    epoch -= phase.epochs;
  }
  throw Error("there is no epoch " + std::to_string(epoch));
}

int64_t PretrainTask::batch_count(int64_t epoch) {
  const PretrainPhase& phase = phase_of(epoch);
  const auto size = static_cast<int64_t>(phase.instances->size());
  return (size + phase.batch_size - 1) / phase.batch_size;
}

void PretrainTask::begin_epoch(int64_t epoch) {
  epoch_ = epoch;
  const PretrainPhase& phase = phase_of(epoch);
  batches_ = bucketed_batches(lengths_of(*phase.instances), phase.batch_size,
                              Rng(seed_, "batches", static_cast<uint64_t>(epoch)));
}

Batch PretrainTask::make_batch(int64_t index, Part part) {
  const PretrainPhase& phase = phase_of(epoch_);
  return pretrain_batch(*phase.instances, batches_[static_cast<size_t>(index)],
                        {.objective = options_.objective,
                         .mask = phase.mask,
                         .single_piece_share = phase.single_piece_share},
                        seed_, static_cast<uint64_t>(epoch_), part);
}

StepOutput PretrainTask::step(const Batch& batch, uint64_t key) {
  model_->bert().set_dropout_key(key);
  const auto hidden = model_->encode(batch.ids, batch.segments, batch.targets[kQueries]);
  const int64_t predicted = batch.targets[kLabels].size(0);
  const auto masked = static_cast<double>(predicted);
  StepOutput out;
  if (predicted == 0 && batch.whole.targets > 0) {
    out.loss = torch::zeros({}, batch.ids.device());  // it is the other parts that predict
  } else {
    MlmOutput mlm;
    if (options_.distillation) {
      out.loss = options_.distillation->loss(*model_, hidden, batch, &mlm);
    } else {
      mlm = model_->mlm(hidden, batch.targets[kMaskedQueries], batch.targets[kLabels]);
      out.loss = share_of(mlm.loss, predicted, batch.whole.targets);
    }
    out.metrics[loss_name(options_.objective)] = {mlm.loss.detach() * masked, masked};
    out.metrics[accuracy_name(options_.objective)] = {mlm.correct, masked};
  }
  if (batch.targets[kNsp].defined() && options_.nsp_weight > 0) {
    const auto logits = model_->nsp(hidden);
    const auto loss = torch::nn::functional::cross_entropy(logits, batch.targets[kNsp]);
    const auto examples = static_cast<double>(batch.examples);
    out.loss =
        out.loss + options_.nsp_weight * share_of(loss, batch.examples, batch.whole.examples);
    out.metrics["nsp_loss"] = {loss.detach() * examples, examples};
    out.metrics["nsp_accuracy"] = {logits.argmax(-1).eq(batch.targets[kNsp]).sum(), examples};
  }
  return out;
}

Metrics PretrainTask::evaluate_dev() {
  return evaluate_pretraining(*model_, *dev_, options_, kEvaluationMaskSeed, device_);
}

}  // namespace minibert
