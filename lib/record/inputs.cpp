#include "record/inputs.h"

#include "core/sha256.h"

namespace minibert {
namespace {

constexpr char kStartName[] = "start weights";
constexpr size_t kShownDigits = 12;

std::string shown(const std::map<std::string, std::string>& inputs, const std::string& name) {
  const auto found = inputs.find(name);
  return found == inputs.end() ? "none" : found->second.substr(0, kShownDigits);
}

}  // namespace

std::map<std::string, std::string> inputs_of(const RunRecord& record) {
  std::map<std::string, std::string> out{{"tokenizer", sha256_hex(record.tokenizer_model)}};
  if (const auto files = record.data.find("files"); files != record.data.end())
    for (const auto& file : *files)
      out["data file " + file.value("name", "")] = file.value("sha256", "");
  if (const auto start = record.data.find(kStartWeights); start != record.data.end())
    out[kStartName] = *start;
  if (const auto others = record.data.find(kLearntFrom); others != record.data.end())
    for (const auto& [name, sha256] : others->items()) out[name] = sha256;
  return out;
}

std::vector<std::string> input_differences(const RunRecord& stored, const RunRecord& here) {
  const auto before = inputs_of(stored), now = inputs_of(here);
  std::map<std::string, std::string> names = before;
  names.insert(now.begin(), now.end());
  std::vector<std::string> out;
  for (const auto& [name, unused] : names) {
    const std::string then = shown(before, name), found = shown(now, name);
    if (then == found || (name == kStartName && before.contains(name) != now.contains(name)))
      continue;
    out.push_back(name + ": stored " + then + ", here " + found);
  }
  return out;
}

}  // namespace minibert
