#include "infer/engine/text_model.h"

#include <string>
#include <utility>

namespace minibert::infer {

void frame(std::vector<Token>* tokens) {
  tokens->insert(tokens->begin(), {kClassifierId, "[CLS]", 0, 0});
  tokens->push_back({kSeparatorId, "[SEP]", 0, 0});
}

Status check_length(const std::vector<Token>& tokens, int32_t most) {
  if (tokens.size() <= 2) return Status::error("the text is empty", Problem::empty_text);
  if (tokens.size() > static_cast<size_t>(most))
    return Status::too_many("the text is too long: found " + std::to_string(tokens.size()) +
                                " pieces with [CLS] and [SEP], expected at most " +
                                std::to_string(most),
                            Problem::text_too_long, tokens.size(), static_cast<size_t>(most));
  return {};
}

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
