// minibert inspect: the contents of a run record, and the differences between two.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/inspect_pair.h"
#include "compare/table.h"
#include "core/error.h"
#include "core/shipped_files.h"
#include "record/layout.h"
#include "record/run_record.h"

namespace minibert {
namespace {

using Json = nlohmann::ordered_json;

struct InspectArguments {
  std::vector<std::string> files;
  PairArguments pair;
  bool weights = false, config = false, predictions = false, json = false;
};

struct Statistics {
  double mean = 0, deviation = 0, min = 0, max = 0;
};

Statistics statistics_of(const std::vector<float>& values) {
  Statistics s;
  if (values.empty()) return s;
  const auto count = static_cast<double>(values.size());
  s.min = s.max = values[0];
  for (const float value : values) {
    s.mean += value / count;
    s.min = std::min<double>(s.min, value);
    s.max = std::max<double>(s.max, value);
  }
  for (const float value : values) s.deviation += (value - s.mean) * (value - s.mean) / count;
  s.deviation = std::sqrt(s.deviation);
  return s;
}

std::string shape_text(const std::vector<int64_t>& shape) {
  std::string text;
  for (const int64_t extent : shape) text += (text.empty() ? "" : "×") + std::to_string(extent);
  return text.empty() ? "scalar" : text;
}

// All digits, but a whole number without its ".0".
std::string number_text(double value) {
  return std::abs(value) < 1e15 && value == std::round(value) ? fixed(value, 0)
                                                              : nlohmann::json(value).dump();
}

// A row a value, named by its path: "data.splits.dev".
void add_facts(const std::string& name, const nlohmann::json& json, Table& facts) {
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) add_facts(name + "." + key, value, facts);
  } else {
    facts.rows.push_back({name, json.is_string() ? json.get<std::string>() : json.dump()});
  }
}

void print_weights(const RunRecord& record, const std::string& file, bool as_json) {
  if (record.weights.empty())
    throw Error(
        file + ": " + record.status + " run without weights" +
        (record.dropped_weights.empty() ? "" : ", whose SHA-256 was " + record.dropped_weights));
  Json json = {{"sha256", weights_sha256(record.weights)}, {"selected_by", record.selected_by}};
  json["tensors"] = Json::array();
  Table table;
  table.columns = {{"name", false}, {"shape"}, {"values"}, {"mean"}, {"std"}, {"min"}, {"max"}};
  size_t total = 0;
  for (const NamedTensor& tensor : record.weights) {
    const Statistics s = statistics_of(tensor.values);
    total += tensor.values.size();
    table.rows.push_back({tensor.name, shape_text(tensor.shape),
                          with_thousands(static_cast<double>(tensor.values.size())),
                          fixed(s.mean, 5), fixed(s.deviation, 5), fixed(s.min, 5),
                          fixed(s.max, 5)});
    json["tensors"].push_back({{"name", tensor.name},
                               {"shape", tensor.shape},
                               {"mean", s.mean},
                               {"std", s.deviation},
                               {"min", s.min},
                               {"max", s.max}});
  }
  json["values"] = total;
  if (as_json) {
    std::cout << json.dump(2) << "\n";
    return;
  }
  std::cout << plain_table(table) << "\n"
            << with_thousands(static_cast<double>(total)) << " values in " << record.weights.size()
            << " tensors, SHA-256 " << json["sha256"].get<std::string>() << "\n";
}

void print_predictions(const RunRecord& record, const std::string& file) {
  if (!record.predictions) throw Error(file + ": " + record.status + " run without predictions");
  const Predictions& p = *record.predictions;
  const auto text = p.texts.find(layout::kPredictionColumn);
  const auto number = p.numbers.find(layout::kPredictionColumn);
  if (text == p.texts.end() && number == p.numbers.end())
    throw Error(file + ": " + layout::kPredictions + ": has no column '" +
                layout::kPredictionColumn + "'");
  // Appends, because an ordered object's [] and emplace() search it. An id's last answer counts.
  Json::object_t answers;
  std::unordered_map<std::string_view, size_t> place_of;
  for (size_t i = 0; i < p.id.size(); ++i) {
    Json answer = text != p.texts.end() ? Json(text->second[i]) : Json(number->second[i]);
    const auto [found, is_new] = place_of.try_emplace(p.id[i], answers.size());
    if (is_new)
      answers.emplace_back(p.id[i], std::move(answer));
    else
      answers.begin()[found->second].second = std::move(answer);
  }
  std::cout << Json(std::move(answers)).dump() << "\n";
}

Json overview_of(const RunRecord& record) {
  Json json = {{"status", record.status},    {"experiment", record.experiment},
               {"arm", record.arm},          {"seed", record.seed},
               {"profile", record.profile},  {"started", record.started},
               {"finished", record.finished}};
  if (!record.error.empty()) json["error"] = record.error;
  if (!record.ended_by.empty()) json["ended_by"] = record.ended_by;
  json["data"] = record.data;
  json["environment"] = record.environment;
  json["diff_bytes"] = record.diff.size();
  json["summary"] = record.summary;
  json["metrics"] = Json::object();
  for (const auto& [name, series] : record.metrics) {
    json["metrics"][name] = {{"count", series.value.size()}};
    if (series.value.empty()) continue;
    json["metrics"][name]["last"] = series.value.back();
    json["metrics"][name]["step"] = series.step.back();
  }
  json["selected_by"] = record.selected_by;
  json["weights"] = {
      {"tensors", record.weights.size()},
      {"sha256", record.weights.empty() ? record.dropped_weights : weights_sha256(record.weights)}};
  json["predictions"] = record.predictions ? record.predictions->id.size() : 0;
  json["tokenizer_bytes"] = record.tokenizer_model.size();
  json["resume"] = record.resume.has_value();
  return json;
}

void print_overview(const RunRecord& record) {
  const Json json = overview_of(record);
  Table facts;
  facts.columns = {{"run", false}, {record.experiment + "/" + record.arm, false}};
  const auto add = [&](const std::string& name, const std::string& text) {
    if (!text.empty()) facts.rows.push_back({name, text});
  };
  add("status", record.status);
  add("error", record.error);
  add("seed", std::to_string(record.seed));
  add("profile", record.profile);
  add("started", record.started);
  add("finished", record.finished);
  add("training ended by", record.ended_by);
  if (!record.diff.empty()) add("diff", std::to_string(record.diff.size()) + " bytes");
  const std::string sum = json["weights"]["sha256"];
  if (!record.weights.empty())
    add("weights", std::to_string(record.weights.size()) + " tensors, SHA-256 " + sum);
  else
    add("weights", sum.empty() ? "none" : "not kept; their SHA-256 was " + sum);
  add("selected by", record.selected_by);
  add("predictions", std::to_string(json["predictions"].get<size_t>()));
  add("tokenizer", std::to_string(record.tokenizer_model.size()) + " bytes");
  add("resume state", record.resume ? "yes" : "no");
  add_facts("data", record.data, facts);
  add_facts("environment", record.environment, facts);
  std::cout << plain_table(facts);

  Table summary;
  summary.columns = {{"summary", false}, {"value"}};
  for (const auto& [name, value] : record.summary)
    summary.rows.push_back({name, number_text(value)});
  if (!summary.rows.empty()) std::cout << "\n" << plain_table(summary);

  Table metrics;
  metrics.columns = {{"metric", false}, {"values"}, {"last"}, {"at step"}};
  for (const auto& [name, series] : record.metrics)
    metrics.rows.push_back({name, std::to_string(series.value.size()),
                            series.value.empty() ? "" : number_text(series.value.back()),
                            series.value.empty() ? "" : std::to_string(series.step.back())});
  if (!metrics.rows.empty()) std::cout << "\n" << plain_table(metrics);
}

void inspect(const InspectArguments& options) {
  const std::string& file = options.files.front();
  const Load what = options.config        ? Load::summary
                    : options.predictions ? Load::predictions
                                          : Load::all;
  const RunRecord record = load_record(file, what);
  if (options.config) {
    std::cout << record.config.dump(2) << "\n";
  } else if (options.predictions) {
    print_predictions(record, file);
  } else if (options.weights) {
    print_weights(record, file, options.json);
  } else if (options.json) {
    std::cout << overview_of(record).dump(2) << "\n";
  } else {
    print_overview(record);
  }
}

// Throws a usage Error for an option that is of no use with so many records.
void check_options(const CLI::App& command, bool is_pair) {
  const auto refuse = [&](const char* option, const char* found, const char* expected) {
    if (command.count(option) > 0)
      throw usage_error(std::string(option) + ": found with " + found + ", expected with " +
                        expected);
  };
  if (is_pair)
    for (const char* option : {"--weights", "--predictions"}) refuse(option, "two records", "one");
  else
    refuse("--show", "one record", "two");
}

}  // namespace

void add_inspect(CLI::App& app) {
  auto options = std::make_shared<InspectArguments>();
  CLI::App* command =
      app.add_subcommand("inspect", "print what a run record holds, or what differs between two");
  command
      ->add_option("RECORD", options->files, "one record, or two to compare settings and examples")
      ->required()
      ->expected(1, 2)
      ->transform(shipped_path);
  auto* weights = command->add_flag("--weights", options->weights,
                                    "a line a tensor: shape, mean, deviation, range; the SHA-256");
  auto* config = command->add_flag("--config", options->config,
                                   "configuration as JSON; of two records their differences");
  auto* predictions =
      command->add_flag("--predictions", options->predictions,
                        "predictions as JSON, id to answer, as the KorQuAD scorer reads");
  auto* show = command
                   ->add_option("--show", options->pair.show,
                                "of two records: N examples that differ, each way")
                   ->check(CLI::Range(0, 1000000000))
                   ->capture_default_str();
  command->add_flag("--json", options->json, "JSON instead of tables, of two with all examples");
  weights->excludes(config)->excludes(predictions);
  config->excludes(predictions)->excludes(show);
  command->callback([options, command] {
    const bool is_pair = options->files.size() == 2;
    check_options(*command, is_pair);
    if (!is_pair) return inspect(*options);
    PairArguments& pair = options->pair;
    pair.first = options->files[0];
    pair.second = options->files[1];
    pair.settings = options->config;
    pair.json = options->json;
    inspect_pair(pair);
  });
}

}  // namespace minibert
