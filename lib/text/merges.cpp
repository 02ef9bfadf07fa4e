#include "text/merges.h"

#include <map>

#include "core/error.h"
#include "core/utf8.h"

namespace minibert {
namespace {

std::vector<std::string> characters(const std::string& piece) {
  const std::vector<uint32_t> offsets = code_point_offsets(piece);
  std::vector<std::string> out;
  for (size_t i = 0; i + 1 < offsets.size(); ++i)
    out.push_back(piece.substr(offsets[i], offsets[i + 1] - offsets[i]));
  return out;
}

std::vector<Merge> byte_merges(const Tokenizer& tokenizer, size_t count) {
  std::vector<Merge> merges;
  for (const auto& [left, right] : tokenizer.merges()) {
    if (merges.size() == count) break;
    const int32_t both = tokenizer.id(tokenizer.piece(left) + tokenizer.piece(right));
    merges.push_back({merges.size() + 1, tokenizer.readable(left), tokenizer.readable(right),
                      tokenizer.readable(both)});
  }
  return merges;
}

}  // namespace

std::vector<Merge> first_merges(const Tokenizer& tokenizer, size_t count) {
  if (!tokenizer.is_bpe()) throw usage_error("the tokenizer is not BPE, so it has no merges");
  if (tokenizer.is_byte_bpe()) return byte_merges(tokenizer, count);
  std::vector<Merge> merges;
  std::map<std::string, size_t> rank;  // of every piece joined so far
  for (int32_t id = kFirstOrdinaryPiece; id < tokenizer.size() && merges.size() < count; ++id) {
    const std::string& piece = tokenizer.piece(id);
    std::vector<std::string> parts = characters(piece);
    if (parts.size() < 2) break;  // the single characters stand behind all merges
    while (parts.size() > 2) {
      size_t best = parts.size(), best_rank = merges.size() + 1;
      for (size_t i = 0; i + 1 < parts.size(); ++i) {
        const auto it = rank.find(parts[i] + parts[i + 1]);
        if (it != rank.end() && it->second < best_rank) best = i, best_rank = it->second;
      }
      if (best == parts.size())
        throw Error("piece " + piece + " does not follow from the merges before it");
      parts[best] += parts[best + 1];
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    }
    merges.push_back({merges.size() + 1, parts[0], parts[1], piece});
    rank[piece] = merges.size();
  }
  return merges;
}

}  // namespace minibert
