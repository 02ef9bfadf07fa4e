#include "checkpoint/tokenizer_json.h"

#include <algorithm>
#include <tuple>

#include "core/base64.h"
#include "core/error.h"
#include "core/files.h"
#include "core/utf8.h"
#include "text/byte_bpe_file.h"
#include "text/sentencepiece_file.h"

namespace minibert {
namespace {

using nlohmann::ordered_json;

// Before [MASK] the space goes, since it stands for a word with its space (task/text_input.cpp).
ordered_json added_piece(const Tokenizer& tokenizer, int32_t id) {
  return {{"id", id},
          {"content", tokenizer.piece(id)},
          {"single_word", false},
          {"lstrip", id == tokenizer.special().mask},
          {"rstrip", false},
          {"normalized", false},
          {"special", true}};
}

ordered_json post_processor(const Tokenizer& tokenizer) {
  const auto special = [](const char* id, int segment) -> ordered_json {
    return {{"SpecialToken", {{"id", id}, {"type_id", segment}}}};
  };
  const auto text = [](const char* id, int segment) -> ordered_json {
    return {{"Sequence", {{"id", id}, {"type_id", segment}}}};
  };
  const auto entry = [&](const char* name, int32_t id) -> ordered_json {
    return {{"id", name}, {"ids", {id}}, {"tokens", {name}}};
  };
  ordered_json one = ordered_json::array({special("[CLS]", 0), text("A", 0), special("[SEP]", 0)});
  ordered_json two = one;
  two.push_back(text("B", 1));
  two.push_back(special("[SEP]", 1));
  return {{"type", "TemplateProcessing"},
          {"single", one},
          {"pair", two},
          {"special_tokens",
           {{"[CLS]", entry("[CLS]", tokenizer.special().cls)},
            {"[SEP]", entry("[SEP]", tokenizer.special().sep)}}}};
}

// Returns every way to make a piece from two, by the first piece: SentencePiece joins any two
// neighbours that make the best piece, the library only listed pairs.
ordered_json merges_of(const Tokenizer& tokenizer, const SentencePieceFile& file) {
  std::vector<int32_t> order;
  for (int32_t id = kFirstOrdinaryPiece; id < tokenizer.size(); ++id)
    if (file.pieces[static_cast<size_t>(id)].type == kNormalPiece) order.push_back(id);
  std::ranges::stable_sort(order, std::greater(), [&](int32_t id) { return tokenizer.score(id); });
  ordered_json merges = ordered_json::array();
  for (const int32_t id : order) {
    const std::string& whole = tokenizer.piece(id);
    std::vector<std::tuple<int32_t, int32_t>> pairs;
    const std::vector<uint32_t> ends = code_point_offsets(whole);
    for (size_t i = 1; i + 1 < ends.size(); ++i) {
      const int32_t left = tokenizer.id(whole.substr(0, ends[i]));
      const int32_t right = tokenizer.id(whole.substr(ends[i]));
      if (left != kUnk && right != kUnk) pairs.emplace_back(left, right);
    }
    std::ranges::sort(pairs);
    for (const auto& [left, right] : pairs)
      merges.push_back({tokenizer.piece(left), tokenizer.piece(right)});
  }
  return merges;
}

ordered_json bpe_model(const Tokenizer& tokenizer, const SentencePieceFile& file) {
  ordered_json::object_t vocabulary;
  for (int32_t id = 0; id < tokenizer.size(); ++id)
    vocabulary.emplace_back(tokenizer.piece(id), id);
  return {{"type", "BPE"},
          {"dropout", nullptr},
          {"unk_token", "[UNK]"},
          {"continuing_subword_prefix", nullptr},
          {"end_of_word_suffix", nullptr},
          {"fuse_unk", true},
          {"byte_fallback", file.byte_fallback},
          {"ignore_merges", false},
          {"vocab", std::move(vocabulary)},
          {"merges", merges_of(tokenizer, file)}};
}

ordered_json unigram_model(const Tokenizer& tokenizer, const SentencePieceFile& file) {
  ordered_json vocabulary = ordered_json::array();
  for (int32_t id = 0; id < tokenizer.size(); ++id)
    vocabulary.push_back({tokenizer.piece(id), double{tokenizer.score(id)}});
  return {{"type", "Unigram"},
          {"unk_id", kUnk},
          {"vocab", std::move(vocabulary)},
          {"byte_fallback", file.byte_fallback}};
}

// SentencePiece's normalizer. The library looks its table up a character at a time, so that letters
// which several characters make are composed first. A leading space stays, as SentencePiece's own.
ordered_json normalizer_of(const SentencePieceFile& file) {
  ordered_json steps = ordered_json::array();
  if (!file.charsmap.empty()) {
    if (file.normalization.find("nfkc") != std::string::npos) steps.push_back({{"type", "NFC"}});
    steps.push_back({{"type", "Precompiled"}, {"precompiled_charsmap", base64(file.charsmap)}});
  }
  if (file.collapse_spaces) {
    steps.push_back({{"type", "Replace"}, {"pattern", {{"Regex", " {2,}"}}}, {"content", " "}});
    steps.push_back({{"type", "Strip"}, {"strip_left", false}, {"strip_right", true}});
  }
  return {{"type", "Sequence"}, {"normalizers", std::move(steps)}};
}

void check_model(const SentencePieceFile& file, const std::string& name) {
  const auto refuse = [&](const std::string& what) {
    throw usage_error(name + ": tokenizer: " + what);
  };
  if (file.model_type != kBpeModel && file.model_type != kUnigramModel)
    refuse("found a SentencePiece model of words or characters, expected BPE or unigram");
  if (file.space_behind) refuse("found treat_whitespace_as_suffix, expected ▁ before words");
  if (!file.space_before_text) refuse("found add_dummy_prefix false, expected true");
  if (!file.spaces_are_pieces) refuse("found escape_whitespaces false, expected true");
}

}  // namespace

std::string with_special_pieces(const std::string& json, const Tokenizer& tokenizer) {
  ordered_json out = ordered_json::parse(json);
  out["post_processor"] = post_processor(tokenizer);
  return out.dump(1) + "\n";
}

std::string byte_bpe_tokenizer_json(const Tokenizer& tokenizer) {
  const ByteBpe bpe = read_tokenizer_json(tokenizer.bytes(), "tokenizer");
  ordered_json out = ordered_json::parse(to_tokenizer_json(bpe));
  for (ordered_json& token : out["added_tokens"])
    token = added_piece(tokenizer, token.at("id").get<int32_t>());
  if (bpe.space_first) out["pre_tokenizer"] = ordered_json::parse(kExportedByteWords);
  out["post_processor"] = post_processor(tokenizer);
  return out.dump(1) + "\n";
}

std::string sentencepiece_tokenizer_json(const Tokenizer& tokenizer, const std::string& name) {
  const SentencePieceFile file = read_sentencepiece_file(tokenizer.bytes(), name);
  check_model(file, name);
  ordered_json added = ordered_json::array();
  for (int32_t id = 0; id < kFirstOrdinaryPiece; ++id) added.push_back(added_piece(tokenizer, id));
  const ordered_json spaces = {{"type", "Metaspace"},
                               {"replacement", kSpacePiece},
                               {"prepend_scheme", "first"},
                               {"split", true}};
  ordered_json decoder = spaces;
  if (file.byte_fallback)
    decoder = {{"type", "Sequence"},
               {"decoders", {{{"type", "ByteFallback"}}, {{"type", "Fuse"}}, spaces}}};
  const ordered_json out = {
      {"version", "1.0"},
      {"truncation", nullptr},
      {"padding", nullptr},
      {"added_tokens", std::move(added)},
      {"normalizer", normalizer_of(file)},
      {"pre_tokenizer", spaces},
      {"post_processor", post_processor(tokenizer)},
      {"decoder", std::move(decoder)},
      {"model",
       file.model_type == kBpeModel ? bpe_model(tokenizer, file) : unigram_model(tokenizer, file)}};
  return out.dump(1) + "\n";
}

}  // namespace minibert
