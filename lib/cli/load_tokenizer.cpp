#include "cli/load_tokenizer.h"

#include "record/run_record.h"

namespace minibert {

Tokenizer load_tokenizer(const std::string& path) {
  if (!path.ends_with(".h5")) return Tokenizer::from_file(path);
  return Tokenizer::from_bytes(load_record(path).tokenizer_model, path);
}

}  // namespace minibert
