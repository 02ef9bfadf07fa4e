// A kind of learning task: its keys in an experiment file, its data, its model's head, its
// measures. All knowledge of a task is behind this interface: outside lib/task nothing compares a
// task's name. README.md tells how to add one.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/measure.h"
#include "core/torch.h"
#include "data/registry.h"
#include "export/mbq_export.h"
#include "record/run_record.h"
#include "task/arm_config.h"
#include "task/predictor.h"
#include "text/tokenizer.h"
#include "train/trainer.h"

namespace minibert {

enum class Split { train, dev, test };
const char* to_string(Split split);  // "train", "dev", "test"

// The device, precision and threads of a run.
struct Compute {
  torch::Device device{torch::kCPU};
  torch::ScalarType type = torch::kFloat32;  // of matrix products
  int threads = 1;
};

// The number of examples on which a split is evaluated, and of their clusters
// (data/splits/clusters.h).
struct MeasuredExamples {
  size_t examples = 0, clusters = 0;
};

// The splits of a data set as a task reads them, shared by all arms of an experiment. Costly parts
// are made on first use.
class TaskData {
 public:
  virtual ~TaskData() = default;
  // Returns the number of examples in each split, for the record's /data.
  virtual std::map<std::string, size_t> examples() = 0;
  virtual nlohmann::json statistics() { return nullptr; }  // more for /data, or null
  // Returns the size of the evaluation; nothing if clusters of examples are unknown.
  virtual std::optional<MeasuredExamples> measured_by(Split) { return std::nullopt; }
  // Returns the input of each example: its text, with its second text or question if it has one;
  // empty if examples are pieces of plain text.
  virtual std::vector<std::string> asked(Split) { return {}; }
};

struct LoadRequest {
  const ResolvedData& data;
  const Tokenizer& tokenizer;    // must outlive the data
  const TaskSettings& settings;  // of the experiment; must outlive the data
  int64_t limit = 0;             // evaluated examples of a split; 0: as in the settings
  int threads = 1;
  std::string cache = "build/cache";
  std::function<void(const std::string&)> say = [](const std::string&) {};
  // Finds another data set of the settings like the experiment's own. Throws like choose().
  std::function<ResolvedData(const std::string& id)> find = {};
};

struct Evaluation {
  Metrics metrics;  // under the names of TaskKind::measures()
  std::optional<Predictions> predictions;
};

// One arm, ready to run: its model, its training, its evaluation.
class Arm {
 public:
  virtual ~Arm() = default;
  // Made at the first call, so that a stored model can be evaluated without training data.
  virtual Task& task() = 0;
  virtual torch::nn::Module& module() = 0;
  // The type of its matrix products: the requested one, or float32 if its model has no other.
  virtual torch::ScalarType compute_type() const { return torch::kFloat32; }
  // The model as built, with its vocabulary: "model" in the record's config.
  virtual nlohmann::json model_config() const = 0;
  // SHA-256 of the weights of other stored runs that it learns from (except init_from's), by their
  // role ("teacher").
  virtual std::map<std::string, std::string> learnt_from() const { return {}; }
  // Evaluates the module as it is; leaves it in eval mode. All `workers` (null: only this process)
  // call it with the same weights; the first one's evaluation is complete: see train/spread.h.
  virtual Evaluation evaluate(Split split, Workers* workers) = 0;
  // Shows at most `count` examples of the last evaluation, spread over the split: input, right
  // answer and prediction. Empty: the task shows none.
  virtual std::vector<std::string> shown(Split, const Predictions&, size_t /*count*/) { return {}; }
  // Measures the loss by int8 in a run's `.mbq`: figures of both files on the split, in the order
  // of display. Throws a usage Error if the task does not measure it.
  virtual nlohmann::ordered_json measure_mbq(const MbqFiles& files, Split split, int threads);
};

struct ArmRequest {
  ArmConfig config;
  int64_t seed = 1;
  Compute compute = {};
  // The split for dev metrics and early stopping.
  Split dev = Split::dev;
  // A finished run to use: its model and all its weights, whatever config.init_from says.
  const RunRecord* stored = nullptr;
  std::string stored_file = {};  // for messages
  // Called with one line for each part of init_from that the arm does not load.
  std::function<void(const std::string&)> say = [](const std::string&) {};
};

// The names of a task's head in transformers (checkpoint/huggingface.h).
struct HuggingfaceHead {
  std::string architecture = {};  // follows "Bert" or "Minibert": "ForQuestionAnswering"
  // Its dense layers: our names and theirs.
  std::vector<std::pair<std::string, std::string>> dense = {};
  bool labels = false;  // the last layer has one output for each label, or a single one
};

class TaskKind {
 public:
  virtual ~TaskKind() = default;
  virtual std::string_view name() const = 0;  // persisted: "task"
  virtual std::span<const Measure> measures() const = 0;
  virtual Split reported() const { return Split::test; }  // the split in a run's summary
  // True for a task that learns from plain text: any text file can be its data.
  virtual bool reads_text() const { return false; }

  // Adds task keys with the defaults of new runs. Stored runs without them keep older ones.
  virtual void fill_in_defaults(nlohmann::json*) const {}
  // Reads the task's keys of an experiment; the caller finishes the reader.
  virtual std::shared_ptr<const TaskSettings> read(ConfigReader& experiment) const = 0;
  // Readers of an arm, of its "train" and of its "model" (null with init_from, if it is only a
  // patch). `vocab_size`: the tokenizer's requested size.
  struct ArmReaders {
    ConfigReader& arm;
    ConfigReader& train;
    ConfigReader* model;
    int64_t vocab_size;
  };
  virtual std::shared_ptr<const TaskSettings> read_arm(const ArmReaders& readers,
                                                       const TaskSettings& experiment) const = 0;
  // Add the keys that read and read_arm read to the JSON of the experiment and the arm, which may have none.
  virtual void write(const TaskSettings& experiment, nlohmann::json* json) const = 0;
  virtual void write_arm(const TaskSettings&, nlohmann::json*) const {}

  // Throws Error if the data set does not suit this task.
  virtual std::unique_ptr<TaskData> load(const LoadRequest& request) const = 0;
  // `data` comes from this kind's load().
  virtual std::unique_ptr<Arm> make_arm(const ArmRequest& request, TaskData& data) const = 0;

  // True if a text may have several labels or none: its labels are then sets (score/label_set.h).
  virtual bool several_labels() const { return false; }

  // The measure by which `minibert new` lets runs choose their best epoch; empty: `new` writes no
  // experiment for this task.
  virtual std::string_view monitor() const { return {}; }

  // No dense layers mean pretraining's heads, or a head that transformers lacks.
  virtual HuggingfaceHead huggingface_head() const { return {}; }
  // Changes an exported record's weights to give the run's outputs without the task's keys.
  virtual void fold_output_units(RunRecord*) const {}
  // The head of a run's `.mbq`. Throws Error if the engine has none for this run.
  virtual MbqHead mbq_head(const RunRecord& record) const;
  // The kind of prediction of a finished run, and its predictor with LibTorch on the CPU. Throws
  // Error naming `file` for no weights or weights that do not fit.
  virtual Predicts predicts() const { return Predicts::nothing; }
  virtual std::unique_ptr<Predictor> predictor(const RunRecord& record,
                                               const std::string& file) const;
};

// Casts settings to the kind's own type.
template <class Settings>
const Settings& as(const TaskSettings& settings) {
  return dynamic_cast<const Settings&>(settings);
}

// For every task but pretraining: accepts two keys that the first records hold in each "train", at
// their defaults. Throws a usage Error for any other value.
void pass_over_pretraining_keys(ConfigReader& train, std::string_view task);

}  // namespace minibert
