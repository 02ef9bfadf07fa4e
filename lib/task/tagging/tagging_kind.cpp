#include "task/tagging/tagging_kind.h"

#include <algorithm>

#include "core/error.h"
#include "core/text.h"
#include "core/utf8.h"
#include "export/label_agreement.h"
#include "infer/format/mbq_format.h"
#include "infer/tagger.h"
#include "infer/whole_words.h"
#include "rules/text_windows.h"
#include "score/entity_score.h"
#include "task/floor.h"
#include "task/tagging/tagging_fields.h"
#include "task/trained_arm.h"
#include "task/weights.h"

namespace minibert {
namespace {

constexpr Measure kTagMeasures[] = {
    on_card({"entity_macro_f1", "entity F1", 4, Better::higher, Resampled::entity_macro_f1}),
    {"character_macro_f1", "character F1", 4, Better::higher},
    hidden("loss", "loss", Better::lower),
    hidden("entities", "entities", Better::neither, -1),
    hidden("examples", "examples", Better::neither, -1),
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

// `said`: the "model" of an arm's file, with init_from a patch. It does not say the tags.
void refuse_tags(const TaggingModelConfig& model, const ConfigReader& said) {
  if (!model.tags.empty())
    said.fail("labels", "found a list, expected none: they follow from the data");
}

class TaggingArm : public TrainedArm<TaggingModelConfig, TaggingData, TaggingModel, TaggingTask> {
 public:
  TaggingArm(const ArmRequest& request, TaggingData& data) : TrainedArm(request, data) {
    Start start(request, data.tokenizer());
    ConfigReader reader = start.model_reader();
    config_ = read_tagging_model(reader, data.tokenizer().size());
    const ArmConfig& arm = request.config;
    if (request.stored == nullptr) {
      // With init_from it is a patch that read_arm() did not see.
      if (arm.model.is_object()) refuse_tags(config_, {arm.model, "arm " + arm.name, "model"});
      config_.tags = data.tags();
      check_length(data.max_length(), config_.encoder, reader);
    }
    model_ = std::make_shared<TaggingModel>(
        config_.encoder, static_cast<int64_t>(config_.tags.size()), config_.head.dropout);
    model_->initialize(seed());
    if (const std::string line = start.match_rows(*model_, TagHead::kName, config_.tags);
        !line.empty())
      request_.say(line);
    put_to_work(start);
  }

  Evaluation evaluate(Split split, Workers* workers) override {
    return evaluate_tags(*model_, *data_.split(split), data_.targets(split, config_.tags),
                         config_.tags, device(), workers);
  }

  nlohmann::ordered_json measure_mbq(const MbqFiles& files, Split split, int threads) override {
    const auto sentences = data_.split(split);
    const auto tags_by = [&](std::span<const uint8_t> file, TagsOf of) {
      return engine_tags(file, sentences->texts, threads, of);
    };
    const auto by_float = tags_by(files.float32, TagsOf::pieces);
    const auto by_int8 = tags_by(files.int8, TagsOf::pieces);
    size_t same = 0;
    for (size_t i = 0; i < by_float.size(); ++i) same += by_float[i] == by_int8[i];
    const auto f1 = [&](const std::vector<std::string>& tags) {
      return score_tags(*sentences, tags).metrics.at("entity_macro_f1");
    };
    return {{"sentences", by_float.size()},
            {"float_entity_macro_f1", f1(by_float)},
            {"int8_entity_macro_f1", f1(by_int8)},
            {"int8_entity_macro_f1_as_shown", f1(tags_by(files.int8, TagsOf::shown))},
            {"agreement", double(same) / double(by_float.size())}};
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

// A finished run, on the CPU in eval mode.
class StoredTagger : public NamePredictor {
 public:
  StoredTagger(const RunRecord& record, const std::string& file, const TaskKind& kind)
      : tokenizer_(Tokenizer::from_bytes(record.tokenizer_model, file)) {
    const StoredHead stored = stored_head(record, file, kind.name());
    ConfigReader reader = stored.reader();
    const TaggingModelConfig config = read_tagging_model(reader, stored.vocab_size);
    tags_ = config.tags;
    max_length_ = stored.features.value("max_length", TaggingSettings().max_length);
    model_ =
        std::make_shared<TaggingModel>(config.encoder, static_cast<int64_t>(tags_.size()), 0.0);
    load_weights(*model_, record.weights, file);
    model_->eval();
  }

  std::vector<FoundName> names(const std::string& text) override {
    const std::vector<uint32_t> offsets = code_point_offsets(text);
    std::vector<int32_t> ids;
    std::vector<PieceCharacters> characters;
    for (const AlignedPiece& piece : tokenizer_.encode_aligned(text)) {
      ids.push_back(piece.id);
      characters.push_back(piece_characters(text, offsets, piece.begin, piece.end));
    }
    const WindowedText input =
        windowed(ids, {}, max_length_, tokenizer_.special().cls, tokenizer_.special().sep);
    std::vector<TextWindow> windows;
    std::vector<std::vector<float>> of_windows;  // logits
    for (const TextInputWindow& window : input.windows) {
      windows.push_back(window.text);
      of_windows.push_back(piece_logits_of(*model_, window));
    }
    const std::vector<float> logits =
        rows_of_best_windows(windows, of_windows, static_cast<uint32_t>(ids.size()), tags_.size());
    std::vector<std::string> of_pieces;
    for (const uint32_t tag :
         infer::tags_of_whole_words(to_code_points(text), characters, logits, tags_))
      of_pieces.push_back(tags_[tag]);
    const std::vector<std::string> tags = character_tags(characters, of_pieces, offsets.size() - 1);
    const std::vector<std::string_view> views(tags.begin(), tags.end());
    std::vector<FoundName> out;
    for (const Entity& entity : strict_entities(views))
      out.push_back({std::string(entity.type), static_cast<uint32_t>(entity.begin),
                     static_cast<uint32_t>(entity.end), std::nullopt});
    return out;
  }

 private:
  Tokenizer tokenizer_;
  std::shared_ptr<TaggingModel> model_;
  std::vector<std::string> tags_;
  int max_length_;
};

}  // namespace

HuggingfaceHead TaggingKind::huggingface_head() const {
  return {"ForTokenClassification", {{"tag", "classifier"}}, true};
}

MbqHead TaggingKind::mbq_head(const RunRecord& record) const {
  return head_loaded_by<infer::Tagger>(
      infer::mbq::kTags,
      {{"max_length", stored_features(record).value("max_length", nlohmann::json())}});
}

std::unique_ptr<Predictor> TaggingKind::predictor(const RunRecord& record,
                                                  const std::string& file) const {
  return std::make_unique<StoredTagger>(record, file, *this);
}

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
  refuse_tags(model, *readers.model);
  return std::make_shared<TaskSettings>();
}

void TaggingKind::write(const TaskSettings& experiment, nlohmann::json* json) const {
  (*json)["features"] = written_fields(as<TaggingSettings>(experiment));
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

}  // namespace minibert
