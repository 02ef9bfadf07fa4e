#include "cli/load_tokenizer.h"

#include "record/run_record.h"
#include "text/byte_source.h"

namespace minibert {
namespace {

constexpr size_t kLargestModel = size_t{64} << 20;

}  // namespace

Tokenizer load_tokenizer(const std::string& path) {
  if (!path.ends_with(".h5"))
    return Tokenizer::from_bytes(read_unpacked(path, kLargestModel), path);
  return Tokenizer::from_bytes(load_record(path).tokenizer_model, path);
}

}  // namespace minibert
