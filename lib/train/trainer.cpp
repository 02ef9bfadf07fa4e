#include "train/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <set>

#include "core/error.h"
#include "core/rng.h"
#include "core/text.h"
#include "train/prefetch.h"

namespace minibert {
namespace {

constexpr size_t kBatchesAhead = 4;
constexpr double kMinute = 60;
constexpr const char* kGradientNorm = "gradient_norm";  // before clipping

double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

torch::Tensor on_cpu(const torch::Tensor& tensor) {
  return tensor.detach().to(torch::kCPU, torch::kFloat32, /*non_blocking=*/false, /*copy=*/true);
}

// With all its digits, and where it is no number (which JSON cannot say).
std::string exact(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

// Each tensor begins at a multiple that suits every type.
int64_t room_of(const torch::Tensor& tensor) {
  constexpr int64_t kAlignment = 64;
  const int64_t bytes = tensor.numel() * static_cast<int64_t>(tensor.element_size());
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// The bytes from `at` as a tensor like this one.
torch::Tensor placed(const torch::Tensor& memory, int64_t at, const torch::Tensor& like) {
  const int64_t bytes = like.numel() * static_cast<int64_t>(like.element_size());
  return memory.slice(0, at, at + bytes).view(like.scalar_type()).view(like.sizes());
}

// A number of a checkpoint that counts something. Throws Error where it is none.
int64_t count_at(const nlohmann::json& numbers, const char* name) {
  const nlohmann::json found = numbers.value(name, nlohmann::json());
  if (!found.is_number_integer() || found.get<int64_t>() < 0)
    throw Error(std::string("the checkpoint's ") + name + ": found " + found.dump() +
                ", expected a whole number from 0");
  return found;
}

double monitored(const Metrics& dev, const std::string& name) {
  const auto found = dev.find(name);
  if (found != dev.end()) return found->second;
  std::vector<std::string> measured;
  for (const auto& [metric, value] : dev) measured.push_back(metric);
  throw usage_error(
      "train.monitor: found \"" + name +
      "\", which is not measured on this arm's dev set, expected one of: " + joined(measured));
}

}  // namespace

NamedTensors weights_of(torch::nn::Module& module) {
  NamedTensors out;
  for (const auto& item : module.named_parameters()) out.emplace_back(item.key(), item.value());
  return out;
}

std::vector<torch::Tensor*> Batch::tensors() {
  std::vector<torch::Tensor*> out;
  if (ids.defined()) out.push_back(&ids);
  if (segments.defined()) out.push_back(&segments);
  for (torch::Tensor& target : targets)
    if (target.defined()) out.push_back(&target);
  return out;
}

Batch Batch::packed(bool pinned) const {
  Batch out = *this;
  int64_t bytes = 0;
  for (const torch::Tensor* tensor : out.tensors()) bytes += room_of(*tensor);
  out.memory_ = torch::empty({bytes}, torch::dtype(torch::kUInt8).pinned_memory(pinned));
  int64_t at = 0;
  for (torch::Tensor* tensor : out.tensors()) {
    torch::Tensor place = placed(out.memory_, at, *tensor);
    place.copy_(*tensor);
    *tensor = place;
    at += room_of(place);
  }
  return out;
}

Batch Batch::to(torch::Device device) const {
  if (device.is_cpu()) return *this;
  Batch out = memory_.defined() ? *this : packed(/*pinned=*/false);
  out.memory_ = out.memory_.to(device, /*non_blocking=*/true);
  int64_t at = 0;
  for (torch::Tensor* tensor : out.tensors()) {
    *tensor = placed(out.memory_, at, *tensor);
    at += room_of(*tensor);
  }
  return out;
}

Trainer::Trainer(Task& task, const TrainConfig& config, torch::Device device, uint64_t seed,
                 Workers* workers)
    : task_(task),
      config_(config),
      device_(device),
      seed_(seed),
      workers_(workers),
      parameters_(weights_of(task.module())),
      optimizer_(parameters_, config.optimizer) {
  const int64_t most = config_.max_steps > 0 ? config_.max_steps : INT64_MAX;
  for (int64_t epoch = 0; epoch < task_.epochs() && total_steps_ < most; ++epoch)
    total_steps_ += task_.batch_count(epoch);
  total_steps_ = std::min(total_steps_, most);
  if (workers_ != nullptr) reducer_.emplace(parameters_, *workers_);
  if (config_.average_from < 1)
    for (const auto& [name, tensor] : parameters_) mean_.push_back(torch::zeros_like(tensor));
}

bool Trainer::run(TrainObserver& observer) {
  if (workers_ != nullptr) follow_first();
  task_.module().train();
  for (; !finished_ && epoch_ < task_.epochs(); ++epoch_, batch_ = 0) {
    begin_epoch();
    const int64_t count = task_.batch_count(epoch_), steps_before = step_ - batch_;
    // Nobody knows ahead where a budget stands when a batch is needed.
    const bool ahead = !task_.follows_position() || !has_budget();
    Prefetch<std::vector<Batch>> batches(
        batch_, ahead ? count : batch_, kBatchesAhead,
        [this, steps_before](int64_t index) { return make_parts(index, steps_before); });
    double started = now();
    while (reached().empty() && batch_ < count) {
      const auto parts = ahead ? batches.next() : make_parts(batch_, steps_before);
      if (!parts) break;
      try {
        make_step(*parts);
      } catch (const c10::OutOfMemoryError&) {
        throw out_of_memory(*parts);
      }
      ++step_, ++batch_;
      spent_.tokens += static_cast<double>(parts->front().whole.tokens);
      spent_.examples += static_cast<double>(parts->front().whole.examples);
      if (step_ % config_.log_every == 0) flush_metrics(observer);
      const double time = now();
      spent_.seconds += time - started;
      clock_ = spent_.seconds;
      started = time;
      observer.on_step(progress());
      bool stop = observer.wants_stop(), save = !stop && observer.wants_checkpoint();
      StepFlops flops = flops_of(*parts);
      if (workers_ != nullptr) {
        torch::Tensor all = torch::tensor(
            {stop ? 1.0 : 0.0, save ? 1.0 : 0.0, first() ? clock_ : 0.0, flops.own, flops.teacher},
            torch::kFloat64);
        workers_->sum(all);
        const double* sum = all.data_ptr<double>();
        stop = sum[0] > 0, save = !stop && sum[1] > 0;
        clock_ = sum[2];
        flops = {sum[3], sum[4]};
        if (stop || save) gather_metrics();
      }
      spent_.flops += flops.own, spent_.teacher_flops += flops.teacher;
      add_to_mean();
      if (stop || save)
        check_finite(totals());  // a state gone wrong must not take the place of a good one
      if (workers_ != nullptr && !first() && save) read_.clear();
      if ((stop || save) && first()) observer.on_checkpoint(stop);
      if (stop) return false;
      if (save) started = now();
    }
    ended_by_ = reached();
    if (!end_epoch(observer) && ended_by_.empty()) ended_by_ = "patience";
    finished_ = !ended_by_.empty();
    if (batch_ < task_.batch_count(epoch_)) break;  // the place within the epoch stays
  }
  // The steps since the last log, which may have gone wrong like any other.
  bool some = !read_.empty() || !unread_.empty();
  if (workers_ != nullptr) some = !workers_->from_first(some ? "some" : "").empty();
  if (some) flush_metrics(observer);
  finished_ = true;
  return true;
}

// The first process begins before the others, so that files it makes for an epoch are there for the
// processes that share its folder. All go on together: a sum of gradients waits only briefly.
void Trainer::begin_epoch() {
  if (workers_ != nullptr && !first()) workers_->from_first("");
  task_.begin_epoch(epoch_);
  if (workers_ == nullptr) return;
  if (first()) workers_->from_first("begun");
  workers_->from_all("");
}

std::string Trainer::reached() const {
  if (config_.max_minutes > 0 && clock_ >= kMinute * config_.max_minutes) return "max_minutes";
  if (step_ < total_steps_) return "";
  return config_.max_steps == total_steps_ ? "max_steps" : "epochs";
}

double Trainer::done(double steps, double seconds) const {
  double share = steps / static_cast<double>(total_steps_);
  if (config_.max_minutes > 0) share = std::max(share, seconds / (kMinute * config_.max_minutes));
  return std::min(1.0, share);
}

double Trainer::rate() const {
  if (!has_budget()) return learning_rate(config_, step_, total_steps_);
  const auto steps = static_cast<double>(step_);
  const double mean = step_ > 0 ? 1 / steps : 0;  // the step that comes is taken for a mean one
  return learning_rate_at(config_, done(steps, clock_), done(steps + 1, clock_ * (1 + mean)));
}

StepFlops Trainer::flops_of(const std::vector<Batch>& parts) const {
  // All processes make the same update: it counts once.
  StepFlops out{first() ? optimizer_.flops() : 0};
  for (const Batch& part : parts) {
    if (part.examples == 0 && parts.size() > 1) continue;
    const auto flops = task_.flops(part);
    if (!flops) return {NAN, NAN};
    out.own += flops->own, out.teacher += flops->teacher;
  }
  return out;
}

// The first process' numbers as text. Its best weights stay where they are: no other process needs them
// before load_selected.
void Trainer::follow_first() {
  const nlohmann::json numbers =
      nlohmann::json::parse(workers_->from_first(this->numbers().dump()));
  NamedTensors state = snapshot();
  for (auto& [name, tensor] : state) {
    if (name.starts_with("best/")) continue;
    workers_->broadcast(tensor);
  }
  if (first()) return;
  restore(numbers, state);
  read_.clear();
}

void Trainer::add_to_mean() {
  if (mean_.empty() || done(static_cast<double>(step_), clock_) <= config_.average_from) return;
  torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> weights;
  for (const auto& [name, tensor] : parameters_) weights.push_back(tensor);
  const double share = 1 / static_cast<double>(++averaged_);
  at::_foreach_mul_(mean_, 1 - share);
  at::_foreach_add_(mean_, weights, share);
}

void Trainer::swap_mean() {
  if (averaged_ == 0) return;
  torch::NoGradGuard no_grad;
  for (size_t i = 0; i < mean_.size(); ++i) {
    torch::Tensor& weight = parameters_[i].second;
    const torch::Tensor own = weight.clone();
    weight.copy_(mean_[i]);
    mean_[i].copy_(own);
  }
}

std::vector<Batch> Trainer::make_parts(int64_t index, int64_t steps_before) {
  if (task_.follows_position()) {
    const int64_t step = steps_before + index;
    task_.set_position({step, total_steps_,
                        has_budget()
                            ? done(static_cast<double>(step), clock_)
                            : static_cast<double>(step) / static_cast<double>(total_steps_)});
  }
  const int64_t own = config_.gradient_accumulation;
  const int64_t rank = workers_ != nullptr ? workers_->rank() : 0;
  const int64_t count = own * (workers_ != nullptr ? workers_->size() : 1);
  std::vector<Batch> parts;
  for (int64_t i = 0; i < own; ++i)
    parts.push_back(task_.make_batch(index, {rank * own + i, count}));
  if (!device_.is_cpu())
    for (Batch& part : parts) part = part.packed(/*pinned=*/device_.is_cuda());
  return parts;
}

void Trainer::make_step(const std::vector<Batch>& parts) {
  const uint64_t key = derive_seed(seed_, "step", static_cast<uint64_t>(step_));
  const auto first_part =
      workers_ != nullptr ? static_cast<uint64_t>(workers_->rank()) * parts.size() : 0;
  const bool whole = workers_ == nullptr && parts.size() == 1;
  size_t last = 0;  // that has examples
  for (size_t i = 0; i < parts.size(); ++i)
    if (parts[i].examples > 0) last = i;
  StepOutput::Metrics of_last;
  optimizer_.zero_grad();
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!whole && parts[i].examples == 0) continue;
    // A part has the same key, whichever process makes it.
    const uint64_t part_key = whole ? key : derive_seed(key, "part", 0, first_part + i);
    if (!device_.is_cpu()) torch::manual_seed(part_key);
    const StepOutput output = task_.step(parts[i].to(device_), part_key);
    if (reducer_ && i == last) reducer_->begin();
    if (whole || output.loss.requires_grad()) output.loss.backward();
    if (i != last) collect(output.metrics);
    of_last = output.metrics;
  }
  if (reducer_) reducer_->finish();
  // Equal in every process, because the gradients' sums are.
  const torch::Tensor norm = optimizer_.gradient_norm();
  if (norm.defined()) of_last[kGradientNorm] = {norm, 1};
  collect(of_last);
  rate_ = rate();
  optimizer_.step(
      rate_, step_,
      config_.clip_norm > 0 ? Optimizer::clip_factor(config_.clip_norm, norm) : torch::Tensor());
}

Error Trainer::out_of_memory(const std::vector<Batch>& parts) {
  optimizer_.zero_grad();
  const Batch& refused = parts.front();
  std::string text = device_.str() + " is out of memory at step " + std::to_string(step_ + 1) +
                     ", with " + std::to_string(refused.examples) + " examples of up to " +
                     std::to_string(refused.ids.size(1)) + " pieces at once; ";
  const int64_t processes = workers_ != nullptr ? workers_->size() : 1;
  for (int64_t count = 2 * config_.gradient_accumulation; count < 2 * refused.whole.examples;
       count *= 2)
    try {
      const Batch part = task_.make_batch(batch_, {0, count * processes});
      task_.step(part.to(device_), seed_).loss.backward();
      optimizer_.zero_grad();
      return Error(text + "train.gradient_accumulation=" + std::to_string(count) + " (" +
                   std::to_string(part.examples) + " at once) fits, and makes the same steps");
    } catch (const c10::OutOfMemoryError&) {
      optimizer_.zero_grad();
    }
  return Error(text + "not even one example fits");
}

void Trainer::collect(const StepOutput::Metrics& metrics) {
  if (metrics.empty()) return;
  std::vector<std::string> names;
  std::vector<torch::Tensor> sums;
  std::vector<double> counts;
  for (const auto& [name, mean] : metrics) {
    names.push_back(name);
    sums.push_back(mean.sum.detach().reshape({1}));
    counts.push_back(mean.count);
  }
  const torch::Tensor added = torch::cat(sums).to(torch::kFloat64);
  Sums& unread = unread_[names];
  unread.sums = unread.sums.defined() ? unread.sums + added : added;
  unread.counts.resize(counts.size());
  for (size_t i = 0; i < counts.size(); ++i) unread.counts[i] += counts[i];
}

Trainer::Totals Trainer::totals() const {
  Totals out = read_;
  for (const auto& [names, unread] : unread_) {
    const torch::Tensor sums = unread.sums.to(torch::kCPU);
    for (size_t i = 0; i < names.size(); ++i) {
      out[names[i]].sum += sums.data_ptr<double>()[i];
      out[names[i]].count += unread.counts[i];
    }
  }
  return out;
}

void Trainer::gather_metrics() {
  Totals own = totals();
  std::set<std::string> names;
  for (const auto& [name, total] : own) names.insert(name);
  const std::string text = nlohmann::json(names).dump();
  // Usually all processes have the same metrics; one (also the first) lacks a metric that none of
  // its parts had.
  const torch::Tensor differ = torch::zeros({1}, torch::kFloat64);
  if (workers_->from_first(text) != text) differ.fill_(1);
  workers_->sum(differ);
  if (differ.item<double>() > 0)
    for (const std::string& of_one : workers_->from_all(text))
      names.merge(nlohmann::json::parse(of_one).get<std::set<std::string>>());
  std::vector<double> values;
  for (const std::string& name : names) {
    const Total& total = own[name];
    values.insert(values.end(), {total.sum, total.count});
  }
  torch::Tensor sums = torch::tensor(values, torch::kFloat64);
  if (!values.empty()) workers_->sum(sums);
  unread_.clear();
  const double* next = sums.data_ptr<double>();
  for (const std::string& name : names) {
    read_[name] = {next[0], next[1]};
    next += 2;
  }
}

void Trainer::check_finite(const Totals& totals) const {
  std::string wrong;
  for (const auto& [name, total] : totals)
    // The gradient follows from the loss, so the loss is named.
    if (!std::isfinite(total.mean()) && (wrong.empty() || wrong == kGradientNorm)) wrong = name;
  if (!wrong.empty())
    throw Error("training " + wrong + " is not finite at step " + std::to_string(step_) +
                "; a smaller optimizer.lr or clip_norm may help");
}

void Trainer::check_unlogged() {
  if (workers_ != nullptr) gather_metrics();
  check_finite(totals());
  if (!first()) read_.clear();
}

void Trainer::flush_metrics(TrainObserver& observer) {
  if (workers_ != nullptr) gather_metrics();
  const Totals found = totals();
  check_finite(found);
  for (const auto& [name, total] : found) latest_[name] = total.mean();
  read_.clear();
  unread_.clear();
  Metrics metrics = latest_;
  metrics["learning_rate"] = rate_;
  observer.on_train_metrics(step_, metrics);
}

bool Trainer::end_epoch(TrainObserver& observer) {
  check_unlogged();  // what has gone wrong is not worth measuring
  Metrics metrics;
  swap_mean();
  {
    task_.module().eval();
    torch::NoGradGuard no_grad;
    metrics = task_.evaluate_dev(workers_);
    task_.module().train();
  }
  bool best = false, go_on = true;
  if (config_.monitor != "none") {
    double found = monitored(metrics, config_.monitor);
    // Another processor may round otherwise: one figure decides how all go on.
    if (workers_ != nullptr) found = std::stod(workers_->from_first(exact(found)));
    const double value = config_.lower_is_better ? -found : found;
    best = value > best_metric_;
    if (best) {
      best_metric_ = value;
      best_.clear();
      if (first())
        for (const auto& [name, tensor] : parameters_) best_.push_back(on_cpu(tensor));
    }
    bad_epochs_ = best ? 0 : bad_epochs_ + 1;
    go_on = config_.patience == 0 || bad_epochs_ < config_.patience;
  }
  swap_mean();
  observer.on_dev_metrics(epoch_, step_, metrics, best);
  if (const std::string example = task_.dev_example(); !example.empty())
    observer.on_dev_example(example);
  return go_on;
}

Progress Trainer::progress() const {
  const double seconds = spent_.seconds - resumed_.spent.seconds;
  const auto steps = static_cast<double>(step_ - resumed_.step);
  const auto left = static_cast<double>(total_steps_ - step_);
  double seconds_left = steps > 0 ? seconds / steps * left : 0;
  if (config_.max_minutes > 0)
    seconds_left = std::min(seconds_left, kMinute * config_.max_minutes - clock_);
  return {epoch_,
          task_.epochs(),
          step_,
          total_steps_,
          spent_.seconds,
          std::max(0.0, seconds_left),
          seconds > 0 ? (spent_.examples - resumed_.spent.examples) / seconds : 0,
          latest_};
}

nlohmann::json Trainer::numbers() const {
  nlohmann::json running = nlohmann::json::object();
  for (const auto& [name, total] : totals()) running[name] = {total.sum, total.count};
  nlohmann::json out = {{"epoch", epoch_},         {"batch", batch_},
                        {"step", step_},           {"bad_epochs", bad_epochs_},
                        {"best", best_metric_},    {"seconds", spent_.seconds},
                        {"tokens", spent_.tokens}, {"examples", spent_.examples},
                        {"learning_rate", rate_},  {"running", running},
                        {"latest", latest_}};
  if (!std::isnan(spent_.flops))
    out["flops"] = spent_.flops, out["teacher_flops"] = spent_.teacher_flops;
  if (!mean_.empty()) out["averaged"] = averaged_;
  return out;
}

NamedTensors Trainer::snapshot() const {
  NamedTensors out;
  for (const auto& [name, tensor] : parameters_)
    out.emplace_back("weights/" + name, on_cpu(tensor));
  for (const auto& [name, tensor] : optimizer_.state()) out.emplace_back(name, on_cpu(tensor));
  for (size_t i = 0; i < mean_.size(); ++i)
    out.emplace_back("mean/" + parameters_[i].first, on_cpu(mean_[i]));
  for (size_t i = 0; i < best_.size(); ++i)
    out.emplace_back("best/" + parameters_[i].first, best_[i]);
  return out;
}

void Trainer::restore(const nlohmann::json& numbers, const NamedTensors& tensors) {
  torch::NoGradGuard no_grad;
  const int64_t epoch = count_at(numbers, "epoch"), batch = count_at(numbers, "batch"),
                step = count_at(numbers, "step");
  int64_t steps = batch;
  for (int64_t before = 0; before < std::min(epoch, task_.epochs()); ++before)
    steps += task_.batch_count(before);
  const int64_t batches = epoch < task_.epochs() ? task_.batch_count(epoch) : 0;
  if (epoch > task_.epochs() || batch > batches || step != steps || step > total_steps_)
    throw Error("the checkpoint is at epoch " + std::to_string(epoch) + ", batch " +
                std::to_string(batch) + ", step " + std::to_string(step) +
                ", which this run never reaches");
  epoch_ = epoch, batch_ = batch, step_ = step;
  bad_epochs_ = count_at(numbers, "bad_epochs");
  std::map<std::string, torch::Tensor> saved(tensors.begin(), tensors.end());
  const auto load = [&](const std::string& name, torch::Tensor target) {
    const auto it = saved.find(name);
    if (it == saved.end()) throw Error("the checkpoint has no tensor " + name);
    if (it->second.sizes() != target.sizes())
      throw Error("the checkpoint's tensor " + name + " does not have the model's shape");
    target.copy_(it->second);
  };
  for (auto& [name, tensor] : parameters_) load("weights/" + name, tensor);
  for (auto& [name, tensor] : optimizer_.state()) load(name, tensor);
  for (size_t i = 0; i < mean_.size(); ++i) load("mean/" + parameters_[i].first, mean_[i]);
  averaged_ = mean_.empty() ? 0 : count_at(numbers, "averaged");
  best_.clear();
  if (!parameters_.empty() && saved.count("best/" + parameters_[0].first))
    for (const auto& [name, tensor] : parameters_) {
      best_.push_back(torch::empty_like(tensor, torch::kCPU));
      load("best/" + name, best_.back());
    }
  best_metric_ = numbers.at("best");
  // Checkpoints of before operations were counted do not know them.
  constexpr double kUnknown = NAN;  // a float would round what is read
  spent_ = {numbers.value("flops", kUnknown), numbers.value("teacher_flops", kUnknown),
            numbers.at("seconds"), numbers.at("tokens"), numbers.at("examples")};
  clock_ = spent_.seconds;
  rate_ = numbers.value("learning_rate",
                        step_ > 0 ? learning_rate(config_, step_ - 1, total_steps_) : 0.0);
  resumed_ = {step_, spent_};
  read_.clear();
  unread_.clear();
  for (const auto& [name, mean] : numbers.at("running").items()) {
    if (!mean.at(0).is_number())
      throw Error("the checkpoint's running." + name + ": found " + mean.at(0).dump() +
                  ", expected a number (a loss was not finite when it was saved)");
    read_[name] = {mean.at(0).get<double>(), mean.at(1).get<double>()};
  }
  latest_ = numbers.at("latest").get<Metrics>();
}

bool Trainer::is_mean() const { return config_.monitor == "none" && averaged_ > 0; }

void Trainer::load_selected() {
  torch::NoGradGuard no_grad;
  if (is_mean())
    for (size_t i = 0; i < mean_.size(); ++i) parameters_[i].second.copy_(mean_[i]);
  for (size_t i = 0; i < best_.size(); ++i) parameters_[i].second.copy_(best_[i]);
  if (workers_ == nullptr) return;
  for (const auto& [name, tensor] : parameters_) {
    const torch::Tensor chosen = on_cpu(tensor);
    workers_->broadcast(chosen);
    tensor.copy_(chosen);
  }
}

std::string Trainer::selected_by() const {
  if (!best_.empty()) return "best dev " + config_.monitor;
  return is_mean() ? "mean of the last " + std::to_string(averaged_) + " steps" : "last epoch";
}

}  // namespace minibert
