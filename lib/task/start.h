// Where an arm's model and weights come from: from scratch, init_from's record, or a stored run.
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

// Returns a record's shipped_path(), with the run's seed for "{seed}", so that a run starts from its seed's.
std::string named_record(std::string path, int64_t seed);

class Start {
 public:
  // Reads the records of init_from and mean. Throws Error if one cannot be read or has no model or
  // no weights, and a usage Error if its tokenizer is not `tokenizer` or if mean's model differs
  // from init_from's.
  Start(const ArmRequest& request, const Tokenizer& tokenizer);

  // Returns the arm's "model" as an object, without vocab_size: as in the arm; init_from's encoder
  // patched by the arm (RFC 7386); or a stored run's, with its head's keys.
  ConfigReader model_reader() const;
  // Returns init_from's record, with the averaged weights if mean is set; null without init_from.
  const RunRecord* init_from() const { return record_ ? &*record_ : nullptr; }
  // Makes load() ignore init_from's weights whose name begins with `prefix`.
  void leave_out(std::string_view prefix);
  // Matches the rows of init_from's output layer (`layer`.weight [C, D] and `layer`.bias [C]) with
  // the arm's `labels`, by name. A label that init_from lacks keeps the row of `model`, which is
  // initialized. If init_from has no names for the layer's labels, load() ignores the layer.
  // Returns one line for the user that names the differing labels; empty if both have the same.
  std::string match_rows(const Model& model, const std::string& layer,
                         const std::vector<std::string>& labels);
  // Copies weights into the initialized model: none from scratch; from init_from the whole encoder
  // (else Error) and every head's parameter of equal name and shape, enlarged first if the arm
  // grows (init_from must then be a pretraining run, else Error); from a stored run everything.
  // `renamed`: pairs of prefixes under which a head takes weights of init_from, if init_from has
  // none under the head's own names.
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

// Throws a usage Error if the encoder reads fewer than features.max_length pieces.
void check_length(int max_length, const ModelConfig& encoder, const ConfigReader& model);

// Returns a run's "features": the arm's own, else the experiment's; empty if there are none.
nlohmann::json stored_features(const RunRecord& record);

// The stored description of a finished run's model, for commands that use the run without its data.
struct StoredHead {
  nlohmann::json model;     // keys of the encoder and the head
  nlohmann::json features;  // the arm's own, else the experiment's
  int64_t vocab_size;
  std::string file;
  ConfigReader reader() const { return {model, file, "model"}; }
};
// Reads the head's keys of a run of `task`. Throws Error naming `file` for a run of another task
// (usage Error), no weights or no model.
StoredHead stored_head(const RunRecord& record, const std::string& file, std::string_view task);

}  // namespace minibert
