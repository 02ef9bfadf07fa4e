#include "task/text_input.h"

#include "core/error.h"
#include "core/utf8.h"

namespace minibert {
namespace {

class Builder {
 public:
  explicit Builder(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  void special(int32_t id, int64_t segment) { add({id, tokenizer_.piece(id), 0, 0}, segment); }

  void text(std::string_view text, int64_t segment) {
    if (const size_t bad = first_invalid_utf8(text); bad != kValid)
      throw usage_error("the text is not valid UTF-8 at byte " + std::to_string(bad));
    const std::vector<AlignedPiece> aligned = tokenizer_.encode_aligned(text);
    if (aligned.empty()) throw usage_error("the text is empty");
    for (size_t i = 0; i < aligned.size(); ++i) {
      const auto [id, begin, end] = aligned[i];
      const bool before_mask =
          i + 1 < aligned.size() && aligned[i + 1].id == tokenizer_.special().mask;
      if (before_mask && id == tokenizer_.lone_space()) continue;
      std::string piece(id == tokenizer_.special().unk ? text.substr(begin, end - begin)
                                                       : tokenizer_.readable(id));
      add({id, std::move(piece), begin, end}, segment);
    }
  }

  TextInput finish(int64_t max_positions) {
    const auto size = static_cast<int64_t>(input_.pieces.size());
    if (size > max_positions)
      throw usage_error("the text is too long: found " + std::to_string(size) +
                        " pieces with [CLS] and [SEP], expected at most " +
                        std::to_string(max_positions));
    std::vector<int64_t> ids;
    for (const InputPiece& piece : input_.pieces) ids.push_back(piece.id);
    input_.ids = torch::tensor(ids, torch::kInt64).unsqueeze(0);
    input_.segments = torch::tensor(segments_, torch::kInt64).unsqueeze(0);
    return std::move(input_);
  }

 private:
  void add(InputPiece piece, int64_t segment) {
    input_.pieces.push_back(std::move(piece));
    segments_.push_back(segment);
  }

  const Tokenizer& tokenizer_;
  TextInput input_;
  std::vector<int64_t> segments_;
};

}  // namespace

TextInput text_input(const Tokenizer& tokenizer, std::string_view text, std::string_view second,
                     int64_t max_positions) {
  Builder builder(tokenizer);
  builder.special(tokenizer.special().cls, 0);
  builder.text(text, 0);
  builder.special(tokenizer.special().sep, 0);
  if (!second.empty()) {
    builder.text(second, 1);
    builder.special(tokenizer.special().sep, 1);
  }
  return builder.finish(max_positions);
}

}  // namespace minibert
