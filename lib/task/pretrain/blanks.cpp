#include "task/pretrain/blanks.h"

#include <c10/util/Half.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "infer/written_masks.h"
#include "task/text_input.h"

namespace minibert {
namespace {

struct Target {
  int32_t piece = 0;
  double probability = 0;
};

// The targets of a line, the most probable first.
std::vector<Target> read_targets(const nlohmann::json& line, const Tokenizer& tokenizer) {
  std::vector<Target> out;
  for (const auto& [piece, probability] : line.at("targets").items()) {
    const int32_t id = tokenizer.id(piece);
    if (id == tokenizer.special().unk || tokenizer.is_special(id))
      throw Error("targets: found \"" + piece + "\", expected a piece of the vocabulary");
    if (!probability.is_number() || !(probability.get<double>() > 0))
      throw Error("targets." + piece + ": found " + probability.dump() + ", expected more than 0");
    out.push_back({id, probability});
  }
  if (out.empty() || out.size() > static_cast<size_t>(kKeptPieces))
    throw Error("targets: found " + std::to_string(out.size()) + " pieces, expected 1 to " +
                std::to_string(kKeptPieces));
  std::ranges::stable_sort(out, std::greater(), &Target::probability);
  return out;
}

// The text with the piece in the blank.
std::string filled(std::string text, std::string piece) {
  constexpr std::string_view kSpace = "▁";
  if (piece.starts_with(kSpace)) piece.erase(0, kSpace.size());
  return text.replace(text.find(infer::kMaskText), infer::kMaskText.size(), piece);
}

}  // namespace

Blanks::Blanks(const std::string& path, const Tokenizer& tokenizer, const TextOverlap* exclude) {
  std::ifstream file(path);
  if (!file) throw Error(path + ": cannot be read");
  std::string written;
  for (size_t number = 1; std::getline(file, written); ++number) try {
      const nlohmann::json line = nlohmann::json::parse(written);
      const std::string& text = line.at("text").get_ref<const std::string&>();
      const std::vector<Target> targets = read_targets(line, tokenizer);
      const std::vector<InputPiece> pieces = text_input(tokenizer, text).pieces;
      const auto is_blank = [&](const InputPiece& one) {
        return one.id == tokenizer.special().mask;
      };
      if (const auto blanks = std::ranges::count_if(pieces, is_blank); blanks != 1)
        throw Error("text: found " + std::to_string(blanks) + " [MASK], expected one");
      if (exclude != nullptr &&
          exclude->overlaps(filled(text, tokenizer.piece(targets.front().piece)))) {
        ++excluded_;
        continue;
      }
      positions_.push_back(
          static_cast<uint16_t>(std::ranges::find_if(pieces, is_blank) - pieces.begin()));
      for (const InputPiece& one : pieces) pieces_.push_back(static_cast<uint16_t>(one.id));
      offsets_.push_back(pieces_.size());
      targets_.resize(targets_.size() + 2 * kKeptPieces);  // unfilled entries have probability 0
      auto at = targets_.end() - 2 * kKeptPieces;
      for (const Target& target : targets) {
        at[kKeptPieces] = c10::Half(static_cast<float>(target.probability)).x;
        *at++ = static_cast<uint16_t>(target.piece);
      }
    } catch (const nlohmann::json::exception&) {
      throw Error(path + ":" + std::to_string(number) +
                  R"(: expected {"text": "… [MASK] …", "targets": {PIECE: PROBABILITY, …}})");
    } catch (const Error& error) {
      throw Error(path + ":" + std::to_string(number) + ": " + error.what());
    }
}

void Blanks::instance(size_t i, MaskedInstance* out) const {
  out->ids.assign(pieces_.begin() + static_cast<ptrdiff_t>(offsets_[i]),
                  pieces_.begin() + static_cast<ptrdiff_t>(offsets_[i + 1]));
  out->segments.assign(out->ids.size(), 0);
  out->positions.assign(1, positions_[i]);
  out->labels.assign(1, targets(i).front());
  out->nsp = kNoSentenceTask;
}

std::span<const uint16_t> Blanks::targets(size_t i) const {
  return std::span(targets_).subspan(i * 2 * kKeptPieces, 2 * kKeptPieces);
}

}  // namespace minibert
