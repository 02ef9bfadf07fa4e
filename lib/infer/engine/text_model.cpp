#include "infer/engine/text_model.h"

#include <string>
#include <utility>

namespace minibert::infer {

Status TextModel::load(std::span<const uint8_t> file, Kernel kernel) {
  TextModel loaded;
  loaded.model = std::make_unique<Model>();
  Status status = loaded.model->load(file);
  if (status.ok()) status = loaded.tokenizer.load(loaded.model->tokenizer());
  if (!status.ok()) return status;
  const int32_t pieces = loaded.model->config().vocab_size;
  if (loaded.tokenizer.size() != pieces)
    return Status::error("the tokenizer has " + std::to_string(loaded.tokenizer.size()) +
                         " pieces, the model " + std::to_string(pieces));
  loaded.use_kernel(kernel);
  *this = std::move(loaded);
  return {};
}

}  // namespace minibert::infer
