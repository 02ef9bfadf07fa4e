#include "data/splits/labelled_data.h"

#include <algorithm>
#include <map>

#include "core/config_reader.h"
#include "core/error.h"
#include "core/excerpt.h"
#include "core/text.h"
#include "core/utf8.h"
#include "data/own/own_labelled.h"
#include "data/share_out.h"
#include "text/line_reader.h"

namespace minibert {
namespace {

constexpr size_t kQuotedColumns = 200;

void check_utf8(const std::string& line, const std::string& where) {
  const size_t bad = first_invalid_utf8(line);
  if (bad == kValid) return;
  const bool utf16 = line.starts_with("\xff\xfe") || line.starts_with("\xfe\xff");
  const std::string encoding = utf16 ? "UTF-16" : "CP949";
  throw Error(where + ": not valid UTF-8 at byte " + std::to_string(bad) +
              " of the line, expected UTF-8 (" + (utf16 ? "" : "if it is CP949: ") + "iconv -f " +
              encoding + " -t UTF-8 makes it)");
}

std::vector<std::string> split_at_tabs(const std::string& line) {
  std::vector<std::string> out;
  size_t begin = 0;
  for (size_t tab; (tab = line.find('\t', begin)) != std::string::npos; begin = tab + 1)
    out.push_back(line.substr(begin, tab - begin));
  out.push_back(line.substr(begin));
  return out;
}

// A quote that is never closed takes the rest of the line, so that the count of columns is wrong.
std::vector<std::string> split_at_commas(const std::string& line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      out.back() += line[++i];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      out.emplace_back();
    } else {
      out.back() += line[i];
    }
  }
  return out;
}

std::vector<std::string> split_columns(const TableLayout& layout, const std::string& line) {
  return layout.separator == ',' ? split_at_commas(line) : split_at_tabs(line);
}

// Where the columns that an example is made of stand in a file.
class Columns {
 public:
  Columns(const TableLayout& layout, const std::vector<std::string>& header,
          const std::string& where)
      : header_(header), where_(where) {
    for (const std::string& name : layout.text) text_.push_back(at(name));
    if (!layout.pair.empty()) pair_ = at(layout.pair);
    for (const std::string& name : layout.choices) choices_.push_back(at(name));
    label_ = at(layout.label);
  }

  LabelledExample example(const std::vector<std::string>& cells, const std::string& where) const {
    LabelledExample out;
    for (const size_t column : text_)
      out.text += (out.text.empty() ? "" : " ") + filled(cells, column, where);
    if (pair_ != kNone) out.pair = filled(cells, pair_, where);
    for (const size_t column : choices_) out.choices.push_back(filled(cells, column, where));
    out.label = filled(cells, label_, where);
    return out;
  }

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);

  size_t at(const std::string& name) const {
    const auto found = std::ranges::find(header_, name);
    if (found == header_.end())
      throw Error(where_ + ": found the columns " + excerpt(joined(header_), kQuotedColumns) +
                  ", expected one named \"" + name + "\"");
    return static_cast<size_t>(found - header_.begin());
  }

  std::string filled(const std::vector<std::string>& cells, size_t column,
                     const std::string& where) const {
    std::string text(trimmed(cells[column]));
    if (text.empty())
      throw Error(where + ": column " + excerpt(header_[column]) + " is empty, expected text");
    return text;
  }

  std::vector<std::string> header_;
  std::string where_;
  std::vector<size_t> text_, choices_;
  size_t pair_ = kNone, label_ = kNone;
};

std::string known_label(const TableLayout& layout, const std::string& found,
                        const std::string& where) {
  if (layout.labels.empty()) return found;
  const auto label = std::ranges::find(layout.labels, found, &TableLabel::written);
  if (label != layout.labels.end()) return label->name;
  std::vector<std::string> known;
  for (const TableLabel& one : layout.labels) known.push_back(one.written);
  throw Error(where + ": found the label \"" + excerpt(found) +
              "\", expected one of: " + joined(known));
}

std::vector<LabelledExample> read_table(const std::string& path, const DataFile& file,
                                        const TableLayout& layout) {
  LineReader reader(path);
  std::string line;
  std::vector<std::string> header = layout.header;
  if (header.empty()) {
    if (!reader.next(&line)) throw Error(path + ": is empty, expected a header");
    check_utf8(line, reader.where());
    header = split_columns(layout, line);
    for (std::string& name : header) name = std::string(trimmed(name));
  }
  const Columns columns(layout, header, path);
  std::vector<LabelledExample> out;
  while (reader.next(&line)) {
    check_utf8(line, reader.where());
    if (trimmed(line).empty()) continue;
    const std::vector<std::string> cells = split_columns(layout, line);
    if (cells.size() != header.size())
      throw Error(reader.where() + ": found " + std::to_string(cells.size()) +
                  " columns, expected " + std::to_string(header.size()) + " (" +
                  excerpt(joined(header), kQuotedColumns) + ")");
    LabelledExample example;
    try {
      example = columns.example(cells, reader.where());
    } catch (const Error&) {
      // A few official rows have no text at all; only the registry can say so.
      if (!layout.skip_empty) throw;
      continue;
    }
    example.label = known_label(layout, example.label, reader.where());
    example.id = file.split + "-" + std::to_string(out.size() + 1);
    out.push_back(std::move(example));
  }
  if (out.empty()) throw Error(path + ": has no rows, expected labelled texts");
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
                             const std::function<void(const std::string&)>& say, bool several) {
  if (data.own) return load_own_labelled(*data.own, say, several || data.own->several());
  if (!data.set.table)
    throw usage_error("data set " + data.set.id + ": has no labelled texts (no \"table\")");
  LabelledSplits splits;
  for (size_t i = 0; i < data.files.size(); ++i) {
    const DataFile& file = data.set.files[i];
    if (file.kind != "table") continue;
    std::vector<LabelledExample> rows = read_table(data.files[i].path, file, *data.set.table);
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
