// minibert export: writes a record as a model file for the engine; measures the loss by int8.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>

#include "checkpoint/huggingface.h"
#include "checkpoint/safetensors.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/copy_record.h"
#include "cli/stored_database.h"
#include "core/error.h"
#include "core/files.h"
#include "core/shown_json.h"
#include "core/text.h"
#include "experiment/stored_model.h"
#include "export/metric_files.h"
#include "export/model_metadata.h"
#include "export/onnx_export.h"
#include "infer/engine/model.h"
#include "task/all/export_run.h"

namespace minibert {
namespace {

struct ExportArguments {
  std::string run, out, format = "mbq", results = "results";
  EvaluationSource source;
  bool float32 = false, check = true, weights = true, json = false;
};

std::string measured_on(const EvaluationSource& source, Split split) {
  if (source.texts.empty()) return "the run's data, " + std::string(to_string(split));
  return joined(source.texts);
}

uint64_t parameters(const AlignedBytes& file, const std::string& name) {
  infer::Model model;
  const infer::Status status = model.load(file.span());
  if (!status.ok()) throw Error(name + ": " + status.message());
  return model.facts().parameters;
}

// Adds to `result` what int8 costs on text that the run did not train on.
void measure(const ExportArguments& arguments, const AlignedBytes& float_file,
             const AlignedBytes& int8_file, nlohmann::ordered_json* result) {
  const int threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  StoredModel stored(arguments.run, arguments.source, {.threads = threads});
  const std::string on = measured_on(arguments.source, stored.split());
  (*result)["measured_on"] = on;
  spdlog::info("measuring float32 and int8 on {}; --no-check writes the file without", on);
  result->update(stored.measure_mbq({float_file.span(), int8_file.span()}, threads));
}

void print(const nlohmann::ordered_json& result) {
  for (const auto& [key, value] : result.items()) {
    std::string name = key;
    std::ranges::replace(name, '_', ' ');
    if (value.is_number_float()) {
      std::printf("%-18s %.4f\n", name.c_str(), value.get<double>());
    } else {
      std::printf("%-18s %s\n", name.c_str(),
                  value.is_string() ? value.get<std::string>().c_str() : value.dump().c_str());
    }
  }
}

// Throws a usage Error for an option of another format.
void check_options(const CLI::App& command, const std::string& given) {
  static const std::pair<const char*, std::vector<const char*>> kOptions[] = {
      {"mbq", {"--float", "--check", "--text", "--limit", "--json"}},
      {"record", {"--no-weights"}},
      {"sqlite", {"--results"}}};
  for (const auto& [format, options] : kOptions)
    for (const char* option : options)
      if (given != format && command.count(option) > 0)
        throw usage_error(std::string(option) + ": found with --format " + given +
                          ", expected with " + format + " alone");
}

// A name that says another format is a slip. `given`: --format was.
void check_name(const ExportArguments& arguments, bool given) {
  const std::string extension = extension_of(arguments.out);
  for (const auto& [ending, format] :
       {std::pair(".onnx", "onnx"), std::pair(".safetensors", "safetensors"),
        std::pair(".mbqs", "mbqs"), std::pair(".csv", "csv"), std::pair(".db", "sqlite"),
        std::pair(".sqlite", "sqlite"), std::pair(".h5", "record")})
    if (!given && extension == ending)
      throw usage_error("--out " + arguments.out +
                        ": found no --format (default: mbq), expected --format " + format +
                        " or a name that ends in .mbq");
}

// The models that a run kept while it trained, as one file for the page.
void export_series(const ExportArguments& arguments) {
  write_file_atomically(arguments.out, kept_series(arguments.run));
}

// The formats that hold metrics instead of a model.
void export_metrics(const ExportArguments& arguments) {
  if (arguments.format == "tensorboard" &&
      std::filesystem::path(arguments.out).filename().string().find("tfevents") ==
          std::string::npos)
    throw usage_error("--out: found \"" + arguments.out +
                      "\", expected a file's name with tfevents in it, such as "
                      "events.out.tfevents.1: TensorBoard reads no other");
  const RunRecord record = load_record(arguments.run, Load::summary);
  write_file_atomically(
      arguments.out, arguments.format == "csv" ? metrics_csv(record) : tensorboard_events(record));
}

// The model for other programs.
void export_model(const ExportArguments& arguments) {
  const RunRecord record = load_portable_record(arguments.run);
  if (arguments.format == "huggingface")
    export_huggingface(record, arguments.run, arguments.out);
  else if (arguments.format == "onnx")
    write_file_atomically(arguments.out, export_onnx(record, arguments.run));
  else
    write_safetensors(arguments.out, record.weights, model_metadata(record, arguments.run));
}

void export_run(const ExportArguments& arguments) {
  std::vector<std::string> records;  // none: all of the folder of results
  if (!arguments.run.empty()) records = {arguments.run};
  if (arguments.run.empty() && arguments.format != "sqlite") throw usage_error("--run is required");
  refuse_same_file("--out", arguments.out, "the record", records);
  refuse_record("--out", arguments.out);
  if (arguments.format == "sqlite")
    return stored_database(std::move(records), arguments.results)->write(arguments.out);
  if (const auto& format = arguments.format;
      format == "huggingface" || format == "onnx" || format == "safetensors")
    return export_model(arguments);
  if (arguments.format == "mbqs") return export_series(arguments);
  if (arguments.format == "record")
    return copy_record(arguments.run, arguments.out, arguments.weights);
  if (arguments.format != "mbq") return export_metrics(arguments);
  const std::string float_bytes = export_record(arguments.run, MbqWeights::float32);
  const std::string int8_bytes = export_record(arguments.run, MbqWeights::int8);
  const std::string& bytes = arguments.float32 ? float_bytes : int8_bytes;
  const AlignedBytes float_file(float_bytes), int8_file(int8_bytes);
  nlohmann::ordered_json result = {{"file", arguments.out},
                                   {"weights", arguments.float32 ? "float32" : "int8"},
                                   {"parameters", parameters(int8_file, arguments.out)},
                                   {"bytes", bytes.size()}};
  if (arguments.check && !arguments.float32) {
    try {
      measure(arguments, float_file, int8_file, &result);
    } catch (const Error& error) {
      // A request on the command line succeeds or fails; the run's own data may be missing.
      if (arguments.source.given()) throw;
      result["not_measured"] = error.what();
    }
  }
  write_file_atomically(arguments.out, bytes);
  if (arguments.json) {
    std::cout << shown_json(result) << "\n";
  } else {
    print(result);
  }
}

}  // namespace

void add_export(CLI::App& app) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command = app.add_subcommand("export",
                                         "write a run's model for the web page, measuring what "
                                         "int8 costs, or for other programs; or its "
                                         "metrics");
  add_record(*command, "--run", &arguments->run, "the record (sqlite: default all stored runs)");
  command->add_option("--results", arguments->results, "for sqlite: where runs are stored")
      ->capture_default_str();
  command->add_option("--out", arguments->out, "the file, for huggingface the folder, to write")
      ->required();
  command
      ->add_option("--format", arguments->format,
                   "what to write (experiments/EXCHANGE.md describes each)")
      ->check(CLI::IsMember({"mbq", "mbqs", "huggingface", "onnx", "safetensors", "tensorboard",
                             "csv", "sqlite", "record"}))
      ->capture_default_str();
  command->add_flag("!--no-weights", arguments->weights,
                    "record without weights: nothing can start from it");
  command->add_flag("--float", arguments->float32, "float32 weights instead of int8");
  command->add_flag("--check,!--no-check", arguments->check,
                    "measure what int8 costs; --no-check skips it");
  command->add_option("--text", arguments->source.texts,
                      "text files to measure on instead of the run's data");
  command
      ->add_option("--limit", arguments->source.limit,
                   "instances to measure (default: as the run did)")
      ->check(CLI::Range(1, 1000000000));
  command->add_flag("--json", arguments->json, "as one JSON object");
  arguments->source.say = [](const std::string& line) { spdlog::info("{}", line); };
  command->callback([arguments, command] {
    check_name(*arguments, command->count("--format") > 0);
    check_options(*command, arguments->format);
    export_run(*arguments);
  });
}

}  // namespace minibert
