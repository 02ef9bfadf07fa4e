#include "data/splits/labelled_data.h"

#include <algorithm>

#include "core/error.h"
#include "data/files/share_out.h"

namespace minibert {
namespace {

std::vector<LabelledExample> read_file(const std::string& path, const DataFile& file,
                                       const TableLayout& layout) {
  const FileTable table =
      read_table(path, {.separator = layout.separator, .header = layout.header});
  std::vector<LabelledRow> rows;
  add_labelled_rows(
      table, layout, file.split, [](const std::string&) {}, &rows);
  std::vector<LabelledExample> out;
  for (LabelledRow& row : rows) out.push_back(std::move(row.example));
  return out;
}

void share_out(std::vector<LabelledExample> from, const ArticleSplit& parts, LabelledSplits* out) {
  const std::vector<int> shares = {parts.train, parts.dev, parts.test};
  const std::vector<size_t> split_of =
      share_out_by_hash(shares, from, [](const LabelledExample& one) { return one.text; });
  std::vector<LabelledExample>* splits[] = {&out->train, &out->dev, &out->test};
  for (size_t i = 0; i < from.size(); ++i) splits[split_of[i]]->push_back(std::move(from[i]));
}

}  // namespace

LabelledSplits load_labelled(const ResolvedData& data,
                             const std::function<void(const std::string&)>& say, LabelUse use) {
  if (data.source) return read_labelled_files(*data.source, use, say);
  if (!data.set.table)
    throw usage_error("data set " + data.set.id + ": has no labelled texts (no \"table\")");
  LabelledSplits splits;
  for (size_t i = 0; i < data.files.size(); ++i) {
    const DataFile& file = data.set.files[i];
    if (file.kind != "table") continue;
    std::vector<LabelledExample> rows = read_file(data.files[i].path, file, *data.set.table);
    if (data.set.rows && data.set.rows->from == file.split)
      share_out(std::move(rows), *data.set.rows, &splits);
    else
      std::ranges::move(rows, std::back_inserter(file.split == "train" ? splits.train
                                                 : file.split == "dev" ? splits.dev
                                                                       : splits.test));
  }
  if (splits.train.empty()) throw usage_error("data set " + data.set.id + ": has no training rows");
  return splits;
}

}  // namespace minibert
