// What several commands are given: texts, a tokenizer, a file to write.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace minibert {

// Adds an option or argument that names a stored run or a model to read: what the repository ships is found from any
// folder.
CLI::Option* add_record(CLI::App& command, const std::string& name, std::string* path,
                        const std::string& description);

// Adds the argument TEXT, any number of them. CLI11 takes "[광고] 좋아요 [클릭]" among several values of an
// option for a list in brackets; these stay as they are.
void add_texts(CLI::App& command, std::vector<std::string>* texts, const std::string& description);

// A text of an argument, which `where` names. Throws a usage Error where it is not UTF-8 or blank.
void check_text(const std::string& text, const std::string& where);

// Warns where a text names a file, which was likely to be read itself; `way` says how that is done.
void warn_of_file(const std::string& text, const std::string& way);

// The way of commands that read tables.
inline constexpr char kReadByIn[] = "--in FILE --out FILE reads it";

// Calls `use` for each line of standard input as they come, without line ends and the byte order mark at
// the start; numbers count from 1.
void read_lines(const std::function<void(const std::string& line, size_t number)>& use);

// Calls `use` for each line of standard input; `where` is "line 3". A line that is blank, or that `use` refuses with a
// usage Error, gives no result and gets a placeholder on standard output, so that each line gives one: an empty line,
// with `json` {"text", "error"}. A refused line is told on stderr and the next one read; at the end a usage Error is
// thrown, and at once where none of the first ten lines could be read. A line that is not UTF-8 is refused.
void for_each_line(
    bool json, const std::function<void(const std::string& text, const std::string& where)>& use);

// The same for each of `texts`, "TEXT" or "TEXT 3", and where there are none for each line.
void for_each_text(
    const std::vector<std::string>& texts, bool json,
    const std::function<void(const std::string& text, const std::string& where)>& use);

// A text that is given with `flag`: as it stands, or behind "@" a file, in any encoding of read_decoded();
// "@@" stands for a text that begins with "@". Throws as check_text.
std::string text_or_file(const std::string& given, const std::string& flag);

// A SentencePiece model, a WordPiece vocabulary (vocab.txt) or a byte-level BPE (tokenizer.json),
// packed or not, or the one in a run record (.h5). Throws Error naming the path.
Tokenizer load_tokenizer(const std::string& path);

// Throws a usage Error when `out`, given with `flag`, is one of the inputs; `what` calls them "the
// record" or the like. An empty name is no file.
void refuse_same_file(const std::string& flag, const std::string& out, const std::string& what,
                      const std::vector<std::string>& inputs);
// Throws a usage Error where `out` is an HDF5 file, as stored runs are, which what is written would replace.
void refuse_record(const std::string& flag, const std::string& out);

}  // namespace minibert
