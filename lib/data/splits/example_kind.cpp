#include "data/splits/example_kind.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "data/files/table.h"
#include "data/files/tagged_file.h"
#include "data/files/text_encoding.h"
#include "data/questions/korquad.h"

namespace minibert {
namespace {

constexpr std::pair<std::string_view, ExampleKind> kOfFiles[] = {
    {"korquad", ExampleKind::questions},
    {"table", ExampleKind::labelled},
    {"tags", ExampleKind::tagged}};

// By the first file: JSON of SQuAD's shape, words with tags, else a table.
ExampleKind kind_of(const FileSource& source) {
  const std::string& path = !source.train.empty() ? source.train.front()
                            : !source.dev.empty() ? source.dev.front()
                                                  : source.test.front();
  if (has_ending(path, ".json") && is_question_file(path)) return ExampleKind::questions;
  const bool tagged = !is_json(path) && looks_tagged(read_decoded(path).text);
  return tagged ? ExampleKind::tagged : ExampleKind::labelled;
}

}  // namespace

std::vector<ExampleKind> example_kinds(const DataSet& set) {
  std::vector<ExampleKind> kinds;
  for (const auto& [name, kind] : kOfFiles)
    if (std::ranges::count(set.files, name, &DataFile::kind) > 0 &&
        (kind != ExampleKind::labelled || set.table))
      kinds.push_back(kind);
  return kinds;
}

std::vector<ExampleKind> example_kinds(const ResolvedData& data) {
  if (data.source) return {kind_of(*data.source)};
  return example_kinds(data.set);
}

}  // namespace minibert
