#include "data/made/table_text.h"

#include <algorithm>
#include <charconv>

#include "core/files.h"
#include "core/rng.h"
#include "data/splits/labelled_data.h"

namespace minibert {
namespace {

// A paragraph is one line.
std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  std::ranges::replace(text, '\r', ' ');
  return text;
}

std::vector<std::string> paragraphs_of(const LabelledExample& example) {
  std::vector<std::string> out = {one_line(example.text)};
  if (!example.pair.empty()) out.push_back(one_line(example.pair));
  if (!example.choices.empty()) {
    size_t right = 0;
    std::from_chars(example.label.data(), example.label.data() + example.label.size(), right);
    if (right >= 1 && right <= example.choices.size())
      out.push_back(one_line(example.choices[right - 1]));
  }
  return out;
}

}  // namespace

std::vector<TableTextCounts> write_table_text(const std::vector<ResolvedData>& sets,
                                              const std::string& out, uint64_t seed,
                                              size_t per_document) {
  std::vector<TableTextCounts> counts;
  std::string text;
  for (const ResolvedData& data : sets) {
    std::vector<LabelledExample> examples = load_labelled(data).train;
    Rng rng(seed, "table text");
    rng.shuffle(examples);
    TableTextCounts of{.id = data.set.id};
    for (const LabelledExample& example : examples) {
      if (of.examples++ % per_document == 0) {
        if (!text.empty()) text += "\n";
        ++of.documents;
      }
      for (const std::string& paragraph : paragraphs_of(example)) {
        text += paragraph + "\n";
        ++of.paragraphs;
        of.bytes += paragraph.size();
      }
    }
    counts.push_back(std::move(of));
  }
  write_file_atomically(out, text);
  return counts;
}

}  // namespace minibert
