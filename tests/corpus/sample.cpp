#include "corpus/sample.h"

#include "core/files.h"
#include "text/line_reader.h"

namespace minibert::testing {

const Tokenizer& sample_tokenizer() {
  static const Tokenizer tokenizer =
      Tokenizer::from_bytes(train_tokenizer({kSampleText}, {.vocab_size = 2000}, true));
  return tokenizer;
}

PieceRoles course_roles(const std::vector<uint8_t>& starts) {
  std::vector<uint8_t> roles = {kNoText, kNoText, kNoText, kNoText, kIsSep, kIsCls, kIsMask};
  for (size_t id = roles.size(); id < starts.size(); ++id)
    roles.push_back(starts[id] != 0 ? kStartsWord : kContinuesWord);
  return PieceRoles(std::move(roles));
}

std::vector<std::string> read_lines(const std::string& path) {
  LineReader reader(path);
  std::vector<std::string> lines;
  for (std::string line; reader.next(&line);) lines.push_back(line);
  return lines;
}

std::string text_file(const Scratch& folder, const std::string& name, const std::string& text) {
  const std::string path = folder / name;
  write_file_atomically(path, text);
  return path;
}

std::string repeated_sample(const Scratch& folder, int times) {
  const std::string sample = read_file(kSampleText);
  std::string text;
  for (int i = 0; i < times; ++i) text += sample + "\n";
  return text_file(folder, "repeated.txt", text);
}

}  // namespace minibert::testing
