// Reads and writes byte-level BPE in the tokenizer.json of Hugging Face's tokenizers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace minibert {

// A pair of piece ids; they join to the piece whose text is both texts in a row.
using PieceMerge = std::pair<int32_t, int32_t>;

struct ByteBpe {
  // By id, in GPT-2's letters (text/byte_words.h). A vocabulary trained here holds the special
  // pieces of text/pieces.h, then byte_symbols(), then the merged pieces in merge order.
  std::vector<std::string> pieces;
  std::vector<PieceMerge> merges;  // the first is joined first
  bool space_first = true;         // puts a space before a text that begins without one
};

// Returns true if the bytes begin a JSON object ("{"), which no other tokenizer file does.
bool is_tokenizer_json(std::string_view bytes);

// The pre-tokenizer (JSON) of an exported file. It puts a space only before a text, not behind
// special pieces, as encode() does. read_tokenizer_json() reads it, too.
inline constexpr std::string_view kExportedByteWords =
    R"({"type":"Sequence","pretokenizers":[)"
    R"({"type":"Metaspace","replacement":" ","prepend_scheme":"first","split":false},)"
    R"({"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true}]})";

// Writes a BPE with ByteLevel pre-tokenizer and decoder and without a normalizer. Merges are
// written as "left right", which every version of Hugging Face's library reads.
std::string to_tokenizer_json(const ByteBpe& bpe);

// Reads a tokenizer.json. Throws Error naming `name` and the key for: text that is not JSON,
// another kind of tokenizer, a setting that ByteBpe lacks, more than 65536 pieces, ids other than
// 0, 1, …, a different or further special piece, a byte without a piece, a merge whose halves or
// joint piece are missing, and a piece that no merge makes.
ByteBpe read_tokenizer_json(std::string_view json, const std::string& name);

}  // namespace minibert
