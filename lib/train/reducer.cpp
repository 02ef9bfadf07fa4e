#include "train/reducer.h"

#include <torch/csrc/autograd/utils/lambda_post_hook.h>

namespace minibert {

using torch::autograd::variable_list;

Reducer::Reducer(NamedTensors parameters, Workers& workers, int64_t bucket_bytes)
    : parameters_(std::move(parameters)), workers_(workers), bucket_bytes_(bucket_bytes) {
  std::erase_if(parameters_, [](const auto& one) { return !one.second.requires_grad(); });
  reached_ = torch::zeros({static_cast<int64_t>(parameters_.size())});
  for (size_t i = 0; i < parameters_.size(); ++i) {
    // Kept: a parameter knows it only as long as somebody else does.
    accumulators_.push_back(torch::autograd::impl::grad_accumulator(parameters_[i].second));
    hooks_.push_back(accumulators_.back()->add_post_hook(
        std::make_unique<torch::autograd::utils::LambdaPostHook>(
            [this, i](const variable_list& outputs, const variable_list&) {
              if (begun_ && slots_[i].bucket < early_) {
                fill(i);
                send_full();
              }
              return outputs;
            })));
  }
}

Reducer::~Reducer() {
  for (size_t i = 0; i < hooks_.size(); ++i) accumulators_[i]->del_post_hook(hooks_[i]);
}

// Nearly every step reaches the parameters that the first one reached: theirs are the early buckets.
void Reducer::lay_out() {
  slots_.resize(parameters_.size());
  std::vector<size_t> early, late;
  for (size_t i = parameters_.size(); i-- > 0;)
    (reached_.data_ptr<float>()[i] > 0 ? early : late).push_back(i);
  add_buckets(early);
  early_ = buckets_.size();
  add_buckets(late);
}

void Reducer::add_buckets(const std::vector<size_t>& parameters) {
  for (size_t first = 0, last = 0; first < parameters.size(); first = last) {
    std::vector<int64_t> sizes;
    int64_t total = 0;
    for (; last < parameters.size() && total * static_cast<int64_t>(sizeof(float)) < bucket_bytes_;
         ++last) {
      sizes.push_back(parameters_[parameters[last]].second.numel());
      total += sizes.back();
    }
    const torch::Tensor flat = torch::zeros({total});
    const std::vector<torch::Tensor> values = flat.split_with_sizes(sizes);
    for (size_t k = first; k < last; ++k)
      slots_[parameters[k]] = {values[k - first], buckets_.size()};
    buckets_.push_back({flat, last - first});
  }
}

void Reducer::begin() {
  if (slots_.empty()) return;
  for (GradientSlot& slot : slots_) slot.filled = false;
  for (Bucket& bucket : buckets_) bucket.missing = bucket.gradients;
  sent_ = 0;
  begun_ = true;
}

void Reducer::fill(size_t parameter) {
  torch::NoGradGuard no_grad;
  GradientSlot& slot = slots_[parameter];
  const torch::Tensor& gradient = parameters_[parameter].second.grad();
  if (gradient.defined())
    slot.values.copy_(gradient.reshape(-1));
  else
    slot.values.zero_();
  slot.filled = true;
  --buckets_[slot.bucket].missing;
}

void Reducer::send_full() {
  while (sent_ < early_ && buckets_[sent_].missing == 0) workers_.begin_sum(buckets_[sent_++].flat);
}

void Reducer::finish() {
  torch::NoGradGuard no_grad;
  auto* reached = reached_.data_ptr<float>();
  for (size_t i = 0; i < parameters_.size(); ++i)
    reached[i] = parameters_[i].second.grad().defined() ? 1 : 0;
  const bool first = slots_.empty();
  if (first) {
    workers_.sum(reached_);
    lay_out();
  }
  if (!begun_) begin();
  for (size_t i = 0; i < parameters_.size(); ++i)
    if (slots_[i].bucket < early_ && !slots_[i].filled) fill(i);
  send_full();
  if (!first) workers_.begin_sum(reached_);
  workers_.end_sums();
  send_late();
  begun_ = false;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    torch::Tensor& value = parameters_[i].second;
    if (reached[i] > 0)
      value.mutable_grad() = slots_[i].values.view(value.sizes()).to(value.device());
  }
}

// Sends the buckets in which some process has a gradient in this step.
void Reducer::send_late() {
  std::vector<bool> wanted(buckets_.size(), false);
  for (size_t i = 0; i < parameters_.size(); ++i)
    if (reached_.data_ptr<float>()[i] > 0) wanted[slots_[i].bucket] = true;
  for (size_t i = 0; i < parameters_.size(); ++i)
    if (slots_[i].bucket >= early_ && wanted[slots_[i].bucket]) fill(i);
  for (size_t bucket = early_; bucket < buckets_.size(); ++bucket)
    if (wanted[bucket]) workers_.begin_sum(buckets_[bucket].flat);
  workers_.end_sums();
}

}  // namespace minibert
