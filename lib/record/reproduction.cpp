#include "record/reproduction.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "core/error.h"
#include "core/text.h"
#include "record/inputs.h"

namespace minibert {
namespace {

using nlohmann::json;

// Figures that time, not training, decides.
const std::set<std::string> kTimings = {"cpu_joules",      "cpu_seconds", "examples_per_second",
                                        "ms_per_question", "seconds",     "tokens_per_second",
                                        "train_seconds",   "wall_seconds"};

struct Influence {
  const char* name;
  const char* pointer;  // into the environment
  const char* effect;
};
constexpr Influence kInfluences[] = {
    {"device", "/device", "sums are made in another order; figures differ from the first steps"},
    {"precision", "/precision", "figures differ from the first step"},
    {"threads", "/threads", "sums are made in another order; figures differ from the first steps"},
    {"BLAS", "/blas/name", "another kernel rounds sums otherwise; figures differ after some steps"},
    {"CPU", "/cpu", "BLAS may choose another kernel; figures may differ after some steps"},
    {"LibTorch", "/libraries/libtorch", "operations may round otherwise"},
    {"compiler", "/compiler/name", "our own kernels may round otherwise"},
    {"compiler flags", "/compiler/flags", "our own kernels may round otherwise"},
    {"program", "/libraries/minibert", "it may compute something else"},
};

std::string text_of(const json& environment, const char* pointer) {
  const json value = environment.value(json::json_pointer(pointer), json());
  if (value.is_null()) return "not known";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

// Bit for bit, but one NaN is as good as another.
bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool near(double a, double b, double tolerance) {
  return same(a, b) || std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

double relative(double a, double b) {
  const double larger = std::max(std::abs(a), std::abs(b));
  return larger > 0 ? std::abs(a - b) / larger : 0;
}

// The sum of weights that are there or were; empty for records of before the sum of dropped ones was kept.
std::string sum_of_weights(const RunRecord& record) {
  return record.weights.empty() ? record.dropped_weights : weights_sha256(record.weights);
}

PartComparison compare_series(const std::string& name, const MetricSeries& a, const MetricSeries& b,
                              double tolerance) {
  PartComparison out{"metric " + name, Likeness::equal, ""};
  if (a.step != b.step) {
    out.likeness = Likeness::different;
    out.detail = "stored at " + std::to_string(a.step.size()) + " steps, here at " +
                 std::to_string(b.step.size());
    return out;
  }
  double most = 0;
  for (size_t i = 0; i < a.value.size(); ++i) {
    const double x = a.value[i], y = b.value[i];
    if (same(x, y)) continue;
    if (out.detail.empty())
      out.detail = "from step " + std::to_string(a.step[i]) + ": stored " + number(x) + ", here " +
                   number(y);
    if (!near(x, y, tolerance)) out.likeness = Likeness::different;
    if (out.likeness == Likeness::equal) out.likeness = Likeness::near;
    most = std::max(most, relative(x, y));
  }
  if (!out.detail.empty()) out.detail += "; at most " + number(100 * most) + " % apart";
  return out;
}

PartComparison compare_figures(const std::string& name, double a, double b, double tolerance) {
  PartComparison out{"figure " + name, Likeness::equal, ""};
  if (same(a, b)) return out;
  out.likeness = near(a, b, tolerance) ? Likeness::near : Likeness::different;
  out.detail = "stored " + number(a) + ", here " + number(b);
  return out;
}

template <class T, class Same>
PartComparison compare_column(const std::string& name, const std::vector<T>& a,
                              const std::vector<T>& b, const Same& equal) {
  PartComparison out{"predictions " + name, Likeness::equal, ""};
  size_t different = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) different += !equal(a[i], b[i]);
  if (different == 0 && a.size() == b.size()) return out;
  out.likeness = Likeness::different;
  out.detail = std::to_string(different) + " of " + std::to_string(a.size()) + " differ";
  return out;
}

void compare_predictions(const RunRecord& stored, const RunRecord& made, double tolerance,
                         std::vector<PartComparison>* parts) {
  if (!stored.predictions) return;
  if (!made.predictions) {
    parts->push_back({"predictions", Likeness::different, "not there"});
    return;
  }
  const auto texts_equal = [](const std::string& a, const std::string& b) { return a == b; };
  parts->push_back(compare_column("id", stored.predictions->id, made.predictions->id, texts_equal));
  for (const auto& [name, column] : stored.predictions->texts)
    if (const auto found = made.predictions->texts.find(name);
        found != made.predictions->texts.end())
      parts->push_back(compare_column(name, column, found->second, texts_equal));
  for (const auto& [name, column] : stored.predictions->numbers) {
    const auto found = made.predictions->numbers.find(name);
    if (found == made.predictions->numbers.end()) continue;
    PartComparison part = compare_column(name, column, found->second, same);
    const PartComparison loosely = compare_column(
        name, column, found->second, [&](double a, double b) { return near(a, b, tolerance); });
    if (part.likeness == Likeness::different && loosely.likeness == Likeness::equal)
      part.likeness = Likeness::near;
    parts->push_back(std::move(part));
  }
}

PartComparison compare_inputs(const RunRecord& stored, const RunRecord& made) {
  const std::string inputs = joined(input_differences(stored, made), "; ");
  return {"inputs", inputs.empty() ? Likeness::equal : Likeness::different, inputs};
}

PartComparison compare_figures(const std::string& name, double value, const RunRecord& made,
                               double tolerance) {
  const auto found = made.summary.find(name);
  if (found == made.summary.end()) return {"figure " + name, Likeness::different, "not there"};
  return compare_figures(name, value, found->second, tolerance);
}

}  // namespace

std::vector<std::string> environment_differences(const json& stored, const json& here) {
  std::vector<std::string> out;
  for (const Influence& one : kInfluences) {
    const std::string then = text_of(stored, one.pointer), now = text_of(here, one.pointer);
    if (then != now)
      out.push_back(std::string(one.name) + ": stored " + then + ", here " + now + ": " +
                    one.effect);
  }
  if (text_of(stored, "/libraries/minibert").ends_with(" with local changes"))
    out.push_back("local changes: no commit holds the stored run's program (inspect shows them)");
  return out;
}

Reproduction compare_reproduction(const RunRecord& stored, const RunRecord& made,
                                  double tolerance) {
  Reproduction out;
  out.parts.push_back(compare_inputs(stored, made));
  for (const auto& [name, series] : stored.metrics) {
    if (kTimings.contains(name.substr(name.find('/') + 1))) continue;
    const auto found = made.metrics.find(name);
    out.parts.push_back(found == made.metrics.end()
                            ? PartComparison{"metric " + name, Likeness::different, "not there"}
                            : compare_series(name, series, found->second, tolerance));
  }
  for (const auto& [name, value] : stored.summary) {
    if (!kTimings.contains(name))
      out.parts.push_back(compare_figures(name, value, made, tolerance));
  }
  compare_predictions(stored, made, tolerance, &out.parts);
  out.reproduced = std::ranges::none_of(
      out.parts, [](const PartComparison& part) { return part.likeness == Likeness::different; });
  const std::string then = sum_of_weights(stored), now = sum_of_weights(made);
  if (!then.empty() && !now.empty()) {
    const bool equal = then == now;
    out.parts.push_back(
        {"weights", equal ? Likeness::equal : Likeness::different, equal ? "" : "another SHA-256"});
  }
  return out;
}

Reproduction compare_figure(const RunRecord& stored, const RunRecord& made, const Measure& measure,
                            double tolerance) {
  const std::string name(measure.name);
  const auto value = stored.summary.find(name);
  if (value == stored.summary.end())
    throw usage_error("--figure: found \"" + name + "\", which the stored run does not have");
  Reproduction out;
  out.parts = {compare_inputs(stored, made), compare_figures(name, value->second, made, tolerance)};
  bool as_good = out.parts[1].likeness != Likeness::different;
  if (const auto found = made.summary.find(name); found != made.summary.end() && !as_good) {
    as_good = measure.better == Better::higher  ? found->second > value->second
              : measure.better == Better::lower ? found->second < value->second
                                                : false;
    if (as_good) out.parts[1].detail += ", which is better";
  }
  out.reproduced = as_good && out.parts[0].likeness == Likeness::equal;
  return out;
}

}  // namespace minibert
