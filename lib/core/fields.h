// A configuration's keys, each written once. A struct has one function
//
//   template <class V> void fields(TrainConfig& c, V& v) {
//     v("epochs", c.epochs, Whole{1, 100000}, "passes over the training examples");
//     v("clip_norm", c.clip_norm, Real{0, 1e6}, "largest norm of all gradients together; 0: no clipping");
//   }
//
// names every key with its member, its allowed values and its meaning; the member's initial value
// is the default. Reading, writing and documenting keys are visitors of this function. The caller
// checks constraints between several keys.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/config_reader.h"

namespace minibert {

// The allowed values of a key. `max_key`: another key, whose value is the maximum.
struct Whole {
  int64_t min = 0, max = INT64_MAX;
  const char* max_key = nullptr;
};
struct Odd {  // a convolution needs a middle; 0 is allowed if `min` is 0
  int64_t min, max;
};
struct Real {
  double min, max;
};
// The allowed strings, or the names of an enum's values in the enum's order.
using OneOf = std::vector<std::string>;

struct Use {
  bool required = false;  // no default
  bool written = true;    // false: a later key, written only where used: records keep their form
};
inline constexpr Use kRequired{.required = true};
inline Use written_where(bool used) { return {.written = used}; }

// Reads each key from an object, with ConfigReader's errors. The caller calls finish().
class FieldReader {
 public:
  explicit FieldReader(ConfigReader& reader) : reader_(reader) {}

  template <std::integral T>
  void operator()(const char* key, T& value, Whole whole, const char*, Use use = {}) {
    value = static_cast<T>(
        reader_.integer(key, whole.min, whole.max, unless(use, static_cast<int64_t>(value))));
  }
  template <std::integral T>
  void operator()(const char* key, T& value, Odd odd, const char*, Use use = {}) {
    (*this)(key, value, Whole{odd.min, odd.max}, "", use);
    if (value != 0 && value % 2 == 0)
      reader_.fail(key, "found " + std::to_string(value) + ", expected an odd number" +
                            (odd.min == 0 ? " or 0" : ""));
  }
  void operator()(const char* key, double& value, Real real, const char*, Use use = {}) {
    value = reader_.number(key, real.min, real.max, unless(use, value));
  }
  void operator()(const char* key, bool& value, const char*, Use use = {}) {
    value = reader_.boolean(key, unless(use, value));
  }
  void operator()(const char* key, std::string& value, const char*, Use use = {}) {
    value = reader_.string(key, unless(use, value));
  }
  void operator()(const char* key, std::string& value, const OneOf& names, const char*,
                  Use use = {}) {
    value = reader_.choice(key, names, unless(use, value));
  }
  template <class T>
  requires std::is_enum_v<T>
  void operator()(const char* key, T& value, const OneOf& names, const char*, Use use = {}) {
    const std::string name =
        reader_.choice(key, names, unless(use, names[static_cast<size_t>(value)]));
    value = static_cast<T>(std::find(names.begin(), names.end(), name) - names.begin());
  }
  void operator()(const char* key, std::vector<std::string>& value, const char*, Use = {}) {
    if (reader_.has(key)) value = reader_.strings(key);
  }
  void operator()(const char* key, std::map<std::string, int64_t>& value, Whole whole, const char*,
                  Use = {}) {
    ConfigReader entries = reader_.object(key);
    for (const auto& [name, unread] : entries.node().items())
      value[name] = entries.integer(name, whole.min, whole.max);
    entries.finish();
  }
  template <class T>
  void object(const char* key, T& value, const char*, Use = {}) {
    ConfigReader inner = reader_.object(key);
    FieldReader visitor(inner);
    fields(value, visitor);
    inner.finish();
  }
  // Sets the default of the next field: another key's value, or a value derived from other keys.
  template <class T>
  void otherwise(T& value, const T& given, const char*) {
    value = given;
  }
  // Documents a key that has no member or is read elsewhere.
  void note(const char*, const char*, const char*, const char*) {}
  // ConfigReader::retired. Earlier records that hold the key are rewritten without it.
  void retired(const char* key, const nlohmann::json& kept) { reader_.retired(key, kept); }

 private:
  template <class T>
  static std::optional<T> unless(Use use, T value) {
    return use.required ? std::nullopt : std::optional<T>(value);
  }
  ConfigReader& reader_;
};

// Adds each key to a JSON object.
class FieldWriter {
 public:
  explicit FieldWriter(nlohmann::json& json) : json_(json) {}

  template <class T, class Values>
  requires(!std::is_enum_v<T> && !std::convertible_to<Values, const char*>) void operator()(
      const char* key, T& value, const Values&, const char*, Use use = {}) {
    if (use.written) json_[key] = value;
  }
  template <class T>
  void operator()(const char* key, T& value, const char*, Use use = {}) {
    if (use.written) json_[key] = value;
  }
  template <class T>
  requires std::is_enum_v<T>
  void operator()(const char* key, T& value, const OneOf& names, const char*, Use use = {}) {
    if (use.written) json_[key] = names[static_cast<size_t>(value)];
  }
  template <class T>
  void object(const char* key, T& value, const char*, Use use = {}) {
    if (!use.written) return;
    FieldWriter visitor(json_[key]);
    fields(value, visitor);
  }
  template <class T>
  void otherwise(T&, const T&, const char*) {}
  void note(const char*, const char*, const char*, const char*) {}
  void retired(const char*, const nlohmann::json&) {}

 private:
  nlohmann::json& json_;
};

// A key as documents show it; all texts are Markdown.
struct KeyText {
  std::string key, values, otherwise, meaning;  // `otherwise`: the default, or empty
};

// Lists each key; keys of a nested object get its key as a prefix ("optimizer.lr").
class FieldLister {
 public:
  explicit FieldLister(std::vector<KeyText>& keys, std::string prefix = "")
      : keys_(keys), prefix_(std::move(prefix)) {}

  template <std::integral T>
  void operator()(const char* key, T& value, Whole whole, const char* meaning, Use use = {});
  template <std::integral T>
  void operator()(const char* key, T& value, Odd odd, const char* meaning, Use use = {});
  void operator()(const char* key, double& value, Real real, const char* meaning, Use use = {});
  void operator()(const char* key, bool& value, const char* meaning, Use use = {});
  void operator()(const char* key, std::string& value, const char* meaning, Use use = {});
  void operator()(const char* key, std::string& value, const OneOf& names, const char* meaning,
                  Use use = {});
  template <class T>
  requires std::is_enum_v<T>
  void operator()(const char* key, T& value, const OneOf& names, const char* meaning,
                  Use use = {}) {
    std::string name = names[static_cast<size_t>(value)];
    (*this)(key, name, names, meaning, use);
  }
  void operator()(const char* key, std::vector<std::string>& value, const char* meaning,
                  Use use = {});
  void operator()(const char* key, std::map<std::string, int64_t>& value, Whole whole,
                  const char* meaning, Use use = {});
  template <class T>
  void object(const char* key, T& value, const char* meaning, Use = {}) {
    add(key, "an object", "", meaning);
    FieldLister visitor(keys_, prefix_ + key + ".");
    fields(value, visitor);
  }
  template <class T>
  void otherwise(T&, const T&, const char* text) {
    otherwise_ = text;
  }
  void note(const char* key, const char* values, const char* otherwise, const char* meaning) {
    add(key, values, otherwise, meaning);
  }
  void retired(const char*, const nlohmann::json&) {}

 private:
  void add(const char* key, const std::string& values, const std::string& otherwise,
           const char* meaning);
  void whole(const char* key, int64_t value, Whole whole, const std::string& kind,
             const char* meaning, Use use);

  std::vector<KeyText>& keys_;
  std::string prefix_;
  std::string otherwise_;  // default of the next key
};

template <std::integral T>
void FieldLister::operator()(const char* key, T& value, Whole range, const char* meaning, Use use) {
  whole(key, static_cast<int64_t>(value), range, "", meaning, use);
}
template <std::integral T>
void FieldLister::operator()(const char* key, T& value, Odd odd, const char* meaning, Use use) {
  whole(key, static_cast<int64_t>(value), {odd.min, odd.max}, odd.min == 0 ? "0 or odd, " : "odd, ",
        meaning, use);
}

// Lists the keys of removed features (FieldReader::retired).
class RetiredLister {
 public:
  explicit RetiredLister(std::vector<std::string>& keys) : keys_(keys) {}
  template <class... Rest>
  void operator()(Rest&&...) {}
  template <class... Rest>
  void object(Rest&&...) {}
  template <class... Rest>
  void otherwise(Rest&&...) {}
  void note(const char*, const char*, const char*, const char*) {}
  void retired(const char* key, const nlohmann::json&) { keys_.emplace_back(key); }

 private:
  std::vector<std::string>& keys_;
};

// Sets the members of `config` whose keys the reader has; other members keep their values.
template <class T>
void read_fields(ConfigReader& reader, T& config) {
  FieldReader visitor(reader);
  fields(config, visitor);
}

template <class T>
nlohmann::json written_fields(T config) {
  nlohmann::json json = nlohmann::json::object();
  FieldWriter visitor(json);
  fields(config, visitor);
  return json;
}

template <class T>
std::vector<KeyText> listed_fields(T defaults = {}) {
  std::vector<KeyText> keys;
  FieldLister visitor(keys);
  fields(defaults, visitor);
  return keys;
}

template <class T>
std::vector<std::string> retired_fields() {
  std::vector<std::string> keys;
  RetiredLister visitor(keys);
  T config;
  fields(config, visitor);
  return keys;
}

}  // namespace minibert
