#include "train/reducer.h"

#include <torch/csrc/autograd/utils/lambda_post_hook.h>

#include "core/error.h"

namespace minibert {

using torch::autograd::variable_list;

Reducer::Reducer(NamedTensors parameters, Workers& workers, int64_t bucket_bytes)
    : parameters_(std::move(parameters)), workers_(workers), bucket_bytes_(bucket_bytes) {
  std::erase_if(parameters_, [](const auto& one) { return !one.second.requires_grad(); });
  for (size_t i = 0; i < parameters_.size(); ++i) {
    // Kept: a parameter knows it only as long as somebody else does.
    accumulators_.push_back(torch::autograd::impl::grad_accumulator(parameters_[i].second));
    hooks_.push_back(accumulators_.back()->add_post_hook(
        std::make_unique<torch::autograd::utils::LambdaPostHook>(
            [this, i](const variable_list& outputs, const variable_list&) {
              if (begun_ && places_[i].values.defined()) {
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

// The loss reaches the same parameters at every step. A process whose first part is empty hears from the
// others which.
void Reducer::lay_out() {
  torch::Tensor reached = torch::zeros({static_cast<int64_t>(parameters_.size())});
  for (size_t i = 0; i < parameters_.size(); ++i)
    if (parameters_[i].second.grad().defined()) reached[static_cast<int64_t>(i)] = 1;
  workers_.sum(reached);
  places_.resize(parameters_.size());
  std::vector<std::vector<int64_t>> members;
  int64_t room = 0;
  for (auto i = static_cast<int64_t>(parameters_.size()) - 1; i >= 0; --i) {
    if (reached[i].item<float>() == 0) continue;
    if (room <= 0) members.emplace_back(), room = bucket_bytes_;
    members.back().push_back(i);
    room -=
        parameters_[static_cast<size_t>(i)].second.numel() * static_cast<int64_t>(sizeof(float));
  }
  for (const std::vector<int64_t>& some : members) {
    std::vector<int64_t> sizes;
    int64_t total = 0;
    for (const int64_t i : some) {
      sizes.push_back(parameters_[static_cast<size_t>(i)].second.numel());
      total += sizes.back();
    }
    const torch::Tensor flat = torch::zeros({total});
    const std::vector<torch::Tensor> values = flat.split_with_sizes(sizes);
    for (size_t k = 0; k < some.size(); ++k)
      places_[static_cast<size_t>(some[k])] = {values[k], buckets_.size()};
    buckets_.push_back({flat, some.size()});
  }
}

void Reducer::begin() {
  if (places_.empty()) return;
  for (Place& place : places_) place.filled = false;
  for (Bucket& bucket : buckets_) bucket.missing = bucket.gradients;
  sent_ = 0;
  begun_ = true;
}

void Reducer::fill(size_t parameter) {
  torch::NoGradGuard no_grad;
  Place& place = places_[parameter];
  const torch::Tensor& gradient = parameters_[parameter].second.grad();
  if (gradient.defined())
    place.values.copy_(gradient.reshape(-1));
  else
    place.values.zero_();
  place.filled = true;
  --buckets_[place.bucket].missing;
}

void Reducer::send_full() {
  while (sent_ < buckets_.size() && buckets_[sent_].missing == 0)
    workers_.begin_sum(buckets_[sent_++].flat);
}

void Reducer::finish() {
  torch::NoGradGuard no_grad;
  if (places_.empty()) lay_out();
  if (!begun_) begin();
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const auto& [name, value] = parameters_[i];
    if (places_[i].values.defined() && !places_[i].filled) fill(i);
    if (!places_[i].values.defined() && value.grad().defined())
      throw Error(name + ": has a gradient that it had not at first, which processes cannot share");
  }
  send_full();
  workers_.end_sums();
  begun_ = false;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    auto& [name, value] = parameters_[i];
    if (places_[i].values.defined())
      value.mutable_grad() = places_[i].values.view(value.sizes()).to(value.device());
  }
}

}  // namespace minibert
