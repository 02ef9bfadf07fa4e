// Loads a model file into the engine, for code that measures the engine.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/error.h"
#include "infer/format/status.h"

namespace minibert {

// Kind: infer::Answerer, infer::Classifier, infer::Tagger or infer::Model. Throws the loader's
// Error.
template <class Kind>
std::unique_ptr<Kind> load_engine(std::span<const uint8_t> file) {
  auto model = std::make_unique<Kind>();
  const infer::Status status = model->load(file);
  if (!status.ok()) throw Error(status.message());
  return model;
}

}  // namespace minibert
