#include "experiment/prepared_data.h"

#include "core/error.h"
#include "data/fetch.h"
#include "data/instances.h"
#include "data/registry.h"
#include "record/run_record.h"

namespace minibert {
namespace {

size_t questions_in(const KorquadSet& set) { return set.question_count(); }

std::shared_ptr<const QaSplit> encode(const KorquadSet& set, const Tokenizer& tokenizer,
                                      const QaFeatureSettings& features, int threads) {
  return std::make_shared<const QaSplit>(encode_questions(set, tokenizer, features, threads));
}

constexpr uint64_t kDevInstanceSeed = 20260102;

}  // namespace

InstanceSettings dev_instance_settings(InstanceSettings training, int64_t limit) {
  training.masking = Masking::dynamic;
  training.seed = kDevInstanceSeed;
  training.limit = static_cast<uint64_t>(limit);
  // The dev articles of kowiki make 3,846 instances in one pass; new cuts of them make up the rest.
  training.passes = 2;
  return training;
}

PreparedData::PreparedData(const ExperimentConfig& experiment, const PreparationOptions& options,
                           std::function<void(const std::string&)> say)
    : experiment_(experiment),
      threads_(options.threads),
      cache_(options.cache),
      say_(std::move(say)) {
  const Registry registry = Registry::load(options.registry);
  const std::string data_dir = data_directory(options.data_dir);
  FetchOptions fetching;
  fetching.progress = [&](const std::string& name, uint64_t done, uint64_t total) {
    say_("downloading " + name + ": " + std::to_string(done >> 20) + " of " +
         std::to_string(total >> 20) + " MiB");
  };
  const ResolvedData chosen =
      choose(registry, experiment.data, data_dir,
             options.fetch ? automatic_fetcher(registry, fetching) : Fetcher());
  say_(chosen.choice);
  id_ = chosen.set.id;

  if (!experiment.tokenizer.run.empty()) {
    const RunRecord record = load_record(experiment.tokenizer.run);
    if (record.tokenizer_model.empty())
      throw Error(experiment.tokenizer.run + ": /tokenizer/model: is missing");
    tokenizer_ = std::make_unique<Tokenizer>(
        Tokenizer::from_bytes(record.tokenizer_model, experiment.tokenizer.run));
    say_("tokenizer: " + std::to_string(tokenizer_->size()) + " pieces, of " +
         experiment.tokenizer.run);
  } else {
    const ResolvedData text = choose(registry, experiment.tokenizer.data, data_dir);
    bool from_cache = false;
    say_("tokenizer: from the text of " + text.set.id);
    tokenizer_ = std::make_unique<Tokenizer>(Tokenizer::from_bytes(train_tokenizer_cached(
        text_files(text).train, experiment.tokenizer.settings,
        /*shrink_to_fit=*/text.set.in_repository, options.cache + "/tokenizers", &from_cache)));
    say_("tokenizer: " + std::to_string(tokenizer_->size()) + " pieces, " +
         (from_cache ? "trained before" : "trained now"));
  }

  if (experiment.task == "korquad") {
    korquad_ = std::make_shared<const KorquadSplits>(load_korquad(chosen));
    description_ = to_json(chosen, {{"train", questions_in(korquad_->train)},
                                    {"dev", questions_in(korquad_->dev)},
                                    {"test", questions_in(korquad_->test)}});
  } else {
    const TextFiles text = text_files(chosen);
    train_text_ = text.train;
    dev_text_ = text.dev;
    description_ = to_json(
        chosen, {{"train", training_instances(experiment.instances.sequence_length)->size()},
                 {"dev", dev_instances()->size()}});
    description_["statistics"] = {
        {"train", training_instances(experiment.instances.sequence_length)->statistics()},
        {"dev", dev_instances()->statistics()}};
  }
  description_["tokenizer_sha256"] = tokenizer_->sha256();
}

QaSplits PreparedData::questions(const QaFeatureSettings& features) {
  const std::string key = std::to_string(features.max_length) + "/" +
                          std::to_string(features.max_question) + "/" +
                          std::to_string(features.stride);
  QaSplits& splits = questions_[key];
  if (!splits.train)
    splits = {encode(korquad_->train, *tokenizer_, features, threads_),
              encode(korquad_->dev, *tokenizer_, features, threads_),
              encode(korquad_->test, *tokenizer_, features, threads_)};
  return splits;
}

std::shared_ptr<const InstanceFile> PreparedData::instances(const std::vector<std::string>& files,
                                                            const InstanceSettings& settings) {
  return std::make_shared<const InstanceFile>(
      cached_instances(files, *tokenizer_, settings, cache_ + "/instances", threads_));
}

std::shared_ptr<const InstanceFile> PreparedData::training_instances(int64_t n_seq) {
  std::shared_ptr<const InstanceFile>& file = training_[n_seq];
  if (!file) {
    InstanceSettings settings = experiment_.instances;
    settings.sequence_length = static_cast<int>(n_seq);
    file = instances(train_text_, settings);
    say_("instances: " + std::to_string(file->size()) + " of up to " + std::to_string(n_seq) +
         " pieces (" + file->path() + ")");
  }
  return file;
}

std::shared_ptr<const InstanceFile> PreparedData::dev_instances() {
  if (!dev_) {
    dev_ =
        instances(dev_text_, dev_instance_settings(experiment_.instances, experiment_.dev_limit));
  }
  return dev_;
}

}  // namespace minibert
