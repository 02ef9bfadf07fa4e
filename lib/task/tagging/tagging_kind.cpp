#include "task/tagging/tagging_kind.h"

#include <algorithm>

#include "core/error.h"
#include "core/text.h"
#include "task/floor.h"
#include "task/tagging/tagging_fields.h"
#include "task/trained_arm.h"
#include "task/weights.h"

namespace minibert {
namespace {

constexpr Measure kTagMeasures[] = {
    {"entity_macro_f1", "entity F1", 4, Better::higher, Resampled::entity_macro_f1},
    {"character_macro_f1", "character F1", 4, Better::higher},
    {.name = "loss", .heading = "loss", .decimals = 4, .better = Better::lower, .in_table = false},
    {.name = "entities",
     .heading = "entities",
     .decimals = -1,
     .better = Better::neither,
     .in_table = false},
    {.name = "examples",
     .heading = "examples",
     .decimals = -1,
     .better = Better::neither,
     .in_table = false},
};

// An arm's "model": an encoder's keys, the head's, and of a stored run the tags.
struct TaggingModelConfig {
  ModelConfig encoder;
  TaggingHeadConfig head;
  std::vector<std::string> tags;
};

TaggingModelConfig read_tagging_model(ConfigReader& reader, int64_t vocab_size) {
  TaggingModelConfig config;
  config.encoder = read_model_config(reader, vocab_size);
  read_fields(reader, config.head);
  config.tags = reader.strings("labels");
  reader.finish();
  return config;
}

nlohmann::json to_json(const TaggingModelConfig& config) {
  nlohmann::json json = to_json(config.encoder);
  json.update(written_fields(config.head));
  json["labels"] = config.tags;
  return json;
}

class TaggingArm : public TrainedArm<TaggingModelConfig, TaggingData, TaggingModel, TaggingTask> {
 public:
  TaggingArm(const ArmRequest& request, TaggingData& data) : TrainedArm(request, data) {
    const Start start(request, data.tokenizer());
    ConfigReader reader = start.model_reader();
    config_ = read_tagging_model(reader, data.tokenizer().size());
    if (request.stored == nullptr) {
      config_.tags = data.tags();
      check_length(data.max_length(), config_.encoder, reader);
    }
    model_ = std::make_shared<TaggingModel>(
        config_.encoder, static_cast<int64_t>(config_.tags.size()), config_.head.dropout);
    model_->initialize(seed());
    put_to_work(start);
  }

  Evaluation evaluate(Split split, Workers* workers) override {
    return evaluate_tags(*model_, *data_.split(split), data_.targets(split, config_.tags),
                         config_.tags, device(), workers);
  }

 protected:
  std::unique_ptr<TaggingTask> make_task() override {
    return std::make_unique<TaggingTask>(
        model_, data_.split(Split::train), data_.targets(Split::train, config_.tags),
        data_.split(request_.dev), data_.targets(request_.dev, config_.tags), config_.tags,
        request_.config.train, device(), seed());
  }
};

// Every piece has the tag that it has most often in training, an unseen one O.
class MajorityTags : public Arm {
 public:
  explicit MajorityTags(TaggingData& data) : data_(data) {}

  Task& task() override { return task_; }
  torch::nn::Module& module() override { return task_.module(); }
  nlohmann::json model_config() const override { return {{"kind", kMajority}}; }
  Evaluation evaluate(Split split, Workers*) override {
    const std::vector<std::string>& tags = data_.tags();
    const auto train = data_.split(Split::train), sentences = data_.split(split);
    const auto targets = data_.targets(Split::train, tags);
    std::map<int32_t, std::vector<int>> seen;
    for (size_t i = 0; i < targets.size(); ++i)
      for (size_t k = 0; k < targets[i].size(); ++k) {
        std::vector<int>& counts = seen[train->rows.ids[i][k + 1]];
        counts.resize(tags.size());
        ++counts[static_cast<size_t>(targets[i][k])];
      }
    std::vector<std::string> prediction;
    for (size_t i = 0; i < sentences->ids.size(); ++i) {
      std::vector<std::string> of_pieces;
      for (size_t k = 0; k < sentences->characters[i].size(); ++k) {
        const auto counts = seen.find(sentences->rows.ids[i][k + 1]);
        of_pieces.push_back(
            counts == seen.end()
                ? "O"
                : tags[static_cast<size_t>(std::ranges::max_element(counts->second) -
                                           counts->second.begin())]);
      }
      const auto characters = static_cast<size_t>(std::ranges::count(sentences->gold[i], ' ')) + 1;
      prediction.push_back(
          joined(character_tags(sentences->characters[i], of_pieces, characters), " "));
    }
    return score_tags(*sentences, std::move(prediction));
  }

 private:
  TaggingData& data_;
  UntrainedTask task_;
};

}  // namespace

std::span<const Measure> TaggingKind::measures() const { return kTagMeasures; }

std::shared_ptr<const TaskSettings> TaggingKind::read(ConfigReader& experiment) const {
  auto settings = std::make_shared<TaggingSettings>();
  ConfigReader features = experiment.object("features");
  read_fields(features, *settings);
  features.finish();
  return settings;
}

std::shared_ptr<const TaskSettings> TaggingKind::read_arm(const ArmReaders& readers,
                                                          const TaskSettings& experiment) const {
  pass_over_pretraining_keys(readers.train, name());
  if (readers.model == nullptr || is_floor(kMajority, readers.model->node(), readers.model->file()))
    return std::make_shared<TaskSettings>();
  const TaggingModelConfig model = read_tagging_model(*readers.model, readers.vocab_size);
  check_length(as<TaggingSettings>(experiment).max_length, model.encoder, *readers.model);
  if (!model.tags.empty())
    readers.model->fail("labels", "found a list, expected none: they follow from the data");
  return std::make_shared<TaskSettings>();
}

void TaggingKind::write(const TaskSettings& experiment, nlohmann::json* json) const {
  (*json)["features"] = written_fields(as<TaggingSettings>(experiment));
}

void TaggingKind::write_arm(const TaskSettings&, nlohmann::json*) const {
  // An arm has no keys of its own.
}

std::unique_ptr<TaskData> TaggingKind::load(const LoadRequest& request) const {
  return std::make_unique<TaggingData>(request);
}

std::unique_ptr<Arm> TaggingKind::make_arm(const ArmRequest& request, TaskData& data) const {
  auto& sentences = dynamic_cast<TaggingData&>(data);
  if (is_floor(kMajority, request.config.model, "arm " + request.config.name))
    return std::make_unique<MajorityTags>(sentences);
  return std::make_unique<TaggingArm>(request, sentences);
}

StoredTagger load_tagger(const RunRecord& record, const std::string& file) {
  const StoredHead stored = stored_head(record, file, TaggingKind());
  ConfigReader reader = stored.reader();
  TaggingModelConfig config = read_tagging_model(reader, stored.vocab_size);
  StoredTagger out{
      std::make_shared<TaggingModel>(config.encoder, static_cast<int64_t>(config.tags.size()), 0.0),
      config.tags, stored.features.value("max_length", 256)};
  load_weights(*out.model, record.weights, file);
  out.model->eval();
  return out;
}

}  // namespace minibert
