// What several commands are given: texts, a tokenizer, a file to write.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace minibert {

// Adds the argument TEXT, any number of them. CLI11 takes "[광고] 좋아요 [클릭]" among several values of an
// option for a list in brackets; these stay as they are.
void add_texts(CLI::App& command, std::vector<std::string>* texts, const std::string& description);

// Calls `use` for each of `texts`, or where there are none for each line of standard input that is not
// empty, as they come. Throws a usage Error that names the argument or line: not UTF-8, blank.
void for_each_text(const std::vector<std::string>& texts,
                   const std::function<void(const std::string&)>& use);

// A SentencePiece model, a WordPiece vocabulary (vocab.txt) or a byte-level BPE (tokenizer.json),
// packed or not, or the one in a run record (.h5). Throws Error naming the path.
Tokenizer load_tokenizer(const std::string& path);

// Throws a usage Error when `out`, given with `flag`, is one of the inputs; `what` calls them "the
// record" or the like. An empty name is no file.
void refuse_same_file(const std::string& flag, const std::string& out, const std::string& what,
                      const std::vector<std::string>& inputs);

}  // namespace minibert
