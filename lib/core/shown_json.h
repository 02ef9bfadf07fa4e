// JSON that is printed for whoever asked.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace minibert {

// JSON as dump(indent) writes it, whatever is in it: bytes that are no UTF-8, as names of files may have them, become
// U+FFFD, where dump() would throw.
template <class Json>
std::string shown_json(const Json& json, int indent = 2) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace minibert
