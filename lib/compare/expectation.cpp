#include "compare/expectation.h"

#include "compare/table.h"

namespace minibert {

nlohmann::json to_json(const std::vector<Expectation>& all) {
  nlohmann::json out = nlohmann::json::array();
  for (const Expectation& one : all) out.push_back(written_fields(one));
  return out;
}

std::vector<Expectation> expectations_from_json(const nlohmann::json& json,
                                                const std::string& file) {
  const nlohmann::json holder = {{"expect", json}};
  ConfigReader reader(holder, file);
  std::vector<Expectation> out;
  for (ConfigReader& one : reader.objects("expect")) {
    read_fields(one, out.emplace_back());
    one.finish();
  }
  return out;
}

std::string in_words(const Judged& one) {
  const Expectation& e = one.expected;
  std::string text = "registered (SHA-256 " + one.sha256.substr(0, kShownDigits) +
                     "…): " + e.measure + " of " + e.arm + " - " + e.baseline + " " + e.direction;
  if (e.least > 0) text += " by at least " + nlohmann::json(e.least).dump();
  text += ": " + one.verdict;
  if (!one.why.empty()) text += " (" + one.why + ")";
  if (one.has_interval) {
    text += ", " + with_sign(one.difference, one.decimals);
    const std::string interval = in_brackets(one.low, one.high, one.decimals);
    text += (interval.empty() ? "" : " ") + interval;
  }
  return text + "; stop: " + e.stop;
}

nlohmann::ordered_json to_json(const Judged& one) {
  const auto number = [&](double value) {
    return one.has_interval ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
  };
  const Expectation& e = one.expected;
  return {{"measure", e.measure},
          {"arm", e.arm},
          {"baseline", e.baseline},
          {"direction", e.direction},
          {"least", e.least},
          {"runs", e.runs},
          {"stop", e.stop},
          {"sha256", one.sha256},
          {"verdict", one.verdict},
          {"why", one.why},
          {"difference", number(one.difference)},
          {"low", number(one.low)},
          {"high", number(one.high)}};
}

}  // namespace minibert
