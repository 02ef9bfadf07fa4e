#include "task/sequence/sequence_data.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <set>
#include <span>
#include <string_view>

#include "core/error.h"
#include "core/rng.h"
#include "core/text.h"
#include "data/splits/clusters.h"
#include "score/label_set.h"

namespace minibert {
namespace {

bool is_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

void check_choices(const ResolvedData& data, bool choices) {
  const bool has = data.set.table && !data.set.table->choices.empty();
  if (has == choices) return;
  throw usage_error("data set " + data.set.id + ": its rows have " + (has ? "" : "no ") +
                    "alternatives to choose from, expected " + (has ? "none" : "some") +
                    " for this task");
}

// Several labels a text are in files that an experiment names alone.
void check_several(const ResolvedData& data, bool several) {
  if (several ? data.source != nullptr : !data.source || !data.source->table.several()) return;
  throw usage_error("data set " + data.set.id + ": its texts have " +
                    (several ? "one label, expected files of your own for this task"
                             : "several labels, expected the task multilabel"));
}

std::vector<std::string> example_labels(const LabelledExample& example, bool several) {
  return several ? labels_of(example.label) : std::vector<std::string>{example.label};
}

std::set<std::string> labels_in(const std::vector<LabelledExample>& examples, bool several) {
  std::set<std::string> out;
  for (const LabelledExample& example : examples)
    for (std::string& label : example_labels(example, several)) out.insert(std::move(label));
  return out;
}

}  // namespace

SequenceData::SequenceData(const LoadRequest& request, bool choices, LabelUse use)
    : tokenizer_(request.tokenizer),
      max_length_(as<SequenceSettings>(request.settings).max_length),
      limit_(static_cast<size_t>(request.limit)),
      several_(use == LabelUse::sets),
      say_(request.say) {
  check_choices(request.data, choices);
  check_several(request.data, several_);
  splits_ = load_labelled(request.data, request.say, use);
  limit_training(as<SequenceSettings>(request.settings));
  find_labels(request.data, request.say);
}

void SequenceData::limit_training(const SequenceSettings& settings) {
  std::vector<LabelledExample>& train = splits_.train;
  const auto most = static_cast<size_t>(settings.train_limit);
  if (most == 0 || most >= train.size()) return;
  std::string which = "the first";
  if (settings.train_sample == kRandomExamples) {
    which = "drawn by chance";
    std::vector<size_t> places(train.size());
    std::iota(places.begin(), places.end(), size_t{0});
    Rng(1, "train_sample").shuffle(places);
    std::sort(places.begin(), places.begin() + static_cast<ptrdiff_t>(most));
    for (size_t i = 0; i < most; ++i)
      if (places[i] != i) train[i] = std::move(train[places[i]]);
  }
  say_("train: " + std::to_string(most) + " of " + std::to_string(train.size()) + " examples, " +
       which + " (features.train_limit)");
  train.resize(most);
}

void SequenceData::find_labels(const ResolvedData& data,
                               const std::function<void(const std::string&)>& say) {
  if (splits_.train.empty()) return;  // a stored model that is measured has labels of its own
  const std::set<std::string> train = labels_in(splits_.train, several_);
  std::set<std::string> elsewhere = labels_in(splits_.dev, several_);
  for (const std::string& label : labels_in(splits_.test, several_)) elsewhere.insert(label);
  for (const TableLabel& label : data.set.table->labels)
    if (train.contains(label.name) && std::ranges::find(labels_, label.name) == labels_.end())
      labels_.push_back(label.name);
  if (labels_.empty()) labels_.assign(train.begin(), train.end());
  if (several_ && labels_.size() < 2)
    throw usage_error("data set " + data.set.id + ": found " + std::to_string(labels_.size()) +
                      " labels in training, expected at least two for this task");
  std::vector<std::string> unseen, only_here;
  std::ranges::set_difference(elsewhere, train, std::back_inserter(unseen));
  std::ranges::set_difference(train, elsewhere, std::back_inserter(only_here));
  // Numbers are no labels, and any number may occur.
  if (!data.set.table->labels.empty() || !data.set.table->choices.empty()) {
    if (!unseen.empty())
      throw Error("data set " + data.set.id + ": the labels " + joined(unseen) +
                  " are only in dev or test, expected them in training, too");
    if (!only_here.empty()) say("note: the labels " + joined(only_here) + " are only in training");
  }
}

const std::vector<LabelledExample>& SequenceData::examples_of(Split split) const {
  return split == Split::train ? splits_.train : split == Split::dev ? splits_.dev : splits_.test;
}

std::map<std::string, size_t> SequenceData::examples() {
  return {
      {"train", splits_.train.size()}, {"dev", splits_.dev.size()}, {"test", splits_.test.size()}};
}

nlohmann::json SequenceData::statistics() {
  constexpr size_t kMostNumbers = 32;  // that are labels; more are measurements
  nlohmann::json out = nlohmann::json::object();
  const bool numbers =
      !several_ && labels_.size() > kMostNumbers && std::ranges::all_of(labels_, is_number);
  for (const Split split : {Split::train, Split::dev, Split::test}) {
    if (numbers) break;
    for (const LabelledExample& example : examples_of(split))
      for (const std::string& label : example_labels(example, several_)) {
        nlohmann::json& count = out[to_string(split)]["labels"][label];
        count = count.is_null() ? 1 : count.get<int64_t>() + 1;
      }
  }
  out[kPairs] =
      std::ranges::any_of(splits_.train, [](const auto& one) { return !one.pair.empty(); });
  return out;
}

std::optional<MeasuredExamples> SequenceData::measured_by(Split split) {
  const std::vector<LabelledExample>& all = examples_of(split);
  const size_t count = std::min(all.size(), limit());
  const std::vector<std::string> clusters = clusters_in_order(std::span(all).first(count));
  return MeasuredExamples{count, std::set(clusters.begin(), clusters.end()).size()};
}

std::vector<std::string> SequenceData::asked(Split split) {
  std::vector<std::string> out;
  for (const LabelledExample& example : examples_of(split)) out.push_back(asked_in(example));
  return out;
}

std::shared_ptr<const SequenceSplit> SequenceData::split(Split split) {
  std::shared_ptr<const SequenceSplit>& encoded = encoded_[split];
  if (encoded) return encoded;
  SequenceSplit out;
  for (const LabelledExample& example : examples_of(split)) {
    if (limit_ > 0 && out.ids.size() == limit_) break;
    out.ids.push_back(example.id);
    out.gold.push_back(example.label);
    out.where.push_back(place_of(example));
    for (const std::string& choice : example.choices)
      append_row(tokenizer_, example.text, choice, max_length_, &out.rows);
    if (example.choices.empty())
      append_row(tokenizer_, example.text, example.pair, max_length_, &out.rows);
    else
      out.rows_per_example = static_cast<int64_t>(example.choices.size());
  }
  out.clusters = clusters_in_order(std::span(examples_of(split)).first(out.ids.size()));
  if (out.ids.empty())
    throw usage_error(std::string("the data set has no examples for split \"") + to_string(split) +
                      "\"");
  report_cut_rows(out.rows, max_length_, to_string(split), say_);
  encoded = std::make_shared<const SequenceSplit>(std::move(out));
  return encoded;
}

}  // namespace minibert
