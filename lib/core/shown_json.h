// Prints JSON for users.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace minibert {

// Writes JSON like dump(indent), but never throws: bytes that are not UTF-8, as in some file names,
// become U+FFFD.
template <class Json>
std::string shown_json(const Json& json, int indent = 2) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace minibert
