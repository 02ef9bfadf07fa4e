// Training speed in real (not padding) pieces a second: our trainer against the plain step
// (plain_bert.h) and, for pretraining, against a hand-tuned loop in Python (tuned_loop.py) and, where transformers is
// installed and has the shape, its Trainer (hf_trainer.py),
// in turns, each in a process of its own, medians over the rounds. Usage: bench_train KORQUAD.json TEXT MODEL [ROUNDS
// [SECONDS]] $PYTHON (python3) needs torch; from PyTorch 2 on the loop is compiled. $DEVICE (cpu): as
// of --device; elsewhere than on the CPU only the first is measured and no ratio is required. $TUNED=0 leaves
// the loops in Python out, $ARM all arms but one. Prints JSON lines, ours with the share of the processor's
// matrix products in its precision that training uses; fails when a ratio misses what is required.
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>

#include "core/error.h"
#include "core/files.h"
#include "data/instances/instances.h"
#include "train_side.h"

namespace {

using namespace minibert;
using namespace minibert::bench;
using nlohmann::json;
using nlohmann::ordered_json;
namespace fs = std::filesystem;

// Promised speed-ups; 0: none.
struct Promise {
  double plain;                    // of the plain step
  double tuned = 0, compiled = 0;  // of the tuned loop by PyTorch 1, by 2 and later
};

struct Arm {
  const char *experiment, *profile, *name;
  // With bf16 in the processor, and without: float32 products take most of a step there, for everyone alike.
  Promise bf16, fp32;
  bool has_tuned = false;        // the tuned loop has its task
  bool in_transformers = false;  // BertForPreTraining has its shape

  const Promise& promise(const std::string& precision) const {
    return precision == "bf16" ? bf16 : fp32;
  }
};

constexpr Arm kArms[] = {
    {"korquad_lstm_vs_bert", "full", "bert", {3}, {1.4}},
    {"korquad_lstm_vs_bert", "quick", "bert_1m", {3}, {2}},
    {"kowiki_mini_bert", "full", "mini_bert_1m", {4, 2.5, 1.5}, {4, 0, 1}, true},
    {"kowiki_mini_bert", "full", "mini_bert_10m", {4, 1.8, 1.3}, {}, true, true},
};

std::string shell_word(const std::string& word) { return "'" + word + "'"; }

// Runs a command that prints one JSON object.
json run_json(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw Error("bench_train: cannot run " + command);
  std::string output;
  std::array<char, 4096> part;
  while (const size_t got = std::fread(part.data(), 1, part.size(), pipe))
    output.append(part.data(), got);
  const json result = json::parse(output, nullptr, /*allow_exceptions=*/false);
  if (pclose(pipe) != 0 || !result.is_object()) throw Error("bench_train: failed: " + command);
  return result;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// The rounds of one side.
struct Rounds {
  std::vector<double> tokens_per_second, tokens_per_cpu_second;
  json last;
  void add(const json& result) {
    last = result;
    const double tokens = result.at("tokens");
    tokens_per_second.push_back(tokens / result.at("seconds").get<double>());
    tokens_per_cpu_second.push_back(tokens / result.at("cpu_seconds").get<double>());
  }
  double speed() const { return median(tokens_per_second); }
  double peak() const { return last.at("peak_mb"); }
};

// Round by round, so that what else the machine did then falls on both.
double ratio(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> ratios;
  for (size_t i = 0; i < a.size(); ++i) ratios.push_back(a[i] / b[i]);
  return median(ratios);
}
// The ratio of the speeds, and of the processor time spent, which other programs hardly disturb.
double ratio(const Rounds& a, const Rounds& b) {
  return ratio(a.tokens_per_second, b.tokens_per_second);
}
double cpu_ratio(const Rounds& a, const Rounds& b) {
  return ratio(a.tokens_per_cpu_second, b.tokens_per_cpu_second);
}

class Bench {
 public:
  Bench(std::string korquad, const std::string& text, std::string model, std::string folder,
        int rounds, double seconds)
      : folder_(std::move(folder)), rounds_(rounds), seconds_(seconds) {
    base_.korquad = std::move(korquad), base_.tokenizer = std::move(model);
    if (const char* device = std::getenv("DEVICE")) base_.device = device;
    if (const char* arm = std::getenv("ARM")) only_ = arm;
    if (const char* tuned = std::getenv("TUNED")) tuned_ = std::string(tuned) != "0";
    base_.instances = folder_ + "/instances.h5";
    create_instances({text}, Tokenizer::from_file(base_.tokenizer), InstanceSettings{},
                     base_.instances, 1);
  }

  int run() {
    ordered_json rows = ordered_json::array();
    for (const Arm& arm : kArms)
      if (only_.empty() || only_ == arm.name) rows.push_back(compare(arm));
    std::cout << ordered_json{{"name", "training"}, {"rows", rows}}.dump() << std::endl;
    return missed_ ? 1 : 0;
  }

 private:
  SideRequest request(const Arm& arm, int round) const {
    SideRequest r = base_;
    r.experiment = arm.experiment, r.profile = arm.profile, r.arm = arm.name;
    r.seconds = seconds_;
    r.seed = static_cast<uint64_t>(round) + 1;
    return r;
  }

  json measure(const SideRequest& request) const {
    const std::string path = folder_ + "/request.json";
    write_file_atomically(path, to_json(request).dump());
    return run_json(shell_word(fs::canonical("/proc/self/exe").string()) + " --side " +
                    shell_word(path));
  }

  static std::string python() {
    const char* named = std::getenv("PYTHON");
    return named == nullptr ? "python3" : named;
  }

  json measure_in_python(const char* script, const Arm& arm, int round, int threads) const {
    SideRequest r = request(arm, round);
    r.write_batches = folder_ + "/batches.pt";
    r.write_config = folder_ + "/" + arm.name + ".json";
    measure(r);
    const fs::path path = fs::path(__FILE__).parent_path() / script;
    return run_json(python() + " " + shell_word(path.string()) + " " + shell_word(r.write_config) +
                    " " + shell_word(r.write_batches) + " " + std::to_string(threads) + " " +
                    std::to_string(seconds_) + " " + base_.device);
  }

  void require(const Arm& arm, const std::string& of, double found, double required) {
    if (found >= required || base_.device != "cpu") return;
    std::cerr << "bench_train: " << arm.name << " trains " << found << " times as fast as " << of
              << ", expected at least " << required << " times\n";
    missed_ = true;
  }

  ordered_json compare(const Arm& arm) {
    Rounds ours, plain, tuned, trainer;
    const bool with_tuned = tuned_ && arm.has_tuned;
    const bool with_trainer =
        with_tuned && arm.in_transformers && base_.device == "cpu" &&
        std::system((python() + " -c 'import transformers, accelerate' 2>/dev/null").c_str()) == 0;
    for (int round = 0; round < rounds_; ++round) {
      SideRequest r = request(arm, round);
      ours.add(measure(r));
      r.side = Side::plain;
      plain.add(measure(r));
      const int threads = ours.last.at("threads");
      if (with_tuned) tuned.add(measure_in_python("tuned_loop.py", arm, round, threads));
      if (with_trainer) trainer.add(measure_in_python("hf_trainer.py", arm, round, threads));
    }
    const Promise& promise = arm.promise(ours.last.at("precision"));
    ordered_json row{
        {"arm", arm.name},
        {"profile", arm.profile},
        {"parameters", ours.last.at("parameters")},
        {"precision", ours.last.at("precision")},
        {"device", ours.last.at("device")},
        {"threads", ours.last.at("threads")},
        {"tokens_s", ours.speed()},
        {"matrix_gflops", ours.last.at("matrix_peak").get<double>() / 1e9},
        {"of_matrix_peak", ours.speed() * ours.last.at("operations_a_piece").get<double>() /
                               ours.last.at("matrix_peak").get<double>()},
        {"plain_tokens_s", plain.speed()},
        {"ratio", ratio(ours, plain)},
        {"cpu_ratio", cpu_ratio(ours, plain)},
        {"required", promise.plain},
        {"peak_mb", ours.peak()},
        {"plain_peak_mb", plain.peak()}};
    double required_tuned = promise.tuned;
    if (with_tuned) {
      const std::string version = tuned.last.at("torch");
      if (!version.starts_with("1.")) required_tuned = promise.compiled;
      if (tuned.last.at("parameters") != ours.last.at("parameters"))
        throw Error("bench_train: the tuned model is not the same model");
      row["tuned_tokens_s"] = tuned.speed();
      row["tuned_ratio"] = ratio(ours, tuned);
      row["tuned_cpu_ratio"] = cpu_ratio(ours, tuned);
      row["tuned_required"] = required_tuned;
      row["tuned_torch"] = version;
      row["tuned_way"] = tuned.last.at("way");
      row["tuned_peak_mb"] = tuned.peak();
    }
    if (with_trainer) {
      row["trainer_tokens_s"] = trainer.speed();
      row["trainer_ratio"] = ratio(ours, trainer);
      row["trainer_cpu_ratio"] = cpu_ratio(ours, trainer);
      row["trainer_transformers"] = trainer.last.at("transformers");
    }
    std::cerr << "bench_train: " << row.dump() << "\n";
    require(arm, "the plain step", row["ratio"], promise.plain);
    if (with_tuned) require(arm, "the tuned loop", row["tuned_ratio"], required_tuned);
    return row;
  }

  SideRequest base_;
  std::string folder_, only_;
  int rounds_;
  double seconds_;
  bool tuned_ = true, missed_ = false;
};

// Prints one line to stderr; removes the folder on every way out.
int in_scratch_folder(const std::function<int(const std::string&)>& work) {
  std::string folder = (fs::temp_directory_path() / "bench_train-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw Error("bench_train: " + folder + " cannot be made");
  int status = 1;
  try {
    status = work(folder);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
  }
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3 && std::string(argv[1]) == "--side") {
      std::cout << measure_side(side_request(read_json(argv[2]))).dump() << "\n";
      return 0;
    }
    if (argc < 4 || argc > 6) {
      std::cerr << "usage: bench_train KORQUAD.json TEXT MODEL [ROUNDS [SECONDS]]\n";
      return 2;
    }
    return in_scratch_folder([&](const std::string& folder) {
      return Bench(argv[1], argv[2], argv[3], folder, argc > 4 ? std::atoi(argv[4]) : 5,
                   argc > 5 ? std::atof(argv[5]) : 3)
          .run();
    });
  } catch (const std::exception& error) {
    std::cerr << "bench_train: " << error.what() << "\n";
    return 1;
  }
}
