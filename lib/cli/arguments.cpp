#include "cli/arguments.h"

#include <filesystem>
#include <iostream>
#include <system_error>

#include "core/error.h"
#include "core/utf8.h"
#include "record/run_record.h"
#include "text/byte_source.h"

namespace minibert {
namespace {

constexpr size_t kLargestModel = size_t{64} << 20;

void check(const std::string& text, const std::string& where) {
  if (const size_t bad = first_invalid_utf8(text); bad != kValid)
    throw usage_error(where + ": not valid UTF-8 at byte " + std::to_string(bad));
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw usage_error(where + ": is blank, expected text");
}

}  // namespace

void add_texts(CLI::App& command, std::vector<std::string>* texts, const std::string& description) {
  // One value is taken as it is; the others are what is left over.
  command.add_option_function<std::string>(
      "TEXT", [texts](const std::string& first) { texts->insert(texts->begin(), first); },
      description);
  command.allow_extras();
  command.parse_complete_callback([&command, texts] {
    bool options = true;  // until "--"
    for (const std::string& text : command.remaining()) {
      if (options && text == "--") {
        options = false;
        continue;
      }
      if (options && text.size() > 1 && text.front() == '-')
        throw CLI::ExtrasError(command.get_name(), {text});
      texts->push_back(text);
    }
  });
}

void for_each_text(const std::vector<std::string>& texts,
                   const std::function<void(const std::string&)>& use) {
  for (size_t i = 0; i < texts.size(); ++i) {
    check(texts[i], texts.size() == 1 ? "TEXT" : "TEXT " + std::to_string(i + 1));
    use(texts[i]);
  }
  if (!texts.empty()) return;
  size_t number = 0;
  for (std::string line; std::getline(std::cin, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    check(line, "line " + std::to_string(number));
    use(line);
    std::cout.flush();
  }
}

Tokenizer load_tokenizer(const std::string& path) {
  if (!path.ends_with(".h5"))
    return Tokenizer::from_bytes(read_unpacked(path, kLargestModel), path);
  return Tokenizer::from_bytes(load_record(path).tokenizer_model, path);
}

void refuse_same_file(const std::string& flag, const std::string& out, const std::string& what,
                      const std::vector<std::string>& inputs) {
  std::error_code absent;  // a file that is not there is not the other
  for (const std::string& input : inputs)
    if (std::filesystem::equivalent(input, out, absent))
      throw usage_error(flag + " " + out + ": is " + what + " itself, expected another file");
}

}  // namespace minibert
