// What an experiment's author expects of two arms before any of them is run, and what came of it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/fields.h"

namespace minibert {

struct Expectation {
  std::string measure, arm, baseline;
  std::string direction = "higher";  // higher | lower: of `arm` beside `baseline`
  double least = 0;                  // how much, in the measure's unit
  int64_t runs = 1;                  // of each arm, after which it is judged
  std::string stop;                  // in words: when no more is run
};

template <class V>
void fields(Expectation& c, V& v) {
  v("measure", c.measure, "a measure of the task that has intervals", kRequired);
  v("arm", c.arm, "the arm that is expected to differ", kRequired);
  v("baseline", c.baseline, "from this one", kRequired);
  v("direction", c.direction, OneOf{"higher", "lower"}, "where its figure is expected to lie");
  v("least", c.least, Real{0, 1e9}, "by how much at least, in the measure's unit");
  v.otherwise(c.runs, c.runs, "as many as `seeds`");
  v("runs", c.runs, Whole{1, 100000}, "runs of each arm after which it is judged");
  v("stop", c.stop, "in words: when no more is run", kRequired);
}

// As a record keeps it: a list. Its SHA-256 (sha256_of_json) is the experiment's signature under it.
nlohmann::json to_json(const std::vector<Expectation>& all);
// Throws a usage Error naming the key; `file` is for messages.
std::vector<Expectation> expectations_from_json(const nlohmann::json& json,
                                                const std::string& file);

inline constexpr size_t kShownDigits = 12;  // of a SHA-256

// A verdict on an expectation that all compared runs of two arms have registered.
struct Judged {
  Expectation expected;
  std::string sha256;
  // met | not met | open (the interval has both in it, or there are too few runs)
  std::string verdict;
  std::string why;  // of an open one
  bool has_interval = false;
  double difference = 0, low = 0, high = 0;  // arm minus baseline; ends that are not known are NaN
  int decimals = 2;                          // of the measure, as in tables
};

// "registered (1f0c2a…): f1 of bert - lstm higher by at least 2: met, +3.10 [+2.20, +4.00]; stop: after 3 seeds";
// without the brackets where the interval is not known.
std::string in_words(const Judged& judged);

// The same with what was expected, by its keys; difference, low and high are null without an interval, low and high
// where it is not known.
nlohmann::ordered_json to_json(const Judged& judged);

// What one run registered.
struct Registered {
  std::string arm;  // its name
  nlohmann::json expect;
  std::string sha256;
  std::string path;  // of its record, for messages
};

}  // namespace minibert
