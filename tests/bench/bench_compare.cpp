// Comparing many stored runs, and intervals of figures that are computed anew on every resample.
// Usage: bench_compare. Makes its own records in a folder that goes with it; prints a JSON line
// each; fails when a thousand runs take more than two seconds of this process, without its readers.
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <iostream>

#include "compare/compare.h"
#include "core/error.h"
#include "core/rng.h"
#include "record/run_record.h"

namespace {

using namespace minibert;

constexpr double kMostSeconds = 2;  // for a thousand runs

// The processor's time of the processes that have read files so far.
double readers_seconds() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

constexpr Measure kMeasures[] = {
    {"accuracy", "accuracy", 4, Better::higher, Resampled::mean},
    {"macro_f1", "macro F1", 4, Better::higher, Resampled::macro_f1},
    {"matthews", "Matthews", 4, Better::higher, Resampled::matthews},
};

struct Shape {
  const char* name;
  int arms, seeds;
  size_t examples;
  size_t measures;  // the first of kMeasures
};

// Records as a classification task would leave them, with a learning curve.
std::vector<std::string> write_records(const Shape& shape, const std::string& folder) {
  const std::vector<std::string> labels = {"긍정", "부정", "중립"};
  std::vector<std::string> paths;
  for (int arm = 0; arm < shape.arms; ++arm)
    for (int seed = 1; seed <= shape.seeds; ++seed) {
      Rng rng(1, "bench/compare", static_cast<uint64_t>(arm), static_cast<uint64_t>(seed));
      RunRecord record;
      record.status = "finished";
      record.experiment = shape.name;
      record.profile = "quick";
      record.arm = "arm" + std::to_string(arm);
      record.seed = seed;
      record.config = {{"model", {{"d_model", 96 + arm}}}};
      record.summary = {{"accuracy", rng.uniform()}, {"macro_f1", rng.uniform()}};
      for (int64_t step = 0; step < 100; ++step) {
        record.metrics["train/loss"].step.push_back(step);
        record.metrics["train/loss"].value.push_back(rng.uniform());
      }
      Predictions& p = record.predictions.emplace();
      for (size_t i = 0; i < shape.examples; ++i) {
        p.id.push_back(std::to_string(i));
        p.texts["gold"].push_back(labels[i % labels.size()]);
        p.texts["prediction"].push_back(labels[rng.below(labels.size())]);
        p.numbers["accuracy"].push_back(p.texts["gold"][i] == p.texts["prediction"][i] ? 1 : 0);
      }
      paths.push_back(record_path(folder, record.experiment, record.profile, record.arm, seed));
      save_record(record, paths.back());
    }
  return paths;
}

int run(const std::string& folder) {
  int status = 0;
  for (const Shape& shape :
       {Shape{"compare_1000_arms", 1000, 1, 1444, 3}, Shape{"compare_1000_seeds", 5, 200, 1444, 1},
        Shape{"compare_10000_examples", 5, 3, 10000, 3}}) {
    const std::vector<std::string> paths = write_records(shape, folder);
    // The processor's time: what other programs on the machine do does not count.
    const double readers_start = readers_seconds();
    const std::clock_t start = std::clock();
    const Comparison comparison = compare_runs(paths, std::span(kMeasures).first(shape.measures));
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf(
        "{\"name\":\"%s\",\"runs\":%zu,\"examples\":%zu,\"differences\":%zu,"
        "\"cpu_seconds\":%.3f,\"readers_cpu_seconds\":%.3f}\n",
        shape.name, paths.size(), shape.examples, comparison.differences.size(), seconds,
        readers_seconds() - readers_start);
    if (paths.size() < 1000 || seconds <= kMostSeconds) continue;
    std::cerr << "bench_compare: " << shape.name << " takes " << seconds << " s, expected at most "
              << kMostSeconds << " s\n";
    status = 1;
  }
  return status;
}

}  // namespace

int main() {
  const std::string folder =
      (std::filesystem::temp_directory_path() / ("bench_compare." + std::to_string(getpid())))
          .string();
  int status = 1;
  try {
    status = run(folder);
  } catch (const minibert::Error& error) {
    std::cerr << "bench_compare: " << error.what() << "\n";
  }
  std::filesystem::remove_all(folder);
  return status;
}
