// Texts that a command is given, as arguments or on standard input.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace minibert {

// Adds the argument TEXT, any number of them. CLI11 takes "[광고] 좋아요 [클릭]" among several values of an
// option for a list in brackets; these stay as they are.
void add_texts(CLI::App& command, std::vector<std::string>* texts, const std::string& description);

// Calls `use` for each of `texts`, or where there are none for each line of standard input that is not
// empty, as they come. Throws a usage Error that names the argument or line: not UTF-8, blank.
void for_each_text(const std::vector<std::string>& texts,
                   const std::function<void(const std::string&)>& use);

}  // namespace minibert
