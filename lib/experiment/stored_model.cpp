#include "experiment/stored_model.h"

#include "core/error.h"
#include "core/utf8.h"
#include "data/registry.h"
#include "data/splits.h"
#include "experiment/prepared_data.h"

namespace minibert {
namespace {

ModelConfig record_model(const RunRecord& record, const std::string& file, const char* expected) {
  if (!record.config.contains("model"))
    throw Error(file + ": /config: has no \"model\", expected a run of " + expected);
  return model_config_from_json(record.config.at("model"), file);
}

void expect_task(const RunRecord& record, const std::string& file, const std::string& task) {
  const std::string found = record.config.value("task", "");
  if (found != task)
    throw usage_error(file + ": /config: task: found \"" + found + "\", expected " + task);
  if (record.weights.empty()) throw Error(file + ": /weights: is empty (a record without weights)");
}

template <class Value>
const Value& pick(const std::string& split, const Value& train, const Value& dev,
                  const Value& test) {
  if (split == "train") return train;
  if (split == "dev") return dev;
  if (split == "test") return test;
  throw usage_error("--split: found \"" + split + "\", expected train, dev or test");
}

Metrics evaluate_text(const RunRecord& record, const std::string& run,
                      const EvaluationSource& source, const Compute& compute) {
  Bert model = load_pretrained_bert(record, run);
  model->set_compute_type(compute.type);
  model->to(compute.device);
  const EvaluationInstances data = evaluation_instances(record, run, source, compute.threads);
  return evaluate_pretraining(model, data.instances, data.mask, kEvaluationMaskSeed,
                              compute.device);
}

Metrics evaluate_korquad(const RunRecord& record, const std::string& run,
                         const EvaluationSource& source, const Compute& compute) {
  if (source.data.empty())
    throw usage_error("--text: " + run + " answers questions, expected --data with a KorQuAD set");
  const KorquadSplits splits =
      load_korquad(choose(Registry::load(), {source.data}, data_directory(source.data_dir)));
  const KorquadSet& set =
      pick(source.split.empty() ? "test" : source.split, splits.train, splits.dev, splits.test);
  QaModel model = load_qa_model(record, run);
  model.set_compute_type(compute.type);
  model.module().to(compute.device);
  const Tokenizer tokenizer = Tokenizer::from_bytes(record.tokenizer_model, run);
  const QaSettings settings = stored_qa_settings(record, run);
  const QaSplit split = encode_questions(set, tokenizer, settings.features, compute.threads);
  return evaluate_questions(model, split, settings, compute.device).metrics;
}

}  // namespace

QaModel load_qa_model(const RunRecord& record, const std::string& file) {
  expect_task(record, file, "korquad");
  QaModel model(record_model(record, file, "question answering"));
  load_weights(model.module(), record.weights, "", file);
  model.module().eval();
  return model;
}

Bert load_pretrained_bert(const RunRecord& record, const std::string& file) {
  expect_task(record, file, "pretrain");
  Bert model(record_model(record, file, "pretraining").bert, BertImpl::kPretraining);
  load_weights(*model, record.weights, "", file);
  model->eval();
  return model;
}

QaSettings stored_qa_settings(const RunRecord& record, const std::string& file) {
  const nlohmann::json& arm = record.config.at("arms").at(0);
  return read_qa_settings(ConfigReader(arm.at("features"), file, "arms[0].features"), {});
}

ExperimentConfig stored_experiment(const RunRecord& record, const std::string& file) {
  nlohmann::json config = record.config;
  if (!config.contains("data_id")) throw Error(file + ": /config: data_id: is missing");
  config["data"] = {config.at("data_id")};
  for (const char* made : {"model", "data_id", "precision"}) config.erase(made);
  return experiment_from_json(config, file, record.profile);
}

QaSplit encode_open_question(const std::string& context, const std::string& question,
                             const Tokenizer& tokenizer, const QaFeatureSettings& features) {
  // The features want a gold answer; the first character that is no space serves, and is not used.
  const std::u32string characters = to_code_points(context);
  const size_t first = characters.find_first_not_of(U" \t\r\n\u202f");
  if (first == std::u32string::npos) throw usage_error("the context is empty, expected text");
  const std::string answer = to_utf8(characters.substr(first, 1));
  KorquadSet set;
  set.paragraphs.push_back(
      {"", context, {{"question", question, answer, static_cast<int64_t>(first)}}});
  return encode_questions(set, tokenizer, features, 1);
}

EvaluationInstances evaluation_instances(const RunRecord& record, const std::string& run,
                                         const EvaluationSource& source, int threads) {
  std::vector<std::string> files = source.texts;
  if (files.empty()) {
    const TextFiles text =
        text_files(choose(Registry::load(), {source.data}, data_directory(source.data_dir)));
    files = pick(source.split.empty() ? "dev" : source.split, text.train, text.dev, text.test);
    if (files.empty())
      throw usage_error("--split: " + source.data + " has no text for \"" + source.split + "\"");
  }
  const Tokenizer tokenizer = Tokenizer::from_bytes(record.tokenizer_model, run);
  nlohmann::json stored = record.config.at("instances");
  stored.erase("dev_limit");
  ConfigReader reader(stored, run, "instances");
  const InstanceSettings settings =
      dev_instance_settings(read_instance_settings(reader), source.limit);
  return {InstanceFile(
              cached_instances(files, tokenizer, settings, source.cache + "/instances", threads)),
          settings.mask};
}

Metrics evaluate_stored(const std::string& run, const EvaluationSource& source,
                        const Compute& compute) {
  const RunRecord record = load_record(run);
  return record.config.value("task", "") == "pretrain"
             ? evaluate_text(record, run, source, compute)
             : evaluate_korquad(record, run, source, compute);
}

}  // namespace minibert
