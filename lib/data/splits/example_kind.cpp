#include "data/splits/example_kind.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "data/own/form.h"

namespace minibert {
namespace {

constexpr std::pair<std::string_view, ExampleKind> kOfFiles[] = {
    {"korquad", ExampleKind::questions},
    {"table", ExampleKind::labelled},
    {"tags", ExampleKind::tagged}};

ExampleKind kind_of(OwnForm form) {
  switch (form) {
    case OwnForm::labelled:
      return ExampleKind::labelled;
    case OwnForm::tagged:
      return ExampleKind::tagged;
    case OwnForm::questions:
      return ExampleKind::questions;
  }
  return ExampleKind::labelled;
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
  if (data.own) return {kind_of(form_of(*data.own))};
  return example_kinds(data.set);
}

}  // namespace minibert
