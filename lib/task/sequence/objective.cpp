#include "task/sequence/objective.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "core/error.h"
#include "core/text.h"
#include "infer/classifier.h"
#include "record/layout.h"
#include "score/label_score.h"
#include "score/label_set.h"
#include "score/label_set_score.h"

namespace minibert {
namespace {

namespace F = torch::nn::functional;

size_t label_index(const std::string& label, const std::vector<std::string>& labels,
                   const std::string& where) {
  const auto found = std::ranges::find(labels, label);
  if (found == labels.end())
    throw Error(where + ": found the label \"" + label + "\", expected one of: " + joined(labels));
  return static_cast<size_t>(found - labels.begin());
}

std::vector<double> label_targets(const SequenceSplit& split,
                                  const std::vector<std::string>& labels) {
  std::vector<double> out;
  for (size_t i = 0; i < split.gold.size(); ++i)
    out.push_back(static_cast<double>(label_index(split.gold[i], labels, split.where[i])));
  return out;
}

std::vector<std::string> alternatives(int64_t count) {
  std::vector<std::string> out;
  for (int64_t i = 1; i <= count; ++i) out.push_back(std::to_string(i));
  return out;
}

// logits_BC as labels with the probability of each; figures that need the labels alone.
Evaluation score_labels(const SequenceSplit& split, const std::vector<std::string>& labels,
                        const torch::Tensor& logits_BC, const std::vector<double>& targets) {
  const torch::Tensor probability_BC = logits_BC.to(torch::kFloat64).softmax(-1);
  const auto [best_B, index_B] = probability_BC.max(-1);
  Predictions predictions;
  predictions.id = split.ids;
  std::vector<std::string>& text = predictions.texts["prediction"];
  std::vector<double>& right = predictions.numbers["accuracy"];
  std::vector<double>& probability = predictions.numbers["probability"];
  double loss = 0;
  for (size_t i = 0; i < split.ids.size(); ++i) {
    const auto row = static_cast<int64_t>(i);
    text.push_back(labels[static_cast<size_t>(index_B[row].item<int64_t>())]);
    right.push_back(text.back() == split.gold[i] ? 1 : 0);
    probability.push_back(best_B[row].item<double>());
    loss -= std::log(
        std::max(1e-300, probability_BC[row][static_cast<int64_t>(targets[i])].item<double>()));
  }
  predictions.texts["gold"] = split.gold;
  predictions.texts[layout::kClusterColumn] = split.clusters;
  const Confusion confusion = confusion_of(split.gold, text);
  const auto count = static_cast<double>(split.ids.size());
  Evaluation out;
  out.metrics = {{"accuracy", accuracy(confusion)},
                 {"macro_f1", macro_f1(confusion)},
                 {"matthews", matthews(confusion)},
                 {"loss", loss / count},
                 {"examples", count}};
  out.predictions = std::move(predictions);
  return out;
}

// A target as an index. Throws Error where it is none of `count`.
int64_t index_of(double target, int64_t count) {
  if (!(target >= 0 && target < static_cast<double>(count)))
    throw Error("found the target " + std::to_string(std::llround(target)) +
                ", expected an index below " + std::to_string(count));
  return static_cast<int64_t>(target);
}

// The index that stands most often, of `count`.
int64_t mode(const std::vector<double>& targets, int64_t count) {
  std::vector<int64_t> seen(static_cast<size_t>(count), 0);
  for (const double target : targets) ++seen[static_cast<size_t>(index_of(target, count))];
  return std::ranges::max_element(seen) - seen.begin();
}

double number_of(const std::string& text, const std::string& where) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    throw Error(where + ": found the label \"" + text + "\", expected a number");
  return value;
}

// Labels that the data have, an output for each.
class NamedLabels : public SequenceObjective {
 public:
  bool names_labels() const override { return true; }
  int64_t outputs(const std::vector<std::string>& labels) const override {
    return static_cast<int64_t>(labels.size());
  }
};

// One output a row.
class OneOutput : public SequenceObjective {
 public:
  int64_t outputs(const std::vector<std::string>&) const override { return 1; }
};

class LabelObjective : public NamedLabels {
 public:
  std::vector<double> targets(const SequenceSplit& split,
                              const std::vector<std::string>& labels) const override {
    return label_targets(split, labels);
  }

  torch::Tensor loss(const torch::Tensor& outputs, const torch::Tensor& targets) const override {
    return F::cross_entropy(outputs, targets.to(torch::kInt64));
  }

  Evaluation score(const SequenceSplit& split, const std::vector<std::string>& labels,
                   const torch::Tensor& outputs) const override {
    return score_labels(split, labels, outputs, targets(split, labels));
  }

  torch::Tensor most_frequent(const std::vector<double>& training_targets, int64_t,
                              int64_t outputs) const override {
    torch::Tensor counts_C = torch::ones({outputs}, torch::kFloat64);  // add-one smoothing
    for (const double target : training_targets) counts_C[index_of(target, outputs)] += 1;
    return counts_C.log().to(torch::kFloat32).unsqueeze(0);
  }
};

class LabelSetObjective : public NamedLabels {
 public:
  bool several_labels() const override { return true; }

  std::vector<double> targets(const SequenceSplit& split,
                              const std::vector<std::string>& labels) const override {
    std::vector<double> out(split.gold.size() * labels.size());
    for (size_t i = 0; i < split.gold.size(); ++i)
      for (const std::string& label : labels_of(split.gold[i]))
        out[i * labels.size() + label_index(label, labels, split.where[i])] = 1;
    return out;
  }

  torch::Tensor loss(const torch::Tensor& outputs, const torch::Tensor& targets) const override {
    return F::binary_cross_entropy_with_logits(outputs, targets);
  }

  Evaluation score(const SequenceSplit& split, const std::vector<std::string>& labels,
                   const torch::Tensor& outputs) const override {
    const torch::Tensor logit_BC = outputs.to(torch::kFloat64).contiguous();
    const torch::Tensor probability_BC = logit_BC.sigmoid().contiguous();
    const std::vector<double> gold_BC = targets(split, labels);
    const size_t count = split.ids.size(), width = labels.size();
    const double* const probability = probability_BC.data_ptr<double>();
    Predictions predictions{
        split.ids,
        {{layout::kGoldColumn, split.gold}, {layout::kClusterColumn, split.clusters}},
        {}};
    std::vector<std::string>& found = predictions.texts[layout::kPredictionColumn];
    std::vector<std::string>& told = predictions.texts["probabilities"];
    std::vector<double>& shared = predictions.numbers["jaccard"];
    std::vector<double>& exact = predictions.numbers["subset_accuracy"];
    CountsByType sums;
    for (size_t i = 0; i < count; ++i) {
      std::vector<std::string> given, row;
      for (size_t c = 0; c < width; ++c) {
        const double p = probability[i * width + c];
        char text[16];
        std::snprintf(text, sizeof text, "%.6f", p);
        row.emplace_back(text);
        if (p >= infer::kLabelThreshold) given.push_back(labels[c]);
      }
      told.push_back(joined(row, " "));
      found.push_back(as_label_set(std::move(given)));
      const CountsByType counts = label_set_counts(split.gold[i], found.back());
      for (const auto& [label, of] : counts) sums[label].add(of);
      shared.push_back(jaccard(counts));
      exact.push_back(found.back() == split.gold[i] ? 1 : 0);
    }
    double precision = 0;
    size_t occurring = 0;
    for (size_t c = 0; c < width; ++c) {
      std::vector<double> scores;
      std::vector<uint8_t> is;
      for (size_t i = 0; i < count; ++i) {
        scores.push_back(probability[i * width + c]);
        is.push_back(gold_BC[i * width + c] > 0 ? 1 : 0);
      }
      if (std::ranges::find(is, 1) == is.end()) continue;
      precision += average_precision(scores, is);
      ++occurring;
    }
    std::vector<EntityCounts> by_label;
    for (const auto& [label, of] : sums) by_label.push_back(of);
    const auto examples = static_cast<double>(count);
    const torch::Tensor gold = torch::tensor(gold_BC, torch::kFloat64).view_as(logit_BC);
    Evaluation out;
    out.metrics = {
        {"label_micro_f1", micro_f1(by_label)},
        {"label_macro_f1", entity_macro_f1(by_label)},
        {"jaccard", std::accumulate(shared.begin(), shared.end(), 0.0) / examples},
        {"subset_accuracy", std::accumulate(exact.begin(), exact.end(), 0.0) / examples},
        {"mean_average_precision", occurring == 0 ? 0 : precision / static_cast<double>(occurring)},
        {"loss", F::binary_cross_entropy_with_logits(logit_BC, gold).item<double>()},
        {"examples", examples}};
    out.predictions = std::move(predictions);
    return out;
  }

  torch::Tensor most_frequent(const std::vector<double>& training_targets, int64_t,
                              int64_t outputs) const override {
    const torch::Tensor target_BC =
        torch::tensor(training_targets, torch::kFloat64).view({-1, outputs});
    const torch::Tensor share_C =
        (target_BC.sum(0) + 1) / (target_BC.size(0) + 2);  // add-one smoothing
    const auto mean = static_cast<int64_t>(
        std::llround(target_BC.sum().item<double>() / static_cast<double>(target_BC.size(0))));
    const int64_t given = std::clamp<int64_t>(mean, 1, outputs);
    // Their order as it is, with the threshold behind the last of them.
    const torch::Tensor logit_C = share_C.logit();
    const torch::Tensor last = std::get<0>(logit_C.topk(given)).min();
    return (logit_C - last).to(torch::kFloat32).unsqueeze(0);
  }
};

class NumberObjective : public OneOutput {
 public:
  std::vector<double> targets(const SequenceSplit& split,
                              const std::vector<std::string>&) const override {
    std::vector<double> out;
    for (size_t i = 0; i < split.gold.size(); ++i)
      out.push_back(number_of(split.gold[i], split.where[i]));
    return out;
  }

  torch::Tensor loss(const torch::Tensor& outputs, const torch::Tensor& targets) const override {
    return F::mse_loss(outputs.squeeze(-1), targets);
  }

  Evaluation score(const SequenceSplit& split, const std::vector<std::string>& labels,
                   const torch::Tensor& outputs) const override {
    const std::vector<double> gold = targets(split, labels);
    const torch::Tensor flat = outputs.to(torch::kFloat64).contiguous().view(-1);
    const std::vector<double> found(flat.data_ptr<double>(),
                                    flat.data_ptr<double>() + flat.numel());
    double squares = 0;
    for (size_t i = 0; i < gold.size(); ++i) squares += (gold[i] - found[i]) * (gold[i] - found[i]);
    const auto count = static_cast<double>(gold.size());
    Evaluation out;
    out.metrics = {{"pearson", pearson(gold, found)},
                   {"spearman", spearman(gold, found)},
                   {"squared_error", squares / count},
                   {"examples", count}};
    out.predictions = Predictions{split.ids,
                                  {{layout::kClusterColumn, split.clusters}},
                                  {{"gold", gold}, {"prediction", found}}};
    return out;
  }

  torch::Tensor most_frequent(const std::vector<double>& training_targets, int64_t,
                              int64_t) const override {
    const double sum = std::accumulate(training_targets.begin(), training_targets.end(), 0.0);
    return torch::full({1, 1}, sum / static_cast<double>(training_targets.size()), torch::kFloat64);
  }
};

class ChoiceObjective : public OneOutput {
 public:
  std::vector<double> targets(const SequenceSplit& split,
                              const std::vector<std::string>&) const override {
    return label_targets(split, alternatives(split.rows_per_example));
  }

  torch::Tensor loss(const torch::Tensor& outputs, const torch::Tensor& targets) const override {
    return F::cross_entropy(outputs.view({targets.size(0), -1}), targets.to(torch::kInt64));
  }

  Evaluation score(const SequenceSplit& split, const std::vector<std::string>& labels,
                   const torch::Tensor& outputs) const override {
    Evaluation out =
        score_labels(split, alternatives(split.rows_per_example),
                     outputs.view({-1, split.rows_per_example}), targets(split, labels));
    // Which alternative stands first means nothing, so figures by label mean nothing either.
    out.metrics.erase("macro_f1"), out.metrics.erase("matthews");
    return out;
  }

  torch::Tensor most_frequent(const std::vector<double>& training_targets, int64_t rows_per_example,
                              int64_t) const override {
    torch::Tensor out = torch::zeros({rows_per_example, 1});
    out[mode(training_targets, rows_per_example)] = 1;
    return out;
  }
};

}  // namespace

const SequenceObjective& label_objective() {
  static const LabelObjective objective;
  return objective;
}

const SequenceObjective& label_set_objective() {
  static const LabelSetObjective objective;
  return objective;
}

const SequenceObjective& number_objective() {
  static const NumberObjective objective;
  return objective;
}

const SequenceObjective& choice_objective() {
  static const ChoiceObjective objective;
  return objective;
}

}  // namespace minibert
