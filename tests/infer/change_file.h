// Model files with one thing changed, for tests of what the loader refuses.
#pragma once

#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "infer/format/crc32.h"

namespace minibert::test {

inline nlohmann::json header_of(const std::string& file) {
  uint64_t size = 0;
  std::memcpy(&size, file.data(), 8);
  return nlohmann::json::parse(file.substr(8, size));
}

inline std::string data_of(const std::string& file) {
  uint64_t size = 0;
  std::memcpy(&size, file.data(), 8);
  return file.substr(8 + size);
}

inline std::string with_header_text(std::string text, const std::string& data) {
  while ((8 + text.size()) % 16 != 0) text += ' ';
  const uint64_t size = text.size();
  return std::string(reinterpret_cast<const char*>(&size), 8) + text + data;
}

inline std::string changed_header(const std::string& good,
                                  const std::function<void(nlohmann::json&)>& change) {
  nlohmann::json header = header_of(good);
  change(header);
  return with_header_text(header.dump(), data_of(good));
}

// A discarded value takes the key away, here and below.
inline void set(nlohmann::json& object, const std::string& key, const nlohmann::json& value) {
  if (value.is_discarded()) {
    object.erase(key);
  } else {
    object[key] = value;
  }
}

inline std::string changed_metadata(const std::string& good, const std::string& key,
                                    const nlohmann::json& value) {
  return changed_header(good,
                        [&](nlohmann::json& header) { set(header["__metadata__"], key, value); });
}

// A key of the JSON text that stands in the metadata as `text`.
inline std::string changed_json(const std::string& good, const std::string& text,
                                const std::string& key, const nlohmann::json& value) {
  nlohmann::json object =
      nlohmann::json::parse(header_of(good)["__metadata__"][text].get<std::string>());
  set(object, key, value);
  return changed_metadata(good, text, object.dump());
}

// The first number of a float32 tensor.
inline std::string changed_float(const std::string& good, const std::string& tensor, float value) {
  nlohmann::json header = header_of(good);
  std::string data = data_of(good);
  const size_t at = header[tensor]["data_offsets"][0];
  std::memcpy(data.data() + at, &value, sizeof(value));
  header["__metadata__"]["crc32"] =
      infer::crc32_text({reinterpret_cast<const uint8_t*>(data.data()), data.size()});
  return with_header_text(header.dump(), data);
}

}  // namespace minibert::test
