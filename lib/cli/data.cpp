// minibert data: lists the data sets, checks them, and shows their contents.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <thread>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/file_options.h"
#include "core/error.h"
#include "core/files.h"
#include "data/corpus.h"
#include "data/fetch.h"
#include "data/files/columns.h"
#include "data/files/table.h"
#include "data/questions/printed_question.h"
#include "data/questions/qa_features.h"
#include "data/registry.h"
#include "data/resolve_files.h"
#include "data/splits/example_kind.h"
#include "data/splits/question_data.h"
#include "data/statistics/counts.h"
#include "data/statistics/statistics.h"
#include "data/statistics/statistics_html.h"

namespace minibert {
namespace {

struct DataArguments {
  FileOptions files;
  std::string id, split = "all", tokenizer, url, html;
  QaFeatureSettings features;
  std::string show;
  bool json = false;
};

int threads() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

void list(const DataArguments& arguments) {
  const Registry registry = Registry::load();
  const std::string data_dir = data_directory();
  nlohmann::json all = nlohmann::json::array();
  for (const std::string& id : registry.ids()) {
    const DataSet& set = registry.at(id);
    std::string state = "complete";
    for (const DataFile& file : set.files) {
      // Presence alone: `fetch` hashes every file.
      if (!registry.is_there(set, file, data_dir)) state = "missing";
    }
    const std::string unverified = unverified_note(set);
    all.push_back({{"id", id},
                   {"state", state},
                   {"licence", set.licence},
                   {"title", set.title},
                   {"unverified", unverified}});
    if (!arguments.json)
      std::printf("%-24s %-9s %-18s %s%s%s\n", id.c_str(), state.c_str(), set.licence.c_str(),
                  set.title.c_str(), unverified.empty() ? "" : "; ", unverified.c_str());
  }
  if (arguments.json) std::cout << all.dump(2) << "\n";
}

void fetch_data(const DataArguments& arguments) {
  const Registry registry = Registry::load();
  const std::string data_dir = data_directory();
  FetchOptions options;
  options.url = arguments.url;
  options.progress = [](const std::string& name, uint64_t done, uint64_t total) {
    spdlog::info("{}: {:.1f} of {:.1f} MiB", name, static_cast<double>(done) / 1048576.0,
                 static_cast<double>(total) / 1048576.0);
  };
  fetch(registry, registry.at(arguments.id), data_dir, options);
  const std::string unverified = unverified_note(registry.at(arguments.id));
  std::cout << arguments.id << ": complete in " << data_dir << (unverified.empty() ? "" : "; ")
            << unverified << "\n";
}

// {name: count} on one line, as `new` prints them.
void print_counts(const char* title, const nlohmann::json& counts) {
  const char* between = ":";
  std::printf("  %s", title);
  for (const auto& [name, count] : counts.items()) {
    std::printf("%s %s %s", between, name.c_str(), count.dump().c_str());
    between = ",";
  }
  std::printf("\n");
}

// One split: counts on the first line, a row for every length, then the counts of names.
void print_statistics(const std::string& split, const nlohmann::json& values) {
  std::printf("%s:", split.c_str());
  for (const auto& [name, value] : values.items())
    if (value.is_number()) std::printf(" %s %s", value.dump().c_str(), name.c_str());
  if (!values.contains("unit")) {
    std::printf("\n");
    return;
  }
  std::printf("; lengths in %s\n  %-16s", values.at("unit").get<std::string>().c_str(), "");
  for (const auto& [title, key] : kDistributionColumns) std::printf(" %8s", title);
  for (const auto& [name, value] : values.items()) {
    if (!value.is_object() || !value.contains("iqr")) continue;
    std::printf("\n  %-16s", name.c_str());
    for (const auto& [title, key] : kDistributionColumns)
      std::printf(" %8.1f", value.at(key).get<double>());
  }
  std::printf("\n");
  for (const char* name : {"labels", "entity_types", "tags"})
    if (values.contains(name)) print_counts(name, values.at(name));
}

// A data set of the registry, or a labelled file of one's own.
ResolvedData data_named(const DataArguments& arguments) {
  const Registry registry = Registry::load();
  const std::vector<std::string> ids = registry.ids();
  if (std::ranges::find(ids, arguments.id) != ids.end() || !is_file_name(arguments.id))
    return choose(registry, {arguments.id}, data_directory());
  FileOptions files = arguments.files;
  files.train = {arguments.id};
  FileSource source = files.source();
  // Its columns, so that the statistics know what stands in them.
  if (example_kinds(resolve_files(source)).front() == ExampleKind::labelled)
    source.table = find_columns(
        read_table(source.train.front(), {.separator = source.table.separator}), source.table);
  return resolve_files(source);
}

void stats(const DataArguments& arguments) {
  refuse_same_file("--html", arguments.html, "the tokenizer", {arguments.tokenizer});
  const ResolvedData data = data_named(arguments);
  std::unique_ptr<Tokenizer> tokenizer;
  if (!arguments.tokenizer.empty())
    tokenizer = std::make_unique<Tokenizer>(load_tokenizer(arguments.tokenizer));
  const nlohmann::json table =
      data_statistics(data, tokenizer.get(), arguments.features, threads());
  if (!arguments.html.empty())
    write_file_atomically(arguments.html, statistics_html(data.set.title, table));
  if (arguments.json) {
    std::cout << table.dump(2) << "\n";
    return;
  }
  for (const char* split : {"train", "dev", "test"})
    if (table.contains(split)) print_statistics(split, table.at(split));
  for (const auto& [split, values] : table.items())
    if (split != "train" && split != "dev" && split != "test") print_statistics(split, values);
}

// Returns the index of a split's example by the question's id or its place from 0, if there is one.
std::optional<uint32_t> example_named(const QaSplit& split, const std::string& name) {
  for (uint32_t i = 0; i < split.examples.size(); ++i)
    if (split.examples[i].id == name) return i;
  if (name.empty() || name.size() > 8 || name.find_first_not_of("0123456789") != std::string::npos)
    return {};
  const auto place = static_cast<uint32_t>(std::stoul(name));
  return place < split.examples.size() ? std::optional(place) : std::nullopt;
}

void features(const DataArguments& arguments) {
  KorquadSplits splits;
  if (is_file_name(arguments.id))
    splits.test = read_own_questions({arguments.id});
  else
    splits = load_korquad(choose(Registry::load(), {arguments.id}, data_directory()));
  const Tokenizer tokenizer = load_tokenizer(arguments.tokenizer);
  std::string lines;
  const auto add = [&](const std::string& name, const KorquadSet& set) {
    if (arguments.split != "all" && arguments.split != name) return;
    if (!arguments.show.empty() && !lines.empty()) return;
    const QaSplit split = encode_questions(set, tokenizer, arguments.features, threads());
    if (!arguments.show.empty()) {
      if (const auto example = example_named(split, arguments.show))
        lines = printed_question(set, split, *example, tokenizer, arguments.features);
      return;
    }
    for (uint32_t i = 0; i < split.examples.size(); ++i)
      lines += feature_line(split, i, arguments.features) + "\n";
  };
  add("train", splits.train);
  add("dev", splits.dev);
  add("test", splits.test);
  if (lines.empty() && !arguments.show.empty())
    throw usage_error("--show: found \"" + arguments.show +
                      "\", expected the id of a question of " + arguments.id + " (" +
                      arguments.split + "), or its place from 0");
  std::cout << lines;
}

}  // namespace

void add_data(CLI::App& app) {
  CLI::App* data =
      app.add_subcommand("data", "list, fetch and describe data sets in MINIBERT_DATA, else data/");
  data->require_subcommand(1);
  const auto sub = [&](const char* name, const char* help, void (*run)(const DataArguments&),
                       bool takes_id, const char* id_help = "id of the data set") {
    auto arguments = std::make_shared<DataArguments>();
    CLI::App* command = data->add_subcommand(name, help);
    if (takes_id) command->add_option("id", arguments->id, id_help)->required();
    command->callback([arguments, run] { run(*arguments); });
    return std::pair(command, arguments);
  };
  const auto [list_command, list_arguments] =
      sub("list", "the data sets and whether they are there", list, false);
  list_command->add_flag("--json", list_arguments->json, "as JSON");
  const auto [fetch_command, fetch_arguments] =
      sub("fetch", "download what is missing, resumed and checked", fetch_data, true);
  fetch_command->add_option("--url", fetch_arguments->url, "a folder's address to take it from");
  const auto [stats_command, stats_arguments] =
      sub("stats", "counts, labels and lengths of every split", stats, true,
          "id of the data set, or a labelled file of your own");
  add_columns(*stats_command, &stats_arguments->files);
  stats_command->add_flag("--json", stats_arguments->json, "as JSON");
  stats_command->add_option("--html", stats_arguments->html,
                            "also write histograms, box plots and word clouds to this file");
  add_record(*stats_command, "--tokenizer", &stats_arguments->tokenizer,
             "tokenizer file or record (.h5): lengths in pieces, not characters");
  const auto [features_command, features_arguments] =
      sub("features", "KorQuAD features, one JSON line a question", features, true,
          "a data set's id, or your own file in KorQuAD's form");
  features_command->add_option("--split", features_arguments->split, "train, dev, test or all")
      ->check(CLI::IsMember({"train", "dev", "test", "all"}))
      ->capture_default_str();
  add_tokenizer_file(*features_command, "--tokenizer", &features_arguments->tokenizer);
  features_command->add_flag("--overlap", features_arguments->features.overlap,
                             "segments 2 and 3 for what the question has too");
  features_command->add_option("--show", features_arguments->show,
                               "instead: print one question step by step (id or position from 0)");
  add_data_instances(*data);
  add_data_cloze(*data);
  add_data_kowiki(*data);
  add_data_overlap(*data);
  add_data_sentences(*data);
  add_data_text(*data);
}

}  // namespace minibert
