// Where an arm's model and weights come from: from scratch, from the record that init_from names, or
// from a stored run that is put to use. Once for every task.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/encoder.h"
#include "task/task_kind.h"

namespace minibert {

// A record's path in a configuration, with the run's seed in the place of "{seed}": each seed's run
// starts from that seed's.
std::string at_seed(std::string path, int64_t seed);
// Where that record is: shipped_path() of it.
std::string named_record(const std::string& path, int64_t seed);

class Start {
 public:
  // Reads init_from's record, and mean's. Throws Error when one cannot be read or has no model or no weights, a
  // usage Error when its tokenizer is not `tokenizer`, or when mean's record is of another model than init_from's.
  Start(const ArmRequest& request, const Tokenizer& tokenizer);

  // The arm's "model" as an object, without vocab_size: as the arm says; init_from's encoder patched by
  // what the arm says (RFC 7386); or a stored run's, with its head's keys.
  ConfigReader model_reader() const;
  // init_from's record, with the mean of both's weights where there is a mean; null where there is none.
  const RunRecord* init_from() const { return record_ ? &*record_ : nullptr; }
  // Of init_from, load() takes no weight whose name begins so.
  void leave_out(std::string_view prefix);
  // Makes the rows of init_from's output layer those of `labels`, the arm's own, by their names: `layer`.weight [C, D]
  // and `layer`.bias [C]. A label that init_from lacks keeps the row that `model`, initialized, has. Where init_from
  // names no labels of the layer, load() takes none of it. Returns what a person must know, one line that names the
  // labels; empty where both have the same.
  std::string match_rows(const Model& model, const std::string& layer,
                         const std::vector<std::string>& labels);
  // Copies into the initialized model what there is to take: from scratch nothing; of
  // init_from all of the encoder (else Error) and every head's parameter of the same name and shape,
  // made larger first where the arm grows (then init_from is a run of pretraining, else Error); of a
  // stored run everything.
  // `renamed` gives prefixes of init_from's names that a head takes under others, where init_from has
  // none under those.
  void load(Model& model,
            const std::vector<std::pair<std::string, std::string>>& renamed = {}) const;

 private:
  std::string file_;  // for messages
  std::optional<RunRecord> record_;
  const RunRecord* stored_;
  nlohmann::json model_;
  bool grow_;
  uint64_t seed_;
};

// Throws a usage Error when the encoder reads fewer than features.max_length pieces.
void check_length(int max_length, const ModelConfig& encoder, const ConfigReader& model);

// A run's "features"; an arm's own stand before those of the experiment. Empty where there are none.
nlohmann::json stored_features(const RunRecord& record);

// What a finished run stores of its model, for a command that puts the run to use without its data.
struct StoredHead {
  nlohmann::json model;     // keys of the encoder and the head
  nlohmann::json features;  // of the experiment, or of the arm where it has its own
  int64_t vocab_size;
  std::string file;
  ConfigReader reader() const { return {model, file, "model"}; }
};
// Reads the head's keys of a run of `task`. Errors name `file`: a run of another task (usage Error), no
// weights, no model.
StoredHead stored_head(const RunRecord& record, const std::string& file, std::string_view task);

}  // namespace minibert
