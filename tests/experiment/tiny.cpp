#include "experiment/tiny.h"

#include <nlohmann/json.hpp>

namespace minibert::testing {

std::string tiny_experiment(const std::string& arm) {
  using nlohmann::json;
  json experiment = {{"name", "tiny"},
                     {"data", {"sample"}},
                     {"tokenizer", {{"data", {"sample"}}, {"vocab_size", 1500}}},
                     {"seeds", {1}},
                     {"profiles", {{"quick", json::object()}}}};
  json model = {{"kind", "bert"}, {"d_model", 32},  {"n_heads", 2},         {"d_ff", 64},
                {"n_layers", 1},  {"dropout", 0.1}, {"max_positions", 192}, {"embedding_size", 16}};
  json train = {{"epochs", 2}, {"batch_size", 16}, {"log_every", 5}};
  if (arm == "pretrain") {
    experiment["task"] = "pretrain";
    experiment["instances"] = {{"sequence_length", 64}, {"dev_limit", 20}};
    model["mlm_bias"] = true;
    train["schedule"] = "cosine";
    train["warmup"] = 0.1;
    train["clip_norm"] = 1.0;
    train["epochs"] = 4;
    train["optimizer"] = {{"type", "adamw"}, {"weight_decay", 0.01}};
  } else {
    experiment["task"] = "korquad";
    experiment["features"] = {{"max_length", 192}, {"max_question", 32}, {"stride", 64}};
    train["patience"] = 5;
    train["monitor"] = "start_end_accuracy";
  }
  if (arm == "lstm") model = {{"kind", "lstm_qa"}, {"d_model", 16}};
  experiment["arms"] = {{{"name", arm}, {"model", model}, {"train", train}}};
  return experiment.dump(1);
}

}  // namespace minibert::testing
