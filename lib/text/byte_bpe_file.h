// A byte-level BPE as Hugging Face's tokenizers keep it, in a tokenizer.json.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace minibert {

// A pair of piece ids that are joined; the joint piece is the one that both their texts make.
using PieceMerge = std::pair<int32_t, int32_t>;

struct ByteBpe {
  // By id, in GPT-2's letters (text/byte_words.h): the special pieces of text/pieces.h, then in a
  // vocabulary trained here byte_symbols() and what the merges make, in their order.
  std::vector<std::string> pieces;
  std::vector<PieceMerge> merges;  // the first is joined first
  bool space_first = true;         // a space is put before a text that does not begin with one
};

// What tells it from the other models: an object's "{".
bool is_tokenizer_json(std::string_view bytes);

// The pre-tokenizer of an exported file, JSON: a space goes before a text alone, not behind special pieces,
// as encoding here has it. read_tokenizer_json() reads it, too.
inline constexpr std::string_view kExportedByteWords =
    R"({"type":"Sequence","pretokenizers":[)"
    R"({"type":"Metaspace","replacement":" ","prepend_scheme":"first","split":false},)"
    R"({"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true}]})";

// BPE with ByteLevel pre-tokenizer and decoder, no normalizer; merges as
// "left right", which every version of Hugging Face's library reads.
std::string to_tokenizer_json(const ByteBpe& bpe);

// Throws Error naming `name` and the key: no JSON, another kind of tokenizer or one with a setting
// that ByteBpe does not have, more than 65536 pieces, ids that are not 0, 1, …, a special piece that is
// another or further ones, a byte without a piece, a merge whose halves or joint piece are missing, a
// piece that no merge makes.
ByteBpe read_tokenizer_json(std::string_view json, const std::string& name);

}  // namespace minibert
