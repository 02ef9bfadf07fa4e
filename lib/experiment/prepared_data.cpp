#include "experiment/prepared_data.h"

#include <algorithm>

#include "compare/render.h"
#include "core/error.h"
#include "core/shipped_files.h"
#include "data/corpus.h"
#include "data/fetch.h"
#include "data/registry.h"
#include "data/splits/question_data.h"
#include "record/run_record.h"
#include "text/byte_source.h"
#include "text/piece_model.h"
#include "text/wordpiece_file.h"

namespace minibert {
namespace {

constexpr size_t kLargestVocabulary = size_t{16} << 20;

// The WordPiece vocabulary that a data set holds.
Tokenizer load_vocabulary(const ResolvedData& data) {
  for (size_t i = 0; i < data.files.size(); ++i)
    if (data.set.files[i].kind == "vocabulary") {
      const std::string& path = data.files[i].path;
      std::string bytes = read_unpacked(path, kLargestVocabulary);
      if (is_wordpiece_vocabulary(bytes)) {
        WordPieceFile file;
        file.pieces = read_wordpiece_lines(bytes, path);
        file.treatment = likely_treatment(file.pieces);
        // Else the vocabulary says as much by itself.
        if (file.treatment != stored_treatment(file.pieces)) bytes = to_wordpiece_json(file);
      }
      return Tokenizer::from_bytes(std::move(bytes), path);
    }
  throw usage_error("tokenizer.wordpiece: data set " + data.set.id +
                    ": found no file of kind \"vocabulary\"");
}

// Returns the message for a missing data set in a profile that downloads nothing.
std::string say_how_to_fetch(const DataSet& set, const std::string& /*data_dir*/) {
  return set.has_address() ? "not downloaded in this profile: minibert data fetch " + set.id
                           : "no public address";
}

// A figure over no examples would look like one over many, and so would the choice of an epoch by it.
void check_measured(const ExperimentConfig& experiment,
                    const std::map<std::string, size_t>& examples, const std::string& id) {
  const bool watched = std::ranges::any_of(
      experiment.arms, [](const ArmConfig& arm) { return arm.train.monitor != "none"; });
  const std::string reported = to_string(experiment.task->reported());
  for (const auto& [split, count] : examples)
    if (count == 0 &&
        (split == "train" || split == reported ||
         (split == to_string(Split::dev) && watched && experiment.protocol != "course")))
      throw usage_error("data set " + id + ": has no examples for split \"" + split + "\", " +
                        (split == "train"    ? "which is trained on"
                         : split == reported ? "whose figures the run reports"
                                             : "whose figures pick the weights (train.monitor)"));
}

}  // namespace

PreparedData::PreparedData(const ExperimentConfig& experiment, const PreparationOptions& options,
                           std::function<void(const std::string&)> say) {
  const Registry registry = Registry::load(options.registry);
  const std::string data_dir = data_directory(options.data_dir);
  FetchOptions fetching;
  fetching.progress = [&](const std::string& name, uint64_t done, uint64_t total) {
    say("downloading " + name + ": " + std::to_string(done >> 20) + " of " +
        std::to_string(total >> 20) + " MiB");
  };
  Fetcher fetcher;
  if (options.fetch)
    fetcher = experiment.fetch ? automatic_fetcher(registry, fetching) : say_how_to_fetch;
  const ResolvedData chosen = resolve(experiment.data, registry, data_dir, fetcher);
  say(chosen.choice);
  id_ = chosen.set.id;

  if (!experiment.tokenizer.run.empty()) {
    const std::string file = shipped_path(experiment.tokenizer.run);
    const RunRecord record = load_record(file);
    if (record.tokenizer_model.empty()) throw Error(file + ": /tokenizer/model: is missing");
    tokenizer_ = std::make_unique<Tokenizer>(Tokenizer::from_bytes(record.tokenizer_model, file));
    say("tokenizer: " + std::to_string(tokenizer_->size()) + " pieces, from " + file);
  } else if (const std::string& id = experiment.tokenizer.wordpiece; !id.empty()) {
    tokenizer_ =
        std::make_unique<Tokenizer>(load_vocabulary(choose(registry, {id}, data_dir, fetcher)));
    if (!tokenizer_->is_wordpiece())
      throw Error("tokenizer.wordpiece: " + id +
                  " holds no WordPiece vocabulary, expected BERT's vocab.txt");
    say("tokenizer: " + std::to_string(tokenizer_->size()) + " WordPieces, from " + id);
  } else {
    const TokenizerSource& source = experiment.tokenizer;
    const ResolvedData text =
        resolve({.ids = source.data, .train = source.files}, registry, data_dir);
    const bool own = !source.files.empty();
    bool from_cache = false;
    say("tokenizer: from the text of " + (own ? text.set.title : text.set.id));
    tokenizer_ = std::make_unique<Tokenizer>(Tokenizer::from_bytes(train_tokenizer_cached(
        plain_text_files(text_files(text).train, options.cache + "/text"), source.settings,
        /*shrink_to_fit=*/own || text.set.in_repository, options.cache + "/tokenizers",
        &from_cache)));
    say("tokenizer: " + std::to_string(tokenizer_->size()) + " pieces, " +
        (from_cache ? "trained before" : "trained now"));
  }

  task_data_ = experiment.task->load({.data = chosen,
                                      .tokenizer = *tokenizer_,
                                      .settings = *experiment.settings,
                                      .threads = options.threads,
                                      .cache = options.cache,
                                      .say = say,
                                      .find = [registry, data_dir](const std::string& id) {
                                        return choose(registry, {id}, data_dir);
                                      }});
  const std::map<std::string, size_t> examples = task_data_->examples();
  check_measured(experiment, examples, id_);
  const std::span<const Measure> measures = experiment.task->measures();
  const auto share = std::ranges::find(measures, true, &Measure::right);
  if (const auto measured = task_data_->measured_by(experiment.task->reported());
      measured && measured->examples > 0 && share != measures.end()) {
    say(plan_note(share->heading, measured->examples, measured->clusters));
  } else if (const auto found = examples.find(to_string(experiment.task->reported()));
             found != examples.end() && found->second > 0) {
    if (const std::string few = too_few_note(found->second, found->second); !few.empty()) say(few);
  }
  description_ = to_json(chosen, examples);
  if (nlohmann::json statistics = task_data_->statistics(); !statistics.is_null())
    description_["statistics"] = std::move(statistics);
  description_["tokenizer_sha256"] = tokenizer_->sha256();
}

}  // namespace minibert
