// A task's run on a few examples, without a record.
#pragma once

#include <memory>
#include <string>

#include "core/error.h"
#include "model/model_config.h"
#include "support/scratch.h"
#include "task/all/registry.h"

namespace minibert::testing {

inline const Tokenizer& tokenizer() {
  static const Tokenizer one = Tokenizer::from_bytes(
      train_tokenizer({"experiments/sample/corpus.txt"}, {.vocab_size = 1500}, true));
  return one;
}

// A BERT that pretrains on a few lines.
inline BertConfig tiny_bert(int64_t layers = 2) {
  BertConfig config;
  config.vocab_size = tokenizer().size();
  config.d_model = config.embedding_size = 16;
  config.n_heads = 2;
  config.d_ff = 32;
  config.n_layers = layers;
  config.max_positions = 64;
  config.dropout = 0;
  config.init_std = 0.5;  // so that untrained models give different outputs
  config.mlm_transform = config.mlm_bias = true;
  return config;
}

// Files train.tsv and test.tsv of a data set; test is dev, too.
struct Files {
  Files(const std::string& kind, const TableLayout& layout, const std::string& train,
        const std::string& test) {
    data.set.id = "own";
    data.set.table = layout;
    for (const auto& [split, text] :
         {std::pair<std::string, std::string>{"train", train}, {"dev", test}, {"test", test}}) {
      write_bytes(folder / (split + ".tsv"), text);
      DataFile file;
      file.name = split + ".tsv", file.kind = kind, file.split = split;
      data.set.files.push_back(file);
      FileState state;
      state.presence = Presence::complete, state.path = folder / (split + ".tsv");
      data.files.push_back(state);
    }
  }
  Scratch folder;
  ResolvedData data;
};

// A task's run on such files.
struct Trial {
  Trial(const std::string& task, const Files& files, nlohmann::json model,
        const nlohmann::json& more = nlohmann::json::object(), const Compute& where = {})
      : kind(task_kind(task)), common_json(more), compute(where) {
    ConfigReader experiment(common_json, "own.json");
    common = kind.read(experiment);
    config.name = "own";
    config.model = std::move(model);
    config.train.epochs = 150;
    config.train.batch_size = 4;
    config.train.optimizer.lr = 0.01;
    nlohmann::json empty = nlohmann::json::object();
    ConfigReader arm(empty, "own.json"), train(empty, "own.json");
    ConfigReader model_reader(config.model, "own.json", "model");
    config.settings = kind.read_arm({arm, train, &model_reader, 1500}, *common);
    data = kind.load({.data = files.data,
                      .tokenizer = tokenizer(),
                      .settings = *common,
                      .say = [this](const std::string& line) { said += line; }});
    made = kind.make_arm({.config = config, .compute = compute}, *data);
  }
  Evaluation learn() {
    Trainer trainer(made->task(), config.train, compute.device, 1);
    TrainObserver observer;
    trainer.run(observer);
    return made->evaluate(Split::test, nullptr);
  }

  const TaskKind& kind;
  nlohmann::json common_json;
  Compute compute;
  std::shared_ptr<const TaskSettings> common;
  ArmConfig config;
  std::unique_ptr<TaskData> data;
  std::unique_ptr<Arm> made;
  std::string said;
};

}  // namespace minibert::testing
