#include "train_side.h"

#include <chrono>
#include <fstream>
#include <memory>

#include "core/error.h"
#include "core/files.h"
#include "environment/environment.h"
#include "environment/processor_time.h"
#include "experiment/config.h"
#include "experiment/experiment_file.h"
#include "matrix_peak.h"
#include "plain_bert.h"
#include "rules/question_overlap.h"
#include "task/pretrain/pretrain_settings.h"
#include "task/pretrain/pretrain_task.h"
#include "task/qa/qa_task.h"

namespace minibert::bench {
namespace {

using nlohmann::json;

constexpr int64_t kWarmUpSteps = 4;       // ours: batches of different lengths
constexpr int64_t kPlainWarmUpSteps = 2;  // one shape
constexpr int64_t kFewestSteps = 3;
constexpr int64_t kBatchesWritten = 24;

double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

// The peak memory of this process, all its threads.
double peak_megabytes() {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("VmHWM:", 0) == 0) return std::stod(line.substr(6)) / 1024;
  return 0;
}

// The arm's training data and model, and what a plain step pads to.
struct Workload {
  Workload(const SideRequest& request, bool bf16, torch::Device device);

  ModelConfig model;
  TrainConfig train;
  torch::Device device;
  std::unique_ptr<Task> task;
  int64_t batch_size = 0;
  int64_t longest = 0;     // pieces of a padded batch
  double mean_length = 0;  // real pieces of an example
  bool question_answering;
  int64_t answer_lengths = 0;
  json train_json;

 private:
  void make_questions(const SideRequest& request, QaSettings settings, torch::ScalarType type);
  void make_instances(const SideRequest& request, const PretrainSettings& settings,
                      const PretrainArmSettings& arm, torch::ScalarType type);
};

Workload::Workload(const SideRequest& request, bool bf16, torch::Device where) : device(where) {
  const ExperimentConfig experiment =
      load_experiment(experiment_path(request.experiment), request.profile, {});
  const auto arm = std::find_if(experiment.arms.begin(), experiment.arms.end(),
                                [&](const ArmConfig& one) { return one.name == request.arm; });
  if (arm == experiment.arms.end())
    throw Error("bench_train: " + request.experiment + " has no arm " + request.arm);
  const Tokenizer tokenizer = Tokenizer::from_file(request.tokenizer);
  ConfigReader reader(arm->model, request.experiment, "model");
  model = read_model_config(reader, tokenizer.size());
  answer_lengths = reader.integer("answer_lengths", 0, 1024, 0);
  train = arm->train;
  train.monitor = "none", train.patience = 0;
  const auto* questions = dynamic_cast<const QaSettings*>(arm->settings.get());
  train_json = to_json(experiment, *arm, experiment.seeds.front()).at("arms").at(0).at("train");
  question_answering = questions != nullptr;
  const auto type = bf16 ? torch::kBFloat16 : torch::kFloat32;
  if (question_answering)
    make_questions(request, *questions, type);
  else
    make_instances(request, as<PretrainSettings>(*experiment.settings),
                   as<PretrainArmSettings>(*arm->settings), type);
}

void Workload::make_questions(const SideRequest& request, QaSettings settings,
                              torch::ScalarType type) {
  auto split = std::make_shared<QaSplit>(encode_questions(read_korquad(request.korquad),
                                                          Tokenizer::from_file(request.tokenizer),
                                                          settings.features, 1));
  if (settings.features.overlap) model = model.with_segments(kOverlapSegments).value();
  const auto qa = std::make_shared<QaModel>(model, answer_lengths);
  qa->initialize(request.seed);
  qa->encoder().set_compute_type(type);
  qa->to(device);
  batch_size = train.batch_size;
  longest = settings.features.max_length;
  int64_t pieces = 0, windows = 0;
  for (uint32_t i = 0; i < split->examples.size(); ++i) {
    if (course_discards(*split, i, settings.features)) continue;
    pieces += course_window(*split, i, settings.features).count + 3 +
              static_cast<int64_t>(split->examples[i].question_ids.size());
    ++windows;
  }
  mean_length = static_cast<double>(pieces) / static_cast<double>(std::max<int64_t>(1, windows));
  task = std::make_unique<QaTask>(qa, split, split, settings, train, device, request.seed);
}

void Workload::make_instances(const SideRequest& request, const PretrainSettings& settings,
                              const PretrainArmSettings& arm, torch::ScalarType type) {
  const auto file = std::make_shared<const InstanceFile>(request.instances);
  const auto bert = std::make_shared<PretrainingModel>(*model.get_if<BertConfig>());
  bert->initialize(request.seed);
  bert->bert().set_compute_type(type);
  bert->to(device);
  batch_size = arm.phases.empty() ? train.batch_size : arm.phases.front().batch_size;
  longest = settings.instances.sequence_length;
  mean_length = static_cast<double>(file->total_pieces()) / static_cast<double>(file->size());
  const MaskSettings mask = settings.instances.mask;
  task = std::make_unique<PretrainTask>(
      bert, std::vector<PretrainPhase>{{file, mask, train.epochs, batch_size}}, file,
      PretrainOptions{.measuring = {.mask = mask}, .nsp_weight = arm.nsp_weight}, device,
      request.seed);
}

// The task without its evaluation, which is no training step.
class TrainingOnly : public Task {
 public:
  explicit TrainingOnly(Task& task) : task_(task) {}
  torch::nn::Module& module() override { return task_.module(); }
  int64_t epochs() const override { return task_.epochs(); }
  int64_t batch_count(int64_t epoch) override { return task_.batch_count(epoch); }
  void begin_epoch(int64_t epoch) override { task_.begin_epoch(epoch); }
  Batch make_batch(int64_t index, Part part) override { return task_.make_batch(index, part); }
  StepOutput step(const Batch& batch, uint64_t key) override { return task_.step(batch, key); }
  std::optional<StepFlops> flops(const Batch& batch) const override { return task_.flops(batch); }
  Metrics evaluate_dev(Workers*) override { return {}; }

 private:
  Task& task_;
};

struct Measured {
  double tokens = 0, seconds = 0, cpu_seconds = 0;
  int64_t steps = 0;
  double flops = 0;
};

// Listens to a trainer from the end of the warm-up until the time is over.
class Clock : public TrainObserver {
 public:
  Clock(const Trainer*& trainer, double seconds) : trainer_(trainer), seconds_(seconds) {}
  void on_step(const Progress& progress) override {
    // Reading the state waits for a device; between the ends nothing does.
    const bool first = progress.step == kWarmUpSteps;
    const bool last = !first && progress.seconds - begin_.seconds >= seconds_ &&
                      progress.step - begin_.steps >= kFewestSteps;
    if (progress.step < kWarmUpSteps || !(first || last)) return;
    const json numbers = trainer_->numbers();
    const Measured at{numbers.at("tokens"), now() - started_, processor_seconds(), progress.step,
                      numbers.at("flops")};
    if (first) begin_ = at;
    if (first) return;
    measured = {at.tokens - begin_.tokens, at.seconds - begin_.seconds,
                at.cpu_seconds - begin_.cpu_seconds, at.steps - begin_.steps,
                at.flops - begin_.flops};
  }
  bool wants_stop() override {
    return measured.steps >= kFewestSteps && measured.seconds >= seconds_;
  }
  Measured measured;

 private:
  const Trainer*& trainer_;
  double seconds_;
  double started_ = now();
  Measured begin_{0, 0, processor_seconds(), 0};
};

int64_t parameter_count(const torch::nn::Module& module) {
  int64_t count = 0;
  for (const auto& value : module.parameters())
    if (value.requires_grad()) count += value.numel();
  return count;
}

Measured measure_ours(Workload& workload, const SideRequest& request) {
  TrainingOnly task(*workload.task);
  Trainer trainer(task, workload.train, workload.device, request.seed);
  const Trainer* watched = &trainer;
  Clock clock(watched, request.seconds);
  trainer.run(clock);
  return clock.measured;
}

torch::Tensor padded(const torch::Tensor& rows, int64_t length) {
  return torch::constant_pad_nd(rows, {0, length - rows.size(1)});
}

// Positions count through rows of another length now.
torch::Tensor moved(const torch::Tensor& positions, int64_t from, int64_t to) {
  const auto row = torch::div(positions, from, "floor");
  return row * to + positions.remainder(from);
}

std::unique_ptr<torch::optim::Optimizer> plain_optimizer(const TrainConfig& train,
                                                         std::vector<torch::Tensor> parameters) {
  const OptimizerConfig& o = train.optimizer;
  const std::tuple<double, double> betas{o.beta1, o.beta2};
  if (o.type == "adamw")
    return std::make_unique<torch::optim::AdamW>(
        parameters,
        torch::optim::AdamWOptions(o.lr).betas(betas).eps(o.eps).weight_decay(o.weight_decay));
  return std::make_unique<torch::optim::Adam>(
      parameters, torch::optim::AdamOptions(o.lr).betas(betas).eps(o.eps));
}

// A padded step costs the same whatever is in it, so its real pieces are counted as the mean.
Measured measure_plain(Workload& workload, const SideRequest& request) {
  torch::manual_seed(static_cast<int64_t>(request.seed));
  PlainBert model(*workload.model.get_if<BertConfig>(), workload.question_answering);
  model->train();
  model->to(workload.device);
  if (parameter_count(*model) != parameter_count(workload.task->module()))
    throw Error("bench_train: the plain model is not the same model");
  const auto optimizer = plain_optimizer(workload.train, model->parameters());
  workload.task->begin_epoch(0);
  const int64_t batches = workload.task->batch_count(0);
  Measured measured;
  double begin = 0, cpu_begin = 0;
  for (int64_t index = 0, steps = 0;; ++index) {
    Batch batch = workload.task->make_batch(index % batches, {});
    if (batch.examples != workload.batch_size && batches > 1) continue;  // the epoch's last
    const int64_t length = batch.ids.size(1);
    batch.ids = padded(batch.ids, workload.longest);
    batch.segments = padded(batch.segments, workload.longest);
    if (!workload.question_answering)
      batch.targets[kPositions] = moved(batch.targets[kPositions], length, workload.longest);
    if (steps == kPlainWarmUpSteps) begin = now(), cpu_begin = processor_seconds();
    optimizer->zero_grad();
    const auto loss = model->loss(batch.to(workload.device));
    loss.backward();
    if (workload.train.clip_norm > 0)
      torch::nn::utils::clip_grad_norm_(model->parameters(), workload.train.clip_norm);
    optimizer->step();
    if (!std::isfinite(loss.item<double>()))
      throw Error("bench_train: the plain loss is not finite");
    measured.steps = ++steps - kPlainWarmUpSteps;
    measured.seconds = now() - begin;
    measured.cpu_seconds = processor_seconds() - cpu_begin;
    if (measured.steps < kFewestSteps || measured.seconds < request.seconds) continue;
    measured.tokens = static_cast<double>(measured.steps * batch.examples) * workload.mean_length;
    return measured;
  }
}

void write_batches(Workload& workload, const SideRequest& request) {
  workload.task->begin_epoch(0);
  c10::List<c10::Dict<std::string, torch::Tensor>> all;
  for (int64_t i = 0; i < std::min(kBatchesWritten, workload.task->batch_count(0)); ++i) {
    const Batch batch = workload.task->make_batch(i, {});
    c10::Dict<std::string, torch::Tensor> named;
    named.insert("ids", batch.ids);
    named.insert("segments", batch.segments);
    named.insert("positions", batch.targets[kPositions]);
    named.insert("labels", batch.targets[kLabels]);
    if (batch.targets[kNsp].defined()) named.insert("nsp", batch.targets[kNsp]);
    named.insert("tokens", torch::tensor(batch.tokens, torch::kInt64));
    all.push_back(named);
  }
  const std::vector<char> bytes = torch::pickle_save(all);
  write_file_atomically(request.write_batches, {bytes.data(), bytes.size()});
  write_file_atomically(
      request.write_config,
      json{{"model", to_json(workload.model)}, {"train", workload.train_json}}.dump());
}

}  // namespace

json to_json(const SideRequest& r) {
  return {{"side", r.side == Side::ours ? "ours" : "plain"},
          {"experiment", r.experiment},
          {"profile", r.profile},
          {"arm", r.arm},
          {"tokenizer", r.tokenizer},
          {"korquad", r.korquad},
          {"instances", r.instances},
          {"seconds", r.seconds},
          {"seed", r.seed},
          {"device", r.device},
          {"write_batches", r.write_batches},
          {"write_config", r.write_config}};
}

SideRequest side_request(const json& j) {
  return {j.at("side") == "ours" ? Side::ours : Side::plain,
          j.at("experiment"),
          j.at("profile"),
          j.at("arm"),
          j.at("tokenizer"),
          j.at("korquad"),
          j.at("instances"),
          j.at("seconds"),
          j.at("seed"),
          j.at("device"),
          j.at("write_batches"),
          j.at("write_config")};
}

json measure_side(const SideRequest& request) {
  const bool ours = request.side == Side::ours;
  Environment environment;
  if (ours) {
    environment = choose_environment(request.device, "auto");
  } else {
    at::set_num_threads(default_threads());
    environment.device = choose_device(request.device);
  }
  Workload workload(request, environment.precision == Precision::bf16, environment.device);
  if (!request.write_batches.empty()) {
    write_batches(workload, request);
    return json::object();
  }
  const Measured measured =
      ours ? measure_ours(workload, request) : measure_plain(workload, request);
  json out = {{"tokens", measured.tokens},
              {"seconds", measured.seconds},
              {"cpu_seconds", measured.cpu_seconds},
              {"steps", measured.steps},
              {"peak_mb", peak_megabytes()},
              {"parameters", parameter_count(workload.task->module())},
              {"precision", to_string(environment.precision)},
              {"device", environment.device.str()},
              {"threads", at::get_num_threads()}};
  if (ours) {  // which is compared with what the processor can do
    out["operations_a_piece"] = measured.flops / measured.tokens;
    out["matrix_peak"] =
        matrix_peak(environment.precision == Precision::bf16 ? torch::kBFloat16 : torch::kFloat32,
                    environment.device);
  }
  return out;
}

}  // namespace minibert::bench
