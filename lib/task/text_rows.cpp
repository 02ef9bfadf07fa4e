#include "task/text_rows.h"

#include "train/padding.h"

namespace minibert {

void append_row(const Tokenizer& tokenizer, const std::string& text, const std::string& pair,
                int max_length, TextRows* rows) {
  std::vector<int32_t> a = tokenizer.encode(text), b;
  if (!pair.empty()) b = tokenizer.encode(pair);
  const auto room = static_cast<size_t>(max_length) - (pair.empty() ? 2 : 3);
  rows->cut += a.size() + b.size() > room ? 1 : 0;
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

void report_cut_rows(const TextRows& rows, int max_length, const std::string& split,
                     const std::function<void(const std::string&)>& say) {
  if (rows.cut > 0)
    say(split + ": " + std::to_string(rows.cut) + " of " + std::to_string(rows.size()) +
        " texts are longer than features.max_length " + std::to_string(max_length) +
        ": the rest of them is not read");
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
