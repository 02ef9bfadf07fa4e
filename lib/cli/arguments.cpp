#include "cli/arguments.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "core/error.h"
#include "core/file_kind.h"
#include "core/shipped_files.h"
#include "core/text.h"
#include "core/utf8.h"
#include "data/files/text_encoding.h"
#include "record/run_record.h"
#include "text/byte_source.h"
#include "text/python_text.h"

namespace minibert {
namespace {

// After this many unreadable first lines the rest is not tried.
constexpr size_t kMostUnread = 10;

constexpr size_t kLargestModel = size_t{64} << 20;

// In the place of a line's result.
void print_no_result(const std::string& line, const std::string& why, bool json) {
  if (json) {
    const nlohmann::ordered_json object = {{"text", line}, {"error", why}};
    std::cout << object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  std::cout << "\n" << std::flush;
}

}  // namespace

void check_text(const std::string& text, const std::string& where) {
  if (const size_t bad = first_invalid_utf8(text); bad != kValid)
    throw usage_error(where + ": not valid UTF-8 at byte " + std::to_string(bad));
  if (strip(text).empty()) throw usage_error(where + ": is blank, expected text");
}

void warn_of_file(const std::string& text, const std::string& way) {
  std::error_code ignored;  // a text may be too long for a name
  if (std::filesystem::is_regular_file(text, ignored))
    spdlog::warn("{} is a file, and its name is read as the text; {}", text, way);
}

CLI::Option* add_record(CLI::App& command, const std::string& name, std::string* path,
                        const std::string& description) {
  return command.add_option(name, *path, description)->transform(shipped_path);
}

void add_tokenizer_file(CLI::App& command, const std::string& name, std::string* path) {
  add_record(command, name, path,
             "SentencePiece model, vocab.txt, tokenizer.json or run record (.h5)")
      ->required();
}

void add_texts(CLI::App& command, std::vector<std::string>* texts, const std::string& description) {
  // One value is taken as it is; the others are the remaining arguments.
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

void read_lines(const std::function<void(const std::string& line, size_t number)>& use) {
  size_t number = 0;
  for (std::string line; next_line(std::cin, &line);) {
    if (++number == 1) drop_byte_order_mark(&line);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    use(line, number);
  }
}

void for_each_line(
    bool json, const std::function<void(const std::string& text, const std::string& where)>& use) {
  size_t lines = 0, read = 0, unread = 0;  // blank ones are counted as lines alone
  std::optional<Error> last;  // of the line before; whether another one comes is not known yet
  std::string refused;        // that line
  const auto tell = [&] {
    if (!last) return;
    spdlog::warn("{}", last->what());
    print_no_result(refused, last->what(), json);
    last.reset();
  };
  read_lines([&](const std::string& line, size_t number) {
    const std::string where = "line " + std::to_string(number);
    tell();
    ++lines;
    if (strip(line).empty()) return print_no_result(line, "is blank, expected text", json);
    try {
      if (const size_t bad = first_invalid_utf8(line); bad != kValid)
        throw usage_error(where + ": not valid UTF-8 at byte " + std::to_string(bad) +
                          "; --in FILE reads CP949 and UTF-16; to convert a file: iconv "
                          "-f CP949 -t UTF-8 FILE");
      use(line, where);
      std::cout.flush();
      ++read;
    } catch (const Error& error) {
      const bool hopeless = ++unread == kMostUnread && read == 0;
      if (error.kind() != ErrorKind::usage || hopeless) throw;
      last = error;
      refused = line;
      if (isatty(STDIN_FILENO) == 1) tell();  // who types waits for it
    }
  });
  if (last && unread == 1) {
    if (lines > 1) print_no_result(refused, last->what(), json);
    throw Error(*last);
  }
  tell();
  if (unread > 0)
    throw usage_error(std::to_string(unread) + " of " + std::to_string(read + unread) +
                      " lines could not be read: see above");
}

void for_each_text(
    const std::vector<std::string>& texts, bool json,
    const std::function<void(const std::string& text, const std::string& where)>& use) {
  for (size_t i = 0; i < texts.size(); ++i) {
    const std::string where = texts.size() == 1 ? "TEXT" : "TEXT " + std::to_string(i + 1);
    check_text(texts[i], where);
    use(texts[i], where);
  }
  if (texts.empty()) for_each_line(json, use);
}

std::string text_or_file(const std::string& given, const std::string& flag) {
  std::string text = given;
  if (given.starts_with("@@"))
    text.erase(0, 1);
  else if (given.starts_with("@"))
    text = read_decoded(given.substr(1)).text;
  check_text(text, flag);
  return text;
}

Tokenizer load_tokenizer(const std::string& path) {
  if (!is_hdf5(path)) return Tokenizer::from_bytes(read_unpacked(path, kLargestModel), path);
  return Tokenizer::from_bytes(load_record(path).tokenizer_model, path);
}

void refuse_same_file(const std::string& flag, const std::string& out, const std::string& what,
                      const std::vector<std::string>& inputs) {
  std::error_code absent;  // a file that is not there is not the other
  for (const std::string& input : inputs)
    if (std::filesystem::equivalent(input, out, absent))
      throw usage_error(flag + " " + out + ": is " + what + " itself, expected another file");
}

void refuse_record(const std::string& flag, const std::string& out) {
  if (std::filesystem::is_regular_file(out) && is_hdf5(out))
    throw usage_error(flag + " " + out + ": is a stored run, expected another file");
}

}  // namespace minibert
