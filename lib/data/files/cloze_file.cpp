#include "data/files/cloze_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/excerpt.h"
#include "core/files.h"
#include "core/text.h"
#include "core/utf8.h"
#include "data/files/table.h"
#include "data/files/text_encoding.h"
#include "rules/blanks.h"
#include "text/composed.h"

namespace minibert {
namespace {

using nlohmann::json;

// `where`: the beginning of messages, "file:line: ".
MaskedSentence sentence_of(const std::string& kind, const std::string& text,
                           const std::vector<std::string>& words, const std::string& where) {
  constexpr std::string_view kMask = "[MASK]";
  MaskedSentence out{composed(kind), to_utf8(with_masks(to_code_points(composed(text)))), {}};
  size_t masks = 0;
  for (size_t at = 0; (at = out.text.find(kMask, at)) != out.text.npos; at += kMask.size()) ++masks;
  if (masks != 1)
    throw Error(where + "found " + count_of(masks, "blank", "blanks") + " in \"" + excerpt(text) +
                "\", expected one, as [MASK] or ( )");
  for (const std::string& word : words)
    if (const std::string bare = composed(trimmed(word)); !bare.empty()) out.accept.push_back(bare);
  if (out.accept.empty()) throw Error(where + "found no right word, expected at least one");
  return out;
}

std::vector<MaskedSentence> read_list(const json& list, const std::string& path) {
  std::vector<MaskedSentence> out;
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string where = path + ": sentences[" + std::to_string(i) + "]: ";
    try {
      out.push_back(sentence_of(list[i].value("kind", ""), list[i].at("text").get<std::string>(),
                                list[i].at("accept").get<std::vector<std::string>>(), where));
    } catch (const json::exception&) {
      throw Error(where + "expected {\"text\": \"나는 [MASK]에 간다.\", \"accept\": [\"학교\"]}");
    }
  }
  return out;
}

// A column by one of two names; `may_lack`: else an empty name.
std::string column_called(const FileTable& table, const std::string& name,
                          const std::string& korean, bool may_lack = false) {
  for (const std::string& one : {name, korean})
    if (std::ranges::count(table.columns, one) > 0) return one;
  if (may_lack) return "";
  throw usage_error(table.path + ": found the columns " + joined(table.columns) +
                    ", expected \"text\" and \"accept\" (or 문장 and 정답)");
}

std::vector<MaskedSentence> read_rows(const FileTable& table) {
  const size_t text = table.column(column_called(table, "text", "문장")),
               accept = table.column(column_called(table, "accept", "정답"));
  const std::string kind = column_called(table, "kind", "종류", true);
  std::vector<MaskedSentence> out;
  for (const TableRow& row : table.rows) {
    std::vector<std::string> words;
    for (std::string_view rest = row.cells[accept]; !rest.empty();) {
      const size_t end = std::min(rest.find('|'), rest.size());
      words.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    out.push_back(sentence_of(kind.empty() ? "" : row.cells[table.column(kind)], row.cells[text],
                              words, table.where(row) + ": "));
  }
  return out;
}

}  // namespace

std::vector<MaskedSentence> read_cloze_file(const std::string& path) {
  if (!has_ending(path, ".json")) return read_rows(read_table(path));
  json document;
  try {
    document = parse_json(read_decoded(path).text);
  } catch (const Error& error) {
    throw usage_error(path + ": " + error.what());
  }
  if (!document.is_object() || !document.contains("sentences") ||
      !document.at("sentences").is_array() || document.at("sentences").empty())
    throw usage_error(path +
                      ": found no list \"sentences\", expected {\"sentences\": [{\"text\": "
                      "\"나는 [MASK]에 간다.\", \"accept\": [\"학교\"]}]}");
  return read_list(document.at("sentences"), path);
}

}  // namespace minibert
