// The error of ConfigReader.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "core/error.h"

namespace minibert {

// A usage error that also tells which key is wrong.
class KeyError : public Error {
 public:
  KeyError(const std::string& file, std::string path, std::string reason, nlohmann::json value)
      : Error(file + ": " + path + ": " + reason, ErrorKind::usage),
        path_(std::move(path)),
        reason_(std::move(reason)),
        value_(std::move(value)) {}
  const std::string& path() const { return path_; }       // "arms[1].train.epochs"
  const std::string& reason() const { return reason_; }   // what was found and expected
  const nlohmann::json& value() const { return value_; }  // null if the key is missing

 private:
  std::string path_, reason_;
  nlohmann::json value_;
};

}  // namespace minibert
