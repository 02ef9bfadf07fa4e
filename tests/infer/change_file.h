// Model files with one change, for tests of the loader's refusals.
#pragma once

#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
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

inline std::span<const uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// Sets the checksum to the present contents' if the header has one.
inline std::string with_header_text(std::string text, const std::string& data) {
  while ((8 + text.size()) % 16 != 0) text += ' ';
  const uint64_t size = text.size();
  std::string file = std::string(reinterpret_cast<const char*>(&size), 8) + text + data;
  const std::string key = "\"crc32\":\"", none = "00000000";
  if (const size_t at = file.find(key);
      at != file.npos && file[at + key.size() + none.size()] == '"') {
    file.replace(at + key.size(), none.size(), none);
    file.replace(at + key.size(), none.size(), infer::crc32_text(infer::crc32(bytes_of(file))));
  }
  return file;
}

inline std::string changed_header(const std::string& good,
                                  const std::function<void(nlohmann::json&)>& change) {
  nlohmann::json header = header_of(good);
  change(header);
  return with_header_text(header.dump(), data_of(good));
}

// A discarded value removes the key, here and below.
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

// Changes a key of the JSON text `text` in the metadata.
inline std::string changed_json(const std::string& good, const std::string& text,
                                const std::string& key, const nlohmann::json& value) {
  nlohmann::json object =
      nlohmann::json::parse(header_of(good)["__metadata__"][text].get<std::string>());
  set(object, key, value);
  return changed_metadata(good, text, object.dump());
}

// Changes the first number of a float32 tensor.
inline std::string changed_float(const std::string& good, const std::string& tensor, float value) {
  const nlohmann::json header = header_of(good);
  std::string data = data_of(good);
  const size_t at = header[tensor]["data_offsets"][0];
  std::memcpy(data.data() + at, &value, sizeof(value));
  return with_header_text(header.dump(), data);
}

}  // namespace minibert::test
