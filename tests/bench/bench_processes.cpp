// What a second process makes of a training, beside a second thread: real pieces a second of one
// pretraining run with 1 process of 1 thread, 1 of 2 and 2 of 1, in turns, medians over the rounds. On the
// sample data, so that only the model's size matters. Usage: bench_processes PROGRAM [ROUNDS [STEPS]]
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "record/run_record.h"

namespace {

using namespace minibert;
using nlohmann::json;
using nlohmann::ordered_json;
namespace fs = std::filesystem;

struct Way {
  const char* name;
  int processes, threads;
};

constexpr Way kWays[] = {
    {"processes_1_threads_1", 1, 1},
    {"processes_1_threads_2", 1, 2},
    {"processes_2_threads_1", 2, 1},
};
constexpr int kPort = 29517;

// The shape of kowiki_mini_bert's model of a million parameters, on the sample's own vocabulary.
json experiment(int steps) {
  return {{"name", "bench_processes"},
          {"task", "pretrain"},
          {"data", {"sample"}},
          {"tokenizer", {{"data", {"sample"}}, {"vocab_size", 1500}}},
          {"instances", {{"sequence_length", 128}, {"dev_limit", 20}}},
          {"seeds", {1}},
          {"profiles", {{"bench", json::object()}}},
          {"arms",
           {{{"name", "bert"},
             {"model",
              {{"kind", "bert"},
               {"d_model", 128},
               {"n_heads", 4},
               {"d_ff", 512},
               {"n_layers", 4},
               {"dropout", 0.1},
               {"max_positions", 128}}},
             {"train", {{"epochs", 100000}, {"max_steps", steps}, {"batch_size", 64}}}}}}};
}

double pieces_per_second(const Way& way, const std::string& program, const fs::path& folder) {
  const std::string results = (folder / "results").string();
  fs::remove_all(results);
  std::string command = "export WORLD_SIZE=" + std::to_string(way.processes) +
                        " MASTER_ADDR=127.0.0.1 MASTER_PORT=" + std::to_string(kPort) + "; ";
  for (int rank = 0; rank < way.processes; ++rank)
    command += "RANK=" + std::to_string(rank) + " LOCAL_RANK=" + std::to_string(rank) + " '" +
               program + "' run '" + (folder / "bench.json").string() +
               "' --profile bench --no-fetch --quiet --no-weights --threads " +
               std::to_string(way.threads) + " --results '" + results + "' >/dev/null 2>'" +
               (folder / "log").string() + std::to_string(rank) + "' & ";
  command += "wait";
  const int status = std::system(("bash -c \"" + command + "\"").c_str());
  const std::string record = record_path(results, "bench_processes", "bench", "bert", 1);
  if (status != 0 || !fs::exists(record)) {
    std::ifstream log(folder / "log0");
    std::string line;
    std::getline(log, line);
    throw Error(std::string("bench_processes: ") + way.name + ": " + line);
  }
  return load_record(record).summary.at("tokens_per_second");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "bench_processes: expected the program\n";
    return 2;
  }
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 3, steps = argc > 3 ? std::atoi(argv[3]) : 60;
  const fs::path folder =
      fs::temp_directory_path() / ("bench_processes." + std::to_string(getpid()));
  int status = 0;
  try {
    fs::create_directories(folder);
    std::ofstream(folder / "bench.json") << experiment(steps).dump();
    std::map<std::string, std::vector<double>> found;
    for (int round = 0; round < rounds; ++round)
      for (const Way& way : kWays)
        found[way.name].push_back(pieces_per_second(way, argv[1], folder));
    double alone = 0;
    for (const Way& way : kWays) {
      std::vector<double>& speeds = found[way.name];
      std::sort(speeds.begin(), speeds.end());
      const double speed = speeds[speeds.size() / 2];
      if (alone == 0) alone = speed;
      std::cout << ordered_json{{"name", std::string("train/") + way.name},
                                {"pieces_per_second", speed},
                                {"times_one_thread", speed / alone}}
                       .dump()
                << "\n";
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    status = 1;
  }
  fs::remove_all(folder);
  return status;
}
