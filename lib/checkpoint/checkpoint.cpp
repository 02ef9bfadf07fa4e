#include "checkpoint/checkpoint.h"

#include "core/error.h"
#include "text/tokenizer.h"

namespace minibert {

void check_tokenizer(const std::string& bytes, const std::string& file, int64_t vocab_size,
                     const std::string& where) {
  const int32_t pieces = Tokenizer::from_bytes(bytes, file).size();
  if (pieces != vocab_size)
    throw Error(file + ": found " + std::to_string(pieces) + " pieces, expected " +
                std::to_string(vocab_size) + " as " + where);
}

std::string shape_text(const std::vector<int64_t>& shape) { return nlohmann::json(shape).dump(); }

}  // namespace minibert
