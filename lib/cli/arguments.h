// Arguments of several commands: texts, a tokenizer, an output file.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace minibert {

// Adds an option or argument for a stored run or model; shipped ones are found from any folder.
CLI::Option* add_record(CLI::App& command, const std::string& name, std::string* path,
                        const std::string& description);

// Adds the required option for a tokenizer, as load_tokenizer() reads it; finds shipped records alike.
void add_tokenizer_file(CLI::App& command, const std::string& name, std::string* path);

// Adds the argument TEXT, any number of times. CLI11 would split "[광고] 좋아요 [클릭]" among several
// values of an option as a list in brackets; these texts stay whole.
void add_texts(CLI::App& command, std::vector<std::string>* texts, const std::string& description);

// Throws a usage Error if a text, which `where` names, is not UTF-8 or is blank.
void check_text(const std::string& text, const std::string& where);

// Warns if a text is a file's name: its contents were probably meant; `way` tells how to pass them.
void warn_of_file(const std::string& text, const std::string& way);

// The `way` of commands that read tables.
inline constexpr char kReadByIn[] = "--in FILE --out FILE reads it";

// Calls `use` for each line of standard input without line end and byte order mark; counts from 1.
void read_lines(const std::function<void(const std::string& line, size_t number)>& use);

// Calls `use` for each line of standard input; `where` is "line 3". Each line gives one result: a
// blank line, or one that `use` refuses with a usage Error, gives an empty line on standard output,
// with `json` {"text", "error"}. A refused line is reported on stderr, and the next one is read.
// Throws a usage Error at the end if a line was refused, and at once if none of the first ten could
// be read. A line that is not UTF-8 is refused.
void for_each_line(
    bool json, const std::function<void(const std::string& text, const std::string& where)>& use);

// Does the same for each of `texts`, "TEXT" or "TEXT 3"; without texts, for each line.
void for_each_text(
    const std::vector<std::string>& texts, bool json,
    const std::function<void(const std::string& text, const std::string& where)>& use);

// Returns the text given with `flag`: itself, or behind "@" the contents of a file, in any encoding
// of read_decoded(); "@@" begins a text with "@". Throws like check_text.
std::string text_or_file(const std::string& given, const std::string& flag);

// Loads a SentencePiece model, a WordPiece vocabulary (vocab.txt) or a byte-level BPE
// (tokenizer.json), packed or not, or a run record's tokenizer (.h5). Throws Error naming the path.
Tokenizer load_tokenizer(const std::string& path);

// Throws a usage Error if `out`, given with `flag`, is one of the inputs, which `what` calls "the
// record" or the like. An empty name is no file.
void refuse_same_file(const std::string& flag, const std::string& out, const std::string& what,
                      const std::vector<std::string>& inputs);
// Throws a usage Error if `out` is an HDF5 file, such as a stored run, which writing would replace.
void refuse_record(const std::string& flag, const std::string& out);

}  // namespace minibert
