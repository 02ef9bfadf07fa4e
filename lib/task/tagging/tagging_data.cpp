#include "task/tagging/tagging_data.h"

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/text.h"
#include "core/utf8.h"

namespace minibert {

void append_tagging_row(const Tokenizer& tokenizer, const std::string& text, int max_length,
                        TaggingSplit* split) {
  const std::vector<uint32_t> offsets = code_point_offsets(text);
  std::vector<int32_t> ids = {tokenizer.special().cls};
  std::vector<PieceCharacters> characters;
  for (const AlignedPiece& piece : tokenizer.encode_aligned(text)) {
    if (ids.size() + 1 == static_cast<size_t>(max_length)) {
      ++split->rows.cut;
      break;
    }
    ids.push_back(piece.id);
    characters.push_back(piece_characters(text, offsets, piece.begin, piece.end));
  }
  ids.push_back(tokenizer.special().sep);
  split->rows.segments.emplace_back(ids.size(), 0);
  split->rows.ids.push_back(std::move(ids));
  split->characters.push_back(std::move(characters));
  split->texts.push_back(text);
}

std::vector<int64_t> piece_tags(const std::vector<PieceCharacters>& pieces,
                                const std::vector<std::string>& character_tags,
                                const std::vector<std::string>& tags, const std::string& where) {
  std::vector<int64_t> out;
  for (const PieceCharacters& piece : pieces) {
    // A lone "▁" stands for no character.
    const std::string tag = piece.begin < piece.end ? character_tags[piece.begin] : "O";
    const auto found = std::ranges::find(tags, tag);
    if (found == tags.end())
      throw Error(where + ": found the tag \"" + tag + "\", expected one of: " + joined(tags));
    out.push_back(found - tags.begin());
  }
  return out;
}

TaggingData::TaggingData(const LoadRequest& request)
    : splits_(load_tagged(request.data, request.say)),
      tokenizer_(request.tokenizer),
      max_length_(as<TaggingSettings>(request.settings).max_length),
      limit_(static_cast<size_t>(request.limit)),
      say_(request.say) {
  if (splits_.train.empty()) return;  // a stored model that is measured has tags of its own
  std::set<std::string> seen;
  for (const TaggedSentence& sentence : splits_.train)
    seen.insert(sentence.tags.begin(), sentence.tags.end());
  seen.erase("O");
  tags_ = {"O"};
  tags_.insert(tags_.end(), seen.begin(), seen.end());
  for (const Split split : {Split::dev, Split::test})
    for (const TaggedSentence& sentence : sentences(split))
      for (size_t i = 0; i < sentence.tags.size(); ++i)
        if (const std::string& tag = sentence.tags[i]; tag != "O" && !seen.contains(tag))
          throw Error((sentence.where.empty()
                           ? "data set " + request.data.set.id + ": sentence " + sentence.id
                           : place_of_tag(sentence, i)) +
                      ": found the tag \"" + tag +
                      "\", expected one that training has: " + joined(tags_));
}

const std::vector<TaggedSentence>& TaggingData::sentences(Split split) const {
  return split == Split::train ? splits_.train : split == Split::dev ? splits_.dev : splits_.test;
}

std::map<std::string, size_t> TaggingData::examples() {
  return {
      {"train", splits_.train.size()}, {"dev", splits_.dev.size()}, {"test", splits_.test.size()}};
}

std::vector<std::string> TaggingData::asked(Split split) {
  std::vector<std::string> out;
  for (const TaggedSentence& sentence : sentences(split)) out.push_back(sentence.text);
  return out;
}

std::shared_ptr<const TaggingSplit> TaggingData::split(Split split) {
  std::shared_ptr<const TaggingSplit>& encoded = encoded_[split];
  if (encoded) return encoded;
  TaggingSplit out;
  for (const TaggedSentence& sentence : sentences(split)) {
    if (limit_ > 0 && out.ids.size() == limit_) break;
    append_tagging_row(tokenizer_, sentence.text, max_length_, &out);
    out.ids.push_back(sentence.id);
    out.gold.push_back(joined(sentence.tags, " "));
  }
  if (out.ids.empty())
    throw usage_error(std::string("the data set has no sentences for split \"") + to_string(split) +
                      "\"");
  report_cut_rows(out.rows, max_length_, to_string(split), say_);
  encoded = std::make_shared<const TaggingSplit>(std::move(out));
  return encoded;
}

std::vector<std::vector<int64_t>> TaggingData::targets(Split split,
                                                       const std::vector<std::string>& tags) {
  const auto encoded = this->split(split);
  std::vector<std::vector<int64_t>> out;
  for (size_t i = 0; i < encoded->ids.size(); ++i) {
    const TaggedSentence& sentence = sentences(split)[i];
    const std::vector<PieceCharacters>& pieces = encoded->characters[i];
    // The first sentence with a refused tag.
    const auto refused = std::ranges::find_if(pieces, [&](const PieceCharacters& piece) {
      return piece.begin < piece.end &&
             std::ranges::find(tags, sentence.tags[piece.begin]) == tags.end();
    });
    const size_t at = refused == pieces.end() ? 0 : refused->begin;
    out.push_back(piece_tags(pieces, sentence.tags, tags, place_of_tag(sentence, at)));
  }
  return out;
}

}  // namespace minibert
