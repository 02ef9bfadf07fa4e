// Loads a model file for its error.
#pragma once

#include <string>

#include "export/mbq_export.h"
#include "infer/fill_mask.h"

namespace minibert::test {

// Returns the loader's error, or "".
template <class Engine = infer::FillMask>
std::string load_error(const std::string& bytes) {
  const AlignedBytes file(bytes);
  Engine model;
  const auto status = model.load(file.span());
  return status.ok() ? "" : status.message();
}

}  // namespace minibert::test
