// The int8 engine by shape of the model: the arms of experiments/mini_bert_trials.json with random
// weights, one mask of a sentence on one thread, the processor's time, medians over the rounds, arms
// in turns. Usage: bench_engine [ROUNDS]. Prints a JSON line; run it from the repository's root.
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <memory>

#include "core/error.h"
#include "core/files.h"
#include "infer/engine/engine.h"
#include "infer/random_model.h"

namespace {

using namespace minibert;
using nlohmann::json;
using nlohmann::ordered_json;

constexpr int32_t kLengths[] = {16, 64, 128};
constexpr int32_t kVocabulary = 8007;

struct Arm {
  std::string name;
  AlignedBytes file;
  infer::Model model;
  std::unique_ptr<infer::Engine> engine;
  std::vector<double> spent[std::size(kLengths)];

  Arm(const std::string& name, const json& architecture)
      : name(name),
        file(make_mbq({architecture, "no tokenizer", name, "", {}, {}},
                      test::random_weights(architecture), MbqWeights::int8)) {
    const infer::Status status = model.load(file.span());
    if (!status.ok()) throw Error(status.message());
    engine = std::make_unique<infer::Engine>(model);
  }
};

// What an arm leaves out stands for itself.
json complete(json model) {
  json all = {{"vocab_size", kVocabulary}, {"share_layers", false},
              {"layer_norm_eps", 1e-3},    {"mlm_transform", true},
              {"mlm_bias", false},         {"embedding_size", model["d_model"]}};
  all.merge_patch(model);
  return all;
}

// Multiply-adds of one mask: the products of every position, those of the last layer behind its
// mixing and of the output head for one.
double multiply_adds(const infer::ModelConfig& c, int32_t length) {
  const double d = c.d_model, e = c.embedding_size, s = length;
  double total = e != d ? s * e * d : 0;
  for (int32_t i = 0; i < c.n_layers; ++i) {
    const double rows = i + 1 < c.n_layers ? s : 1;
    if (i < c.local_layers)
      total += s * d * d + rows * c.local_taps * d;
    else
      total += 3 * s * d * d + 3 * s * c.conv * d + 2 * rows * s * d +
               (c.head_gate ? rows * c.n_heads * d : 0);
    total += rows * (d * d + d * c.inner_rows() + d * c.d_ff);
  }
  return total + (c.mlm_transform ? d * e : 0) + e * c.vocab_size;
}

// This thread's time on the processor: what other programs on the machine do does not count.
double milliseconds() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int run(int rounds) {
  std::vector<std::unique_ptr<Arm>> arms;
  const json trials = read_json("experiments/mini_bert_trials.json");
  for (const json& arm : trials.at("arms"))
    arms.push_back(std::make_unique<Arm>(arm.at("name"), complete(arm.at("model"))));
  for (int round = -2; round < rounds; ++round)  // two to warm up
    for (const auto& arm : arms)
      for (size_t i = 0; i < std::size(kLengths); ++i) {
        std::vector<int32_t> ids(static_cast<size_t>(kLengths[i]));
        for (size_t k = 0; k < ids.size(); ++k)
          ids[k] = 7 + static_cast<int32_t>(k * 131 % (kVocabulary - 7));
        const int32_t mask = kLengths[i] / 2;
        const double begin = milliseconds();
        const infer::Status status = arm->engine->encode(ids, {}, false, {&mask, 1});
        arm->engine->logits(mask);
        const double took = milliseconds() - begin;
        if (!status.ok()) throw Error(arm->name + ": " + status.message());
        if (round >= 0) arm->spent[i].push_back(took);
      }
  ordered_json rows = ordered_json::array();
  for (const auto& arm : arms)
    for (size_t i = 0; i < std::size(kLengths); ++i) {
      const double ms = median(arm->spent[i]);
      const double millions = multiply_adds(arm->model.config(), kLengths[i]) / 1e6;
      rows.push_back({{"shape", arm->name},
                      {"pieces", kLengths[i]},
                      {"ms", ms},
                      {"million multiply-adds", millions},
                      {"µs a million", 1000 * ms / millions}});
    }
  std::cout << ordered_json{{"name", "engine"},
                            {"kernel", infer::name(arms.front()->engine->kernel())},
                            {"rows", rows}}
                   .dump()
            << "\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 101;
  if (rounds < 1) {
    std::cerr << "bench_engine: expected [ROUNDS]\n";
    return 2;
  }
  try {
    return run(rounds);
  } catch (const std::exception& error) {
    std::cerr << "bench_engine: " << error.what() << "\n";
    return 1;
  }
}
