#include "task/text_rows.h"

#include "train/padding.h"

namespace minibert {

void append_row(const Tokenizer& tokenizer, const std::string& text, const std::string& pair,
                int max_length, TextRows* rows) {
  std::vector<int32_t> a = tokenizer.encode(text), b;
  if (!pair.empty()) b = tokenizer.encode(pair);
  const auto room = static_cast<size_t>(max_length) - (pair.empty() ? 2 : 3);
  while (a.size() + b.size() > room) (a.size() > b.size() ? a : b).pop_back();
  std::vector<int32_t> ids = {tokenizer.special().cls};
  ids.insert(ids.end(), a.begin(), a.end());
  ids.push_back(tokenizer.special().sep);
  std::vector<uint8_t> segments(ids.size(), 0);
  if (!pair.empty()) {
    ids.insert(ids.end(), b.begin(), b.end());
    ids.push_back(tokenizer.special().sep);
    segments.resize(ids.size(), 1);
  }
  rows->ids.push_back(std::move(ids));
  rows->segments.push_back(std::move(segments));
}

Batch batch_of(const TextRows& rows, const std::vector<uint32_t>& indices) {
  std::vector<std::vector<int32_t>> ids;
  std::vector<std::vector<uint8_t>> segments;
  for (const uint32_t index : indices) {
    ids.push_back(rows.ids[index]);
    segments.push_back(rows.segments[index]);
  }
  Batch batch;
  pad_rows(ids, segments, &batch);
  return batch;
}

}  // namespace minibert
