#include "task/pretrain/pretrain_kind.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/text.h"
#include "export/agreement.h"
#include "export/loaded_engine.h"
#include "infer/fill_mask.h"
#include "task/pretrain/mask_filler.h"
#include "task/pretrain/pretrain_data.h"
#include "task/pretrain/pretrain_fields.h"
#include "task/pretrain/pretrain_task.h"
#include "task/trained_arm.h"
#include "task/weights.h"

namespace minibert {
namespace {

constexpr Measure counted(std::string_view name, std::string_view heading, Better better,
                          std::string_view weight) {
  return {name, heading, 4, better, Resampled::mean, 1, true, weight};
}

constexpr Measure kPretrainMeasures[] = {
    on_card(right(counted("mlm_accuracy", "MLM acc", Better::higher, "targets"))),
    on_card(counted("mlm_accuracy_masked", "[MASK] acc", Better::higher, "masked_targets")),
    on_card(counted("mlm_loss", "MLM loss", Better::lower, "targets")),
    right(counted("lm_accuracy", "LM acc", Better::higher, "targets")),
    counted("lm_loss", "LM loss", Better::lower, "targets"),
    counted("loss_per_byte", "loss/byte", Better::lower, "bytes"),
    on_card(counted("nsp_accuracy", "NSP acc", Better::higher, "")),
    on_card(hidden("nsp_loss", "NSP loss", Better::lower)),
    hidden("course_mlm_loss", "course MLM loss", Better::lower),
    hidden("course_nsp_loss", "course NSP loss", Better::lower),
    hidden("mlm_accuracy_kept", "MLM acc, kept", Better::higher),
    hidden("mlm_accuracy_random", "MLM acc, random", Better::higher),
    hidden("mlm_accuracy_whole", "MLM acc, whole words", Better::higher),
    hidden("mlm_accuracy_first", "MLM acc, first pieces", Better::higher),
    hidden("mlm_accuracy_middle", "MLM acc, middle pieces", Better::higher),
    hidden("mlm_accuracy_last", "MLM acc, last pieces", Better::higher),
    hidden("mlm_accuracy_seen", "MLM acc, seen elsewhere", Better::higher),
    hidden("mlm_accuracy_unseen", "MLM acc, unseen", Better::higher),
    on_card(hidden("mlm_loss_masked", "MLM loss, [MASK]", Better::lower)),
    hidden("mlm_loss_kept", "MLM loss, kept", Better::lower),
    hidden("mlm_loss_random", "MLM loss, random", Better::lower),
    hidden("mlm_loss_whole", "MLM loss, whole words", Better::lower),
    hidden("mlm_loss_first", "MLM loss, first pieces", Better::lower),
    hidden("mlm_loss_middle", "MLM loss, middle pieces", Better::lower),
    hidden("mlm_loss_last", "MLM loss, last pieces", Better::lower),
    hidden("mlm_loss_seen", "MLM loss, seen elsewhere", Better::lower),
    hidden("mlm_loss_unseen", "MLM loss, unseen", Better::lower),
    {"instances", "instances", -1, Better::neither},
};

// Natural logarithm of every piece's share of the text, with one count added to each.
std::vector<double> log_unigram(const InstanceFile& file, int32_t unknown) {
  std::vector<double> counts(static_cast<size_t>(file.vocabulary()), 1.0);
  double total = static_cast<double>(counts.size());
  for (size_t i = 0; i < file.size(); ++i)
    for (const uint16_t piece : file.pieces(i)) {
      if (!file.roles().is_ordinary(piece) && piece != unknown) continue;
      ++counts[piece];
      ++total;
    }
  for (double& count : counts) count = std::log(count / total);
  return counts;
}

BertConfig read_bert(ConfigReader& reader, int64_t vocab_size, SentenceTask sentence_task,
                     Objective objective) {
  const ModelConfig config = read_model_config(reader, vocab_size);
  const auto* bert = config.get_if<BertConfig>();
  if (bert == nullptr)
    reader.fail("kind", "found \"" + config.kind() + "\", expected bert in a pretrain experiment");
  // A key of spans, which the first records name in every model.
  if (reader.integer("answer_lengths", 0, 1024, 0) != 0)
    reader.fail("answer_lengths", "expected none in a pretrain experiment");
  // The sentence head and the pooler read the first position, which then has read nothing else.
  if (bert->causal && (sentence_task != SentenceTask::none || bert->pooler))
    reader.fail("causal",
                "found true, expected false with a pooler or instances.sentence_task other than "
                "\"none\"");
  if (objective == Objective::clm && !bert->causal)
    reader.fail("causal", "found false, expected true with train.objective \"clm\"");
  reader.finish();
  return *bert;
}

class PretrainArm : public TrainedArm<BertConfig, PretrainData, PretrainingModel, PretrainTask> {
 public:
  PretrainArm(const ArmRequest& request, PretrainData& data) : TrainedArm(request, data) {
    const SentenceTask sentence_task = data.settings().instances.sentence_task;
    const Start start(request, data.tokenizer());
    ConfigReader reader = start.model_reader();
    config_ = read_bert(reader, data.tokenizer().size(), sentence_task, own().objective);
    model_ = std::make_shared<PretrainingModel>(config_, sentence_task != SentenceTask::none);
    if (request.stored == nullptr) {
      phases_ = phases();
      learn_from_blanks();
      model_->initialize(seed());
      // PyTorch's start has a bias of 0 everywhere.
      if (config_.mlm_bias && config_.weight_init == "normal")
        model_->mlm_head().set_output_bias(
            log_unigram(*phases_.front().instances, data.tokenizer().special().unk));
      learn_from_teacher();
    }
    put_to_work(start);
  }

  nlohmann::json model_config() const override {
    nlohmann::json json = to_json(config_);
    json["answer_lengths"] = 0;  // as in the first records
    return json;
  }

  Evaluation evaluate(Split split, Workers* workers) override {
    model_->eval();
    return evaluate_pretraining(*model_, *data_.measured(split), options().measuring,
                                kEvaluationMaskSeed, device(), workers);
  }

  std::vector<std::string> shown(Split split, const Predictions& predictions,
                                 size_t count) override {
    std::vector<std::string> out;
    if (own().objective != Objective::mlm) return out;
    const InstanceFile& instances = *data_.measured(split);
    const size_t all = std::min(count, instances.size());
    for (size_t i = 0; i < all; ++i)
      out.push_back(shown_instance(instances, i * instances.size() / all, options().measuring,
                                   kEvaluationMaskSeed, predictions));
    return out;
  }

  nlohmann::ordered_json measure_mbq(const MbqFiles& files, Split split, int threads) override {
    const Agreement found = measure_agreement(
        *load_engine<infer::Model>(files.float32), *load_engine<infer::Model>(files.int8),
        *data_.measured(split), data_.settings().measured_mask(), kEvaluationMaskSeed, 0, threads);
    return {{"instances", found.instances},
            {"masked", found.masked},
            {"float_accuracy", found.float_accuracy()},
            {"int8_accuracy", found.int8_accuracy()},
            {"agreement", found.agreement()}};
  }

  std::map<std::string, std::string> learnt_from() const override {
    if (!distillation_) return {};
    return {{"teacher", distillation_->weights_sha256()}};
  }

 protected:
  std::unique_ptr<PretrainTask> make_task() override {
    return std::make_unique<PretrainTask>(model_, phases_, data_.measured(request_.dev), options(),
                                          device(), seed());
  }

 private:
  const PretrainArmSettings& own() const {
    return as<PretrainArmSettings>(*request_.config.settings);
  }

  PretrainOptions options() const {
    return {.measuring = {.objective = own().objective,
                          .mask = data_.settings().measured_mask(),
                          .tokenizer = &data_.tokenizer()},
            .nsp_weight = own().nsp_weight,
            .nsp_double_softmax = own().nsp_double_softmax,
            .distillation = distillation_,
            .blanks = blanks_};
  }

  void learn_from_blanks() {
    blanks_ = data_.blanks();
    if (!blanks_) return;
    const std::string found = own().objective == Objective::clm ? "objective \"clm\""
                              : own().teacher.teacher.empty()   ? ""
                                                                : "teacher";
    if (!found.empty())
      throw usage_error(
          "train: found " + found +
          ", expected none with data that has blanks, which are soft targets of masks");
  }

  void learn_from_teacher() {
    if (own().teacher.teacher.empty()) return;
    distillation_ = std::make_shared<const Distillation>(
        own().teacher, named_record(own().teacher.teacher, request_.seed), config_,
        data_.tokenizer(), request_.compute);
    for (const PretrainPhase& phase : phases_)
      distillation_->check_length(static_cast<int64_t>(phase.instances->longest()));
    distillation_->start(*model_);
  }

  std::vector<PretrainPhase> phases() {
    const InstanceSettings& instances = data_.settings().instances;
    std::vector<PretrainPhase> out;
    for (const TrainPhase& phase : own().phases) {
      MaskSettings own = instances.mask;
      if (phase.mask_probability > 0) own.probability = phase.mask_probability;
      out.push_back({data_.training(phase.n_seq), own, phase.epochs, phase.batch_size,
                     phase.single_piece_share, phase.batch_pieces, phase.mask_probability_end});
    }
    if (out.empty())
      out.push_back({data_.training(instances.sequence_length), instances.mask,
                     request_.config.train.epochs, request_.config.train.batch_size});
    return out;
  }

  std::vector<PretrainPhase> phases_;
  std::shared_ptr<const Blanks> blanks_;
  std::shared_ptr<const Distillation> distillation_;
};

// A figure to choose weights by is measured after every epoch.
void check_measured(ConfigReader& train, Objective objective, SentenceTask sentence_task) {
  if (!train.has("monitor") || !train.raw("monitor").is_string()) return;
  const std::string monitor = train.raw("monitor");
  std::vector<std::string> measured = {"none"};
  if (objective == Objective::clm)
    measured.insert(measured.end(), {"lm_accuracy", "lm_loss"});
  else
    measured.insert(measured.end(), {"mlm_accuracy", "mlm_loss", "course_mlm_loss"});
  measured.emplace_back("loss_per_byte");
  if (sentence_task != SentenceTask::none)
    measured.insert(measured.end(), {"nsp_accuracy", "nsp_loss", "course_nsp_loss"});
  const bool known = std::ranges::any_of(
      kPretrainMeasures, [&](const Measure& measure) { return measure.name == monitor; });
  if (known && std::ranges::find(measured, monitor) == measured.end())
    train.fail("monitor", "found \"" + monitor +
                              "\", which this arm does not measure after every epoch, expected "
                              "one of: " +
                              joined(measured));
}

}  // namespace

MbqHead PretrainKind::mbq_head(const RunRecord&) const { return head_loaded_by<infer::FillMask>(); }

std::unique_ptr<Predictor> PretrainKind::predictor(const RunRecord& record,
                                                   const std::string& file) const {
  return std::make_unique<MaskFiller>(record, file);
}

std::span<const Measure> PretrainKind::measures() const { return kPretrainMeasures; }

void PretrainKind::fill_in_defaults(nlohmann::json* experiment) const {
  nlohmann::json& instances = (*experiment)["instances"];
  if (instances.is_null()) instances = nlohmann::json::object();
  if (instances.is_object()) instances.emplace("at_least_one_mask", true);
}

std::shared_ptr<const TaskSettings> PretrainKind::read(ConfigReader& experiment) const {
  auto settings = std::make_shared<PretrainSettings>();
  ConfigReader instances = experiment.object("instances");
  read_fields(instances, *settings);
  settings->instances = read_instance_settings(instances);
  instances.finish();
  return settings;
}

std::shared_ptr<const TaskSettings> PretrainKind::read_arm(const ArmReaders& readers,
                                                           const TaskSettings& experiment) const {
  const InstanceSettings& instances = as<PretrainSettings>(experiment).instances;
  auto settings = std::make_shared<PretrainArmSettings>();
  read_fields(readers.train, *settings);
  check_measured(readers.train, settings->objective, instances.sentence_task);
  if (readers.train.has("teacher")) {
    ConfigReader teacher = readers.train.object("teacher");
    read_fields(teacher, settings->teacher);
    teacher.finish();
  }
  if (!settings->teacher.teacher.empty() && settings->objective == Objective::clm)
    readers.train.fail("teacher", "expected none with objective \"clm\"");
  const int64_t batch_size =
      readers.train.integer("batch_size", 1, 65536, TrainConfig().batch_size);
  for (ConfigReader& phase : readers.train.objects("phases")) {
    TrainPhase one{.batch_size = batch_size};
    read_fields(phase, one);
    phase.finish();
    const bool own_masks =
        (one.mask_probability > 0 && one.mask_probability != instances.mask.probability) ||
        one.single_piece_share > 0 || one.mask_probability_end > 0;
    if (instances.masking == Masking::fixed && own_masks)
      readers.train.fail("phases",
                         "found mask_probability or single_piece_share, expected neither with "
                         "static masks (instances.masking)");
    if (settings->objective == Objective::clm)
      for (const auto& [key, value] : {std::pair("mask_probability_end", one.mask_probability_end),
                                       std::pair("mask_probability", one.mask_probability),
                                       std::pair("single_piece_share", one.single_piece_share)})
        if (value > 0)
          readers.train.fail(
              "phases", std::string("found ") + key + ", expected none with objective \"clm\"");
    settings->phases.push_back(one);
  }
  if (settings->phases.size() > 1 &&
      std::ranges::any_of(settings->phases,
                          [](const TrainPhase& one) { return one.mask_probability_end > 0; }) &&
      readers.train.has("max_minutes") && readers.train.raw("max_minutes") != 0)
    readers.train.fail("phases",
                       "found several with a mask_probability_end, expected one phase with "
                       "max_minutes: how long each will be is not known");
  if (readers.model != nullptr)
    read_bert(*readers.model, readers.vocab_size, instances.sentence_task, settings->objective);
  return settings;
}

void PretrainKind::write(const TaskSettings& experiment, nlohmann::json* json) const {
  const auto& settings = as<PretrainSettings>(experiment);
  (*json)["instances"] = to_json(settings.instances);
  (*json)["instances"].update(written_fields(settings));
}

void PretrainKind::write_arm(const TaskSettings& arm, nlohmann::json* json) const {
  const auto& settings = as<PretrainArmSettings>(arm);
  nlohmann::json phases = nlohmann::json::array();
  for (const TrainPhase& phase : settings.phases) phases.push_back(written_fields(phase));
  (*json)["train"].update(written_fields(settings));
  (*json)["train"]["phases"] = phases;
  if (!settings.teacher.teacher.empty())
    (*json)["train"]["teacher"] = written_fields(settings.teacher);
}

std::unique_ptr<TaskData> PretrainKind::load(const LoadRequest& request) const {
  return std::make_unique<PretrainData>(request);
}

std::unique_ptr<Arm> PretrainKind::make_arm(const ArmRequest& request, TaskData& data) const {
  return std::make_unique<PretrainArm>(request, dynamic_cast<PretrainData&>(data));
}

}  // namespace minibert
