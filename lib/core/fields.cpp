#include "core/fields.h"

#include <utility>

namespace minibert {
namespace {

std::string code(const std::string& text) { return "`" + text + "`"; }

// With a decimal point, which a whole number has not.
std::string number(double value) { return nlohmann::json(value).dump(); }

std::string default_text(const std::string& text, Use use) {
  return use.required ? "" : code(text);
}

}  // namespace

void FieldLister::add(const char* key, const std::string& values, const std::string& otherwise,
                      const char* meaning) {
  const std::string text = std::exchange(otherwise_, "");
  keys_.push_back({prefix_ + key, values, text.empty() ? otherwise : text, meaning});
}

void FieldLister::whole(const char* key, int64_t value, Whole whole, const std::string& kind,
                        const char* meaning, Use use) {
  std::string values = kind + std::to_string(whole.min);
  if (whole.max_key != nullptr)
    values += " to " + code(whole.max_key);
  else if (whole.max == INT64_MAX)
    values += " and more";
  else
    values += " to " + std::to_string(whole.max);
  add(key, values, default_text(std::to_string(value), use), meaning);
}

void FieldLister::operator()(const char* key, double& value, Real real, const char* meaning,
                             Use use) {
  add(key, number(real.min) + " to " + number(real.max), default_text(number(value), use), meaning);
}

void FieldLister::operator()(const char* key, bool& value, const char* meaning, Use use) {
  add(key, "`true`, `false`", default_text(value ? "true" : "false", use), meaning);
}

void FieldLister::operator()(const char* key, std::string& value, const char* meaning, Use use) {
  add(key, "a text", value.empty() ? "" : default_text(value, use), meaning);
}

void FieldLister::operator()(const char* key, std::string& value, const OneOf& names,
                             const char* meaning, Use use) {
  std::string values;
  for (const std::string& name : names) values += (values.empty() ? "" : ", ") + code(name);
  add(key, values, default_text(value, use), meaning);
}

void FieldLister::operator()(const char* key, std::vector<std::string>&, const char* meaning, Use) {
  add(key, "a list of texts", "", meaning);
}

void FieldLister::operator()(const char* key, std::map<std::string, int64_t>&, Whole range,
                             const char* meaning, Use) {
  add(key,
      "an object of numbers, " + std::to_string(range.min) + " to " + std::to_string(range.max), "",
      meaning);
}

}  // namespace minibert
