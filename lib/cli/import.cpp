// minibert import: a checkpoint of another program as a run record.
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>

#include "checkpoint/huggingface.h"
#include "checkpoint/imported_record.h"
#include "checkpoint/keras.h"
#include "cli/commands.h"
#include "core/error.h"
#include "core/shown_json.h"
#include "environment/environment.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;

constexpr char kMeasuredOn[] = "kowiki";  // by `evaluate` unless told another data set

struct ImportArguments {
  std::string format, path, out, tokenizer;
  int64_t heads = 0;
  bool json = false;
};

// The folder's or file's name as an arm's, which becomes part of file names.
std::string arm_name(const std::string& path) {
  fs::path base = fs::path(path).lexically_normal();
  if (!base.has_filename()) base = base.parent_path();  // "folder/"
  std::string name = base.stem().string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-') c = '_';
  return name.empty() ? "model" : name;
}

Checkpoint read(const ImportArguments& arguments) {
  if (arguments.format == "keras") {
    if (arguments.tokenizer.empty())
      throw usage_error(
          "--tokenizer: missing, expected the SentencePiece model that a Keras file "
          "was trained with");
    return import_keras(arguments.path, {arguments.heads, arguments.tokenizer});
  }
  if (!arguments.tokenizer.empty() || arguments.heads != 0)
    throw usage_error(
        "--tokenizer and --heads: expected neither with --format huggingface; its "
        "folder has both");
  return import_huggingface(arguments.path);
}

void import(const ImportArguments& arguments) {
  if (fs::exists(arguments.out))
    throw usage_error("--out " + arguments.out + ": exists, expected a new file");
  const Checkpoint checkpoint = read(arguments);
  const RunRecord record =
      imported_record(checkpoint, {arguments.out, arm_name(arguments.path), kMeasuredOn,
                                   to_json(choose_environment("cpu", "fp32"), program_state())});
  if (const fs::path folder = fs::path(arguments.out).parent_path(); !folder.empty())
    fs::create_directories(folder);
  save_record(record, arguments.out);
  nlohmann::ordered_json told = {
      {"record", arguments.out},
      {"architecture", checkpoint.architecture},
      {"task", record.config.at("task")},
      {"masked_lm", checkpoint.masked_lm},
      {"sentence_task", record.config.at("instances").at("sentence_task")},
      {"parameters", static_cast<int64_t>(record.summary.at("parameters"))},
      {"pieces", checkpoint.model.vocab_size},
      {"weights_sha256", weights_sha256(record.weights)}};
  told.update(checkpoint.told);
  if (arguments.json) {
    std::cout << shown_json(told) << "\n";
    return;
  }
  for (const auto& [name, value] : told.items())
    std::printf("%-16s %s\n", name.c_str(),
                value.is_string() ? value.get_ref<const std::string&>().c_str()
                                  : shown_json(value, -1).c_str());
}

}  // namespace

void add_import(CLI::App& app) {
  auto arguments = std::make_shared<ImportArguments>();
  CLI::App* command = app.add_subcommand(
      "import", "read a checkpoint of another program and keep it as a run record");
  command
      ->add_option("--format", arguments->format,
                   "huggingface folder, or the course's Keras 2 weights")
      ->required()
      ->check(CLI::IsMember({"huggingface", "keras"}));
  command->add_option("PATH", arguments->path, "the folder or file")->required();
  command->add_option("--out", arguments->out, "the record to write")->required();
  command->add_option("--tokenizer", arguments->tokenizer,
                      "of a Keras file: its SentencePiece model");
  command
      ->add_option("--heads", arguments->heads,
                   "attention heads of a Keras file (default: 64 values each)")
      ->check(CLI::Range(1, 256));
  command->add_flag("--json", arguments->json, "as one JSON object");
  command->callback([arguments] { import(*arguments); });
}

}  // namespace minibert
