// minibert evaluate: the metrics of a stored model on any data set or text.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <utility>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/file_options.h"
#include "compare/intervals.h"
#include "compare/render.h"
#include "core/error.h"
#include "core/text.h"
#include "data/files/cloze_file.h"
#include "data/instances/instances.h"
#include "environment/environment.h"
#include "experiment/stored_model.h"
#include "export/cloze_list.h"
#include "record/run_notes.h"
#include "record/run_record.h"
#include "task/all/export_run.h"

namespace minibert {
namespace {

struct EvaluateArguments {
  std::string run, cloze, device = "auto", precision = "fp32";
  EvaluationSource source;
  FileOptions files;
  size_t show = 0;  // examples
  bool course_metrics = false, json = false;
};

// Examples that all give the same, as ten of ten right, do not tell how far others would differ: resampled they have no
// width, which would read as certainty.
bool has_width(const Interval& interval) { return interval.low < interval.high; }

std::string as_text(const Interval& interval) {
  if (!has_width(interval)) return "  (no interval: all examples give the same value)";
  char text[64];
  std::snprintf(text, sizeof text, "  [%.4g, %.4g]", interval.low, interval.high);
  return text;
}

// Returns an option that a list of sentences cannot use, or "".
std::string no_use_with_cloze(const EvaluateArguments& arguments) {
  if (!arguments.source.data.empty()) return "--data";
  if (!arguments.source.texts.empty()) return "--text";
  if (!arguments.source.split.empty()) return "--split";
  if (!arguments.files.columns.empty()) return "--column";
  if (arguments.course_metrics) return "--course-metrics";
  // The engine of fill-mask has neither.
  if (arguments.device != "auto" && arguments.device != "cpu") return "--device";
  if (arguments.precision != "auto" && arguments.precision != "fp32") return "--precision";
  return "";
}

// By the figures' names, over the sentences of all kinds and of each.
std::map<std::string, Interval> cloze_intervals(const std::vector<ClozeResult>& results) {
  static constexpr Measure kMeasures[] = {{"first", "", 4, Better::higher, Resampled::mean},
                                          {"top5", "", 4, Better::higher, Resampled::mean}};
  std::map<std::string, Predictions> of_kind;
  for (const ClozeResult& result : results)
    for (const std::string& kind : kinds_of(result.sentence)) {
      Predictions& predictions = of_kind[kind];
      predictions.id.push_back(std::to_string(predictions.id.size()));
      predictions.numbers["first"].push_back(result.rank == 1);
      predictions.numbers["top5"].push_back(result.rank > 0);
    }
  std::map<std::string, Interval> out;
  for (auto& [kind, predictions] : of_kind)
    for (const auto& [name, interval] : intervals_of(std::move(predictions), kMeasures))
      out["cloze_" + kind + name] = interval;
  return out;
}

// The guesses for a list of sentences, by the engine of fill-mask.
void evaluate_cloze(const EvaluateArguments& arguments) {
  if (const std::string other = no_use_with_cloze(arguments); !other.empty())
    throw usage_error(other + ": found with --cloze, expected --cloze FILE without it");
  std::vector<MaskedSentence> list = read_cloze_file(arguments.cloze);
  if (const auto most = static_cast<size_t>(arguments.source.limit); most > 0 && most < list.size())
    list.resize(most);
  const AlignedBytes file(load_or_export(arguments.run));
  infer::FillMask model;
  const infer::Status loaded = model.load(file.span());
  if (!loaded.ok()) throw Error(arguments.run + ": " + loaded.message());
  const std::vector<ClozeResult> results = guess_sentences(model, list);
  const std::map<std::string, Interval> intervals = cloze_intervals(results);
  if (const std::string few = too_few_note(results.size(), results.size()); !few.empty())
    spdlog::warn("{}", few);
  nlohmann::ordered_json told = cloze_json(results);
  if (arguments.json) {
    for (const auto& [name, interval] : intervals)
      if (has_width(interval)) told["intervals"][name] = {interval.low, interval.high};
    std::cout << told.dump(2) << "\n";
    return;
  }
  for (size_t i = 0; i < std::min(arguments.show, results.size()); ++i)
    std::cout << results[i].sentence.text << "\n  guessed  " << joined(results[i].guesses)
              << "\n  right    " << joined(results[i].sentence.accept) << "\n\n";
  std::printf("%-28s %zu\n", "sentences", results.size());
  for (const auto& [kind, count] : told.at("counts").items())
    std::printf("%-28s %zu\n", ("sentences, " + kind).c_str(), count.get<size_t>());
  for (const auto& [name, value] : told.items())
    if (value.is_number())
      std::printf("%-28s %.4g%s\n", name.c_str(), value.get<double>(),
                  as_text(intervals.at(name)).c_str());
}

// "  (EM)" behind a figure whose heading in tables says what its name does not; else nothing.
std::string in_tables(const std::string& name, std::span<const Measure> measures) {
  const auto found = std::ranges::find(measures, name, &Measure::name);
  if (found == measures.end()) return "";
  std::string heading(found->heading);
  const std::string told = "  (" + heading + ")";
  for (char& c : heading)
    c = c == ' ' || c == '-' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return heading == name ? "" : told;
}

void evaluate(const EvaluateArguments& arguments) {
  if (!arguments.cloze.empty()) return evaluate_cloze(arguments);
  if (!arguments.source.data.empty() && !arguments.source.texts.empty())
    throw usage_error("found --data and --text, expected one of them or none");
  const Environment environment = choose_environment(arguments.device, arguments.precision);
  const Compute compute{
      environment.device,
      environment.precision == Precision::bf16 ? torch::kBFloat16 : torch::kFloat32,
      environment.threads};
  EvaluationSource source = arguments.source;
  source.say = [](const std::string& line) { spdlog::info("{}", line); };
  const bool is_file = is_file_name(source.data);
  if (is_file) {
    if (!source.split.empty())
      throw usage_error("found --split with a file, which is measured whole, expected no --split");
    FileOptions files = arguments.files;
    files.test = {std::exchange(source.data, "")};
    source.labelled = files.source();
  } else if (!arguments.files.columns.empty()) {
    throw usage_error("--column: found without a labelled file, expected --data FILE with it");
  }
  StoredModel model(arguments.run, source, compute);
  const Evaluation found = model.evaluate();
  if (arguments.show > 0) {
    const std::vector<std::string> examples = model.shown(found, arguments.show);
    if (examples.empty())
      throw usage_error(
          "--show: found a run whose task shows no examples, expected a masked-LM run");
    for (const std::string& example : examples) std::cout << example << "\n\n";
  }
  std::map<std::string, Interval> intervals;
  if (found.predictions && is_file)
    intervals = intervals_of(*found.predictions, model.kind().measures());
  nlohmann::json shown = nlohmann::json::object();
  for (const auto& [name, value] : found.metrics)
    if (arguments.course_metrics || !name.starts_with("course_")) shown[name] = value;
  if (is_file && found.predictions) {
    const size_t examples = found.predictions->id.size();
    if (const std::string few = too_few_note(examples, examples); !few.empty())
      spdlog::warn("{}", few);
    for (const std::string& note : prediction_notes(*found.predictions))
      spdlog::warn("{}: {}", arguments.source.data, note);
  }
  if (arguments.json) {
    for (const auto& [name, interval] : intervals)
      if (shown.contains(name) && has_width(interval))
        shown["intervals"][name] = {interval.low, interval.high};
    std::cout << shown.dump(2) << "\n";
    return;
  }
  for (const auto& [name, value] : shown.items()) {
    std::printf("%-24s %.6g", name.c_str(), value.get<double>());
    if (const auto interval = intervals.find(name); interval != intervals.end())
      std::fputs(as_text(interval->second).c_str(), stdout);
    std::printf("%s\n", in_tables(name, model.kind().measures()).c_str());
  }
}

}  // namespace

void add_evaluate(CLI::App& app) {
  auto arguments = std::make_shared<EvaluateArguments>();
  CLI::App* command = app.add_subcommand("evaluate", "measure a stored model on any data or text");
  add_record(*command, "--run", &arguments->run, "record with weights")->required();
  command->add_option("--data", arguments->source.data,
                      "data set or labelled file to measure (default: the run's own)");
  add_columns(*command, &arguments->files);
  command
      ->add_option("--split", arguments->source.split,
                   "train, dev or test (else what the run itself reports)")
      ->type_name("{train,dev,test}");
  command->add_option("--text", arguments->source.texts,
                      "text files, .zst and .gz too (runs on text)");
  command->add_option("--cloze", arguments->cloze,
                      "sentences with a blank, as JSON or table (experiments/OWN_DATA.md)");
  command
      ->add_option("--limit", arguments->source.limit,
                   "examples to measure (default: as the run did)")
      ->check(CLI::Range(1, 1000000000));
  command->add_option("--device", arguments->device, "auto, cpu, cuda or cuda:N")
      ->type_name("{auto,cpu,cuda}")
      ->capture_default_str();
  command->add_option("--precision", arguments->precision, "fp32, bf16 or auto")
      ->type_name("{auto,fp32,bf16}")
      ->capture_default_str();
  command->add_flag("--course-metrics", arguments->course_metrics,
                    "the course's own figures beside ours");
  auto* json = command->add_flag("--json", arguments->json, "as one JSON object");
  command
      ->add_option("--show", arguments->show,
                   "also print N examples with masks, answers and guesses")
      ->check(CLI::Range(0, 1000000000))
      ->excludes(json);
  command->callback([arguments] { evaluate(*arguments); });
}

}  // namespace minibert
