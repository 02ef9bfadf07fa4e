// Reads JSON into structs without exceptions; a missing or malformed member keeps its default.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "infer/result_fields.h"
#include "words/words.h"

namespace minibert::page {

using Json = nlohmann::json;

inline void read(const Json& json, std::string* out) {
  if (json.is_string()) *out = json.get<std::string>();
}

inline void read(const Json& json, bool* out) {
  if (json.is_boolean()) *out = json.get<bool>();
}

template <class Number>
requires std::is_arithmetic_v<Number>
void read(const Json& json, Number* out) {
  if (json.is_number()) *out = json.get<Number>();
}

// Reads a result of the engine. Offsets are UTF-16 units, as in the page's engine.
template <infer::HasFields Result>
void read(const Json& json, Result* out);

template <class Value>
void read(const Json& json, std::vector<Value>* out) {
  if (!json.is_array()) return;
  for (const Json& element : json) {
    if (infer::HasFields<Value> && !element.is_object()) continue;
    read(element, &out->emplace_back());
  }
}

// Reads the object's member of this name, if it has one.
template <class Value>
void read(const Json& object, const char* name, Value* out) {
  if (const auto found = object.find(name); found != object.end()) read(*found, out);
}

template <infer::HasFields Result>
void read(const Json& json, Result* out) {
  infer::Fields<Result>::visit(*out,
                               [&](const char* name, auto& member) { read(json, name, &member); });
}

// {"ko": …, "en": …}
inline void read(const Json& json, Bilingual* out) {
  read(json, "ko", &out->korean);
  read(json, "en", &out->english);
}

}  // namespace minibert::page
