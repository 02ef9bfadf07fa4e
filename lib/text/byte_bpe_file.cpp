#include "text/byte_bpe_file.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "core/error.h"
#include "core/files.h"
#include "text/byte_words.h"
#include "text/pieces.h"

namespace minibert {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr size_t kMostPieces = 65536;

std::string in_quotes(const std::string& text) { return "\"" + text + "\""; }

class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : name_(name) {
    try {
      json_ = parse_json(text);
    } catch (const Error& error) {
      fail(error.what());
    }
  }

  ByteBpe read() {
    check_settings();
    const json* space = find("pre_tokenizer.add_prefix_space");
    if (space != nullptr && !space->is_boolean())
      fail("pre_tokenizer.add_prefix_space", space, "true or false");
    bpe_.space_first = find("pre_tokenizer.pretokenizers") != nullptr || space == nullptr || *space;
    read_pieces();
    check_special_pieces();
    read_merges();
    for (size_t id = kFirstOrdinaryPiece; id < bpe_.pieces.size(); ++id)
      if (!made_.contains(static_cast<int32_t>(id)))
        fail("model.vocab: " + in_quotes(bpe_.pieces[id]) + ": is no byte, and no merge makes it");
    return std::move(bpe_);
  }

  void check_settings() const {
    expect("model.type", "BPE");
    if (const json* words = find("pre_tokenizer");
        words == nullptr || *words != json::parse(kExportedByteWords)) {
      expect("pre_tokenizer.type", "ByteLevel");
      expect_at_most("pre_tokenizer.use_regex", true);
    }
    expect("decoder.type", "ByteLevel");
    if (const json* found = find("normalizer")) fail("normalizer", found, "null");
    expect_at_most("model.dropout", 0.0);
    expect_at_most("model.continuing_subword_prefix", "");
    expect_at_most("model.end_of_word_suffix", "");
    expect_at_most("model.byte_fallback", false);
    expect_at_most("model.ignore_merges", false);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw Error(name_ + ": " + what); }
  [[noreturn]] void fail(const std::string& key, const json* found,
                         const std::string& expected) const {
    std::string seen = "nothing";
    if (found != nullptr) seen = found->is_structured() ? found->type_name() : found->dump();
    fail(key + ": found " + seen + ", expected " + expected);
  }

  // Finds the value of a path like "model.type"; null is nothing, as in Hugging Face's files.
  const json* find(const std::string& key) const {
    std::string path = "/" + key;
    std::ranges::replace(path, '.', '/');
    const json::json_pointer at(path);
    return json_.contains(at) && !json_.at(at).is_null() ? &json_.at(at) : nullptr;
  }

  void expect(const std::string& key, const json& value) const {
    const json* found = find(key);
    if (found == nullptr || *found != value) fail(key, found, value.dump());
  }
  // Missing, or of this value.
  void expect_at_most(const std::string& key, const json& value) const {
    if (find(key) != nullptr) expect(key, value);
  }

  void read_pieces() {
    const json* vocabulary = find("model.vocab");
    if (vocabulary == nullptr || !vocabulary->is_object())
      fail("model.vocab", vocabulary, "an object of pieces with their ids");
    const size_t size = vocabulary->size();
    if (size > kMostPieces)
      fail("model.vocab: found " + std::to_string(size) + " pieces, expected at most " +
           std::to_string(kMostPieces));
    bpe_.pieces.resize(size);
    std::vector<bool> taken(size, false);
    for (const auto& [piece, value] : vocabulary->items()) {
      const int64_t id = value.is_number_integer() ? value.get<int64_t>() : -1;
      if (id < 0 || id >= static_cast<int64_t>(size))
        fail("model.vocab: " + in_quotes(piece), &value, "an id in 0…" + std::to_string(size - 1));
      const auto at = static_cast<size_t>(id);
      if (taken[at])
        fail("model.vocab: " + in_quotes(bpe_.pieces[at]) + " and " + in_quotes(piece) +
             " both have the id " + std::to_string(id));
      taken[at] = true;
      bpe_.pieces[at] = piece;
      ids_[piece] = static_cast<int32_t>(id);
    }
  }

  void check_special_pieces() const {
    std::set<int64_t> added;
    const json* tokens = find("added_tokens");
    if (tokens == nullptr || !tokens->is_array())
      fail("added_tokens", tokens, "a list of the special pieces");
    for (const json& token : *tokens) {
      const json content = token.is_object() ? token.value("content", json()) : json();
      const json id = token.is_object() ? token.value("id", json()) : json();
      const auto name = std::ranges::find(
          kSpecialPieceNames, content.is_string() ? content.get<std::string>() : std::string());
      if (name == kSpecialPieceNames.end() || id != name - kSpecialPieceNames.begin())
        fail("added_tokens: found " + content.dump() + " with the id " + id.dump() +
             ", expected only [PAD], [UNK], [BOS], [EOS], [SEP], [CLS] and [MASK] as 0 to 6");
      // The space before [MASK] goes where a text is read, too (task/text_input.h).
      const bool is_mask = content == kSpecialPieceNames[kMask];
      for (const char* flag : {"lstrip", "rstrip", "single_word"})
        if (token.value(flag, json(false)) != false && !(is_mask && flag == std::string("lstrip")))
          fail("added_tokens: " + in_quotes(std::string(*name)) + ": " + flag, &token.at(flag),
               "false");
      added.insert(id.get<int64_t>());
    }
    for (size_t id = 0; id < kSpecialPieceNames.size(); ++id) {
      const std::string expected(kSpecialPieceNames[id]);
      if (id >= bpe_.pieces.size() || bpe_.pieces[id] != expected)
        fail("model.vocab: the piece " + std::to_string(id) + " is " +
             (id < bpe_.pieces.size() ? in_quotes(bpe_.pieces[id]) : "missing") + ", expected " +
             expected);
      if (!added.contains(static_cast<int64_t>(id)))
        fail("added_tokens: " + expected + " is missing");
    }
  }

  // The id of a piece that is no special one.
  int32_t ordinary(const std::string& piece, const std::string& where) const {
    const auto found = ids_.find(piece);
    if (found == ids_.end()) fail(where + "the vocabulary has no piece " + in_quotes(piece));
    if (found->second < kFirstOrdinaryPiece) fail(where + piece + " is a special piece");
    return found->second;
  }

  void read_merges() {
    for (const uint8_t byte : byte_symbols())
      made_.insert(ordinary(byte_letters({reinterpret_cast<const char*>(&byte), 1}),
                            "the byte " + std::to_string(byte) + ": "));
    const json* merges = find("model.merges");
    if (merges == nullptr || !merges->is_array())
      fail("model.merges", merges, "a list of merges, each \"left right\"");
    std::set<PieceMerge> seen;
    for (size_t i = 0; i < merges->size(); ++i) {
      const json& merge = (*merges)[i];
      const std::string where = "model.merges[" + std::to_string(i) + "]: ";
      const auto [left, right] = halves(merge, where);
      const PieceMerge pair = {ordinary(left, where), ordinary(right, where)};
      if (!seen.insert(pair).second) fail(where + merge.dump() + " is listed twice");
      bpe_.merges.push_back(pair);
      made_.insert(ordinary(left + right, where));
    }
  }

  // "left right", or ["left", "right"] as newer versions write it.
  std::pair<std::string, std::string> halves(const json& merge, const std::string& where) const {
    if (merge.is_string()) {
      const auto& text = merge.get_ref<const std::string&>();
      const size_t space = text.find(' ');
      if (space != std::string::npos) return {text.substr(0, space), text.substr(space + 1)};
    } else if (merge.is_array() && merge.size() == 2 && merge[0].is_string() &&
               merge[1].is_string()) {
      return {merge[0], merge[1]};
    }
    fail(where + "found " + (merge.is_structured() ? merge.type_name() : merge.dump()) +
         ", expected \"left right\"");
  }

  std::string name_;
  json json_;
  ByteBpe bpe_;
  std::unordered_map<std::string, int32_t> ids_;
  std::set<int32_t> made_;  // pieces that are bytes or come from merges
};

}  // namespace

bool is_tokenizer_json(std::string_view bytes) { return bytes.starts_with('{'); }

std::string to_tokenizer_json(const ByteBpe& bpe) {
  const ordered_json byte_level = {{"type", "ByteLevel"},
                                   {"add_prefix_space", bpe.space_first},
                                   {"trim_offsets", true},
                                   {"use_regex", true}};
  ordered_json added = ordered_json::array();
  for (size_t id = 0; id < kSpecialPieceNames.size(); ++id)
    added.push_back({{"id", id},
                     {"content", kSpecialPieceNames[id]},
                     {"single_word", false},
                     {"lstrip", false},
                     {"rstrip", false},
                     {"normalized", false},
                     {"special", true}});
  ordered_json::object_t
      vocabulary;  // a list of keys, which are not looked for when they are added
  for (size_t id = 0; id < bpe.pieces.size(); ++id) vocabulary.emplace_back(bpe.pieces[id], id);
  ordered_json merges = ordered_json::array();
  for (const auto& [left, right] : bpe.merges)
    merges.push_back(bpe.pieces[static_cast<size_t>(left)] + " " +
                     bpe.pieces[static_cast<size_t>(right)]);
  const ordered_json out = {{"version", "1.0"},
                            {"truncation", nullptr},
                            {"padding", nullptr},
                            {"added_tokens", std::move(added)},
                            {"normalizer", nullptr},
                            {"pre_tokenizer", byte_level},
                            {"post_processor", nullptr},
                            {"decoder", byte_level},
                            {"model",
                             {{"type", "BPE"},
                              {"dropout", nullptr},
                              {"unk_token", nullptr},
                              {"continuing_subword_prefix", nullptr},
                              {"end_of_word_suffix", nullptr},
                              {"fuse_unk", false},
                              {"byte_fallback", false},
                              {"ignore_merges", false},
                              {"vocab", std::move(vocabulary)},
                              {"merges", std::move(merges)}}}};
  return out.dump(1) + "\n";
}

ByteBpe read_tokenizer_json(std::string_view json, const std::string& name) {
  return Reader(json, name).read();
}

}  // namespace minibert
