// A kind of learning problem: its keys in an experiment file, its data, its model's head, its
// measures. All that the program knows of a task goes through here: outside lib/task nothing compares
// a task's name. How to add one: README.md.
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

// Where a run computes.
struct Compute {
  torch::Device device{torch::kCPU};
  torch::ScalarType type = torch::kFloat32;  // of matrix products
  int threads = 1;
};

// How many examples of a split are measured, and how many clusters (data/splits/clusters.h) they are of.
struct MeasuredExamples {
  size_t examples = 0, clusters = 0;
};

// The splits of a data set as a task reads them; shared by all arms of an experiment. What is costly
// is made when it is first asked for.
class TaskData {
 public:
  virtual ~TaskData() = default;
  // How many examples each split has, as the record's /data tells.
  virtual std::map<std::string, size_t> examples() = 0;
  virtual nlohmann::json statistics() { return nullptr; }  // more for /data; null: nothing
  // What a run is measured by; nothing where it is not known which examples belong together.
  virtual std::optional<MeasuredExamples> measured_by(Split) { return std::nullopt; }
  // What each example of a split asks: its text, with a second one or a question where it has one; empty where
  // examples are pieces of plain text.
  virtual std::vector<std::string> asked(Split) { return {}; }
};

struct LoadRequest {
  const ResolvedData& data;
  const Tokenizer& tokenizer;    // outlives what is loaded
  const TaskSettings& settings;  // of the experiment; likewise
  int64_t limit = 0;             // examples of a split that is measured; 0: what the settings say
  int threads = 1;
  std::string cache = "build/cache";
  std::function<void(const std::string&)> say = [](const std::string&) {};
  // Another data set that the settings name, found where the experiment's own was. Throws as choose().
  std::function<ResolvedData(const std::string& id)> find = {};
};

struct Evaluation {
  Metrics metrics;  // under the names of TaskKind::measures()
  std::optional<Predictions> predictions;
};

// One arm made ready: its model, how it is trained, how it is measured.
class Arm {
 public:
  virtual ~Arm() = default;
  // Made at the first call, so that a stored model can be measured without training data.
  virtual Task& task() = 0;
  virtual torch::nn::Module& module() = 0;
  // The type that its matrix products are computed in: what was asked for, or float32 where its model has no
  // other.
  virtual torch::ScalarType compute_type() const { return torch::kFloat32; }
  // The model as built, with its vocabulary: what the record's config stores under "model".
  virtual nlohmann::json model_config() const = 0;
  // SHA-256 of the weights of other stored runs that it learns from, beside init_from's, by what they
  // are to it ("teacher").
  virtual std::map<std::string, std::string> learnt_from() const { return {}; }
  // Evaluates the module as it is now; leaves it in eval mode. `workers` (null: this process alone) all
  // call it, with the same weights; the first one's evaluation is whole: see train/spread.h.
  virtual Evaluation evaluate(Split split, Workers* workers) = 0;
  // For a person, the last evaluation's examples, at most `count`, spread over the split: what was asked,
  // what is right and what was predicted. Empty: the task shows none.
  virtual std::vector<std::string> shown(Split, const Predictions&, size_t /*count*/) { return {}; }
  // What int8 costs a run that goes out as a `.mbq`: figures of both files on the split, in the order in
  // which they are told. Throws a usage Error where the task does not measure it.
  virtual nlohmann::ordered_json measure_mbq(const MbqFiles& files, Split split, int threads);
};

struct ArmRequest {
  ArmConfig config;
  int64_t seed = 1;
  Compute compute = {};
  // The split that dev metrics and early stopping look at.
  Split dev = Split::dev;
  // A finished run to be put to use: its model and all its weights, whatever config.init_from says.
  const RunRecord* stored = nullptr;
  std::string stored_file = {};  // for messages
  // Is told in one line what of init_from the arm does not take.
  std::function<void(const std::string&)> say = [](const std::string&) {};
};

// What transformers calls a task's head (checkpoint/huggingface.h).
struct HuggingfaceHead {
  std::string architecture = {};  // behind "Bert" or "Minibert": "ForQuestionAnswering"
  // Its dense layers, our names and theirs.
  std::vector<std::pair<std::string, std::string>> dense = {};
  bool labels = false;  // the last of them has an output a label, or one alone
};

class TaskKind {
 public:
  virtual ~TaskKind() = default;
  virtual std::string_view name() const = 0;  // persisted: "task"
  virtual std::span<const Measure> measures() const = 0;
  virtual Split reported() const { return Split::test; }  // the split of a run's summary
  // True for a task that learns from plain text, so that any text file can be its data.
  virtual bool reads_text() const { return false; }

  // Adds the keys of the task that a new run has where its experiment's file says nothing, and that a stored run's
  // configuration lacks where it was made without them.
  virtual void fill_in_defaults(nlohmann::json*) const {}
  // The task's keys of an experiment; the caller finishes the reader.
  virtual std::shared_ptr<const TaskSettings> read(ConfigReader& experiment) const = 0;
  // The task's keys of an arm, of its "train" and of its "model" (null with init_from, when it is
  // only a patch). `vocab_size` is what the tokenizer is asked for.
  struct ArmReaders {
    ConfigReader& arm;
    ConfigReader& train;
    ConfigReader* model;
    int64_t vocab_size;
  };
  virtual std::shared_ptr<const TaskSettings> read_arm(const ArmReaders& readers,
                                                       const TaskSettings& experiment) const = 0;
  // What read and read_arm would read back, added to the experiment's and the arm's JSON.
  virtual void write(const TaskSettings& experiment, nlohmann::json* json) const = 0;
  virtual void write_arm(const TaskSettings& arm, nlohmann::json* json) const = 0;

  // Throws Error when the data set is not of this task's kind.
  virtual std::unique_ptr<TaskData> load(const LoadRequest& request) const = 0;
  // `data` comes from this kind's load.
  virtual std::unique_ptr<Arm> make_arm(const ArmRequest& request, TaskData& data) const = 0;

  // A text may have several labels, or none: its labels are then sets (score/label_set.h).
  virtual bool several_labels() const { return false; }

  // The measure by which a run of an experiment that `new` writes chooses its best epoch; empty: `new` writes none for
  // this task.
  virtual std::string_view monitor() const { return {}; }

  // Without dense layers: the heads of pretraining, or none that transformers has.
  virtual HuggingfaceHead huggingface_head() const { return {}; }
  // Makes the weights of a record that goes to other programs give what the run gives, without the keys of the task
  // that say more.
  virtual void write_out_units(RunRecord*) const {}
  // The head of a run's `.mbq`. Throws Error where the engine has none for this run.
  virtual MbqHead mbq_head(const RunRecord& record) const;
  // What a finished run is put to use for, and the predictor of that kind, by LibTorch on the CPU. Errors name
  // `file`: no weights, weights that do not fit.
  virtual Predicts predicts() const { return Predicts::nothing; }
  virtual std::unique_ptr<Predictor> predictor(const RunRecord& record,
                                               const std::string& file) const;
};

// Settings of a kind as that kind knows them.
template <class Settings>
const Settings& as(const TaskSettings& settings) {
  return dynamic_cast<const Settings&>(settings);
}

// For every task but pretraining: two keys that the first records hold in each "train", with their
// defaults. Anything else there is a usage Error.
void pass_over_pretraining_keys(ConfigReader& train, std::string_view task);

}  // namespace minibert
