// minibert export: a run record as a model file for the portable engine, and what int8 costs.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <thread>

#include "checkpoint/huggingface.h"
#include "cli/commands.h"
#include "core/error.h"
#include "core/files.h"
#include "experiment/stored_model.h"
#include "export/agreement.h"
#include "export/mbq_export.h"
#include "export/metric_files.h"
#include "task/pretrain/pretrain_data.h"
#include "task/pretrain/pretrain_task.h"

namespace minibert {
namespace {

struct Arguments {
  std::string run, out, format = "mbq";
  EvaluationSource source;
  bool float32 = false, check = true, json = false;
};

infer::Model load(const AlignedBytes& file, const std::string& name) {
  infer::Model model;
  const infer::Status status = model.load(file.span());
  if (!status.ok()) throw Error(name + ": " + status.message());
  return model;
}

Agreement measure(const Arguments& arguments, const AlignedBytes& float_file,
                  const AlignedBytes& int8_file) {
  const int threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  StoredModel stored(arguments.run, arguments.source, {.threads = threads});
  // What export_record lets pass was pretrained.
  auto& data = dynamic_cast<PretrainData&>(stored.data());
  return measure_agreement(load(float_file, arguments.run), load(int8_file, arguments.out),
                           *data.measured(stored.split()), data.settings().instances.mask,
                           kEvaluationMaskSeed, 0, threads);
}

std::string measured_on(const EvaluationSource& source) {
  if (source.texts.empty())
    return (source.data.empty() ? "the run's data" : source.data) + ", " +
           (source.split.empty() ? "dev" : source.split);
  std::string files;
  for (const std::string& text : source.texts) files += (files.empty() ? "" : ", ") + text;
  return files;
}

void print(const nlohmann::ordered_json& result) {
  std::printf("%-16s %s\n", "file", result["file"].get<std::string>().c_str());
  std::printf("%-16s %s\n", "weights", result["weights"].get<std::string>().c_str());
  std::printf("%-16s %lld\n", "parameters", result["parameters"].get<long long>());
  std::printf("%-16s %lld\n", "bytes", result["bytes"].get<long long>());
  if (!result.contains("agreement")) return;
  std::printf("%-16s %s\n", "measured on", result["measured_on"].get<std::string>().c_str());
  std::printf("%-16s %lld\n", "instances", result["instances"].get<long long>());
  std::printf("%-16s %lld\n", "masked", result["masked"].get<long long>());
  std::printf("%-16s %.4f\n", "float accuracy", result["float_accuracy"].get<double>());
  std::printf("%-16s %.4f\n", "int8 accuracy", result["int8_accuracy"].get<double>());
  std::printf("%-16s %.4f\n", "agreement", result["agreement"].get<double>());
}

// The formats that hold metrics instead of a model.
void export_metrics(const Arguments& arguments) {
  const RunRecord record = load_record(arguments.run, Load::summary);
  write_file_atomically(arguments.out, arguments.format == "csv"    ? metrics_csv(record)
                                       : arguments.format == "json" ? metrics_json(record)
                                                                    : tensorboard_events(record));
}

void export_run(const Arguments& arguments) {
  std::error_code ignored;
  if (std::filesystem::equivalent(arguments.run, arguments.out, ignored))
    throw usage_error("--out " + arguments.out + ": is the record itself, expected another file");
  if (arguments.format == "huggingface")
    return export_huggingface(load_record(arguments.run), arguments.run, arguments.out);
  if (arguments.format != "mbq") return export_metrics(arguments);
  const std::string float_bytes = export_record(arguments.run, MbqWeights::float32);
  const std::string int8_bytes = export_record(arguments.run, MbqWeights::int8);
  const std::string& bytes = arguments.float32 ? float_bytes : int8_bytes;
  write_file_atomically(arguments.out, bytes);
  const AlignedBytes float_file(float_bytes), int8_file(int8_bytes);
  nlohmann::ordered_json result = {
      {"file", arguments.out},
      {"weights", arguments.float32 ? "float32" : "int8"},
      {"parameters", load(int8_file, arguments.out).facts().parameters},
      {"bytes", bytes.size()}};
  if (arguments.check && !arguments.float32) {
    const Agreement agreement = measure(arguments, float_file, int8_file);
    result["measured_on"] = measured_on(arguments.source);
    result["instances"] = agreement.instances;
    result["masked"] = agreement.masked;
    result["float_accuracy"] = agreement.float_accuracy();
    result["int8_accuracy"] = agreement.int8_accuracy();
    result["agreement"] = agreement.agreement();
  }
  if (arguments.json) {
    std::cout << result.dump(2) << "\n";
  } else {
    print(result);
  }
}

}  // namespace

void add_export(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("export",
                                         "write a run's model for the web page, measuring what "
                                         "int8 costs, or for other programs; or its "
                                         "metrics");
  command
      ->add_option("--run", arguments->run, "the record; for .mbq a pretraining one with weights")
      ->required();
  command->add_option("--out", arguments->out, "the file, for huggingface the folder, to write")
      ->required();
  command
      ->add_option(
          "--format", arguments->format,
          "the model: mbq (for the page) or huggingface (config.json, model.safetensors and the "
          "vocabulary); or the metrics: tensorboard (an events.out.tfevents file), csv, json")
      ->check(CLI::IsMember({"mbq", "huggingface", "tensorboard", "csv", "json"}))
      ->capture_default_str();
  command->add_flag("--float", arguments->float32, "float32 weights instead of int8");
  command->add_flag("--check,!--no-check", arguments->check,
                    "measure both models' accuracy on text that the run did not train on");
  command->add_option("--data", arguments->source.data,
                      "id of the data set to measure on (else the run's)");
  command->add_option("--text", arguments->source.texts, "text files to measure on instead");
  command->add_option("--split", arguments->source.split, "train, dev or test (else dev)");
  command->add_option("--data-dir", arguments->source.data_dir,
                      "data folder (else MINIBERT_DATA, else data/)");
  command
      ->add_option("--limit", arguments->source.limit,
                   "instances to measure on (else as many as the run itself)")
      ->check(CLI::PositiveNumber);
  command->add_flag("--json", arguments->json, "as one JSON object");
  command->callback([arguments] { export_run(*arguments); });
}

}  // namespace minibert
