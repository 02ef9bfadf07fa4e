#include "data/own/masked_sentences.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/excerpt.h"
#include "core/text.h"
#include "core/utf8.h"
#include "data/own/choice_answers.h"
#include "data/own/choice_cells.h"
#include "data/own/sentence_numbers.h"
#include "data/tables/python_cells.h"
#include "data/tables/read_table.h"
#include "data/tables/usual_columns.h"
#include "rules/blanks.h"
#include "text/composed.h"
#include "text/python_text.h"

namespace minibert {
namespace {

constexpr std::string_view kMask = "[MASK]";
constexpr char kOtherForms[] =
    "expected [MASK] or ( ) in each and its right words in a column beside it (behind a tab), or "
    "the right word in "
    "brackets: 나는 [학교]에 간다.";

using Names = std::vector<std::string_view>;
using Texts = std::vector<std::string>;

const Names& usual_word_names() {
  static const Names names = {"accept",    "answers", "correctanswer", "word", "words",
                              "obj_label", "target",  "label",         "단어", "낱말",
                              "정답들",    "답안",    "모범답",        "라벨"};
  return names;
}

const Names& usual_kind_names() {
  static const Names names = {"kind", "type", "category", "topic", "domain",
                              "종류", "유형", "분류",     "갈래",  "주제"};
  return names;
}

std::string with_blanks_as_masks(const std::string& text) {
  return to_utf8(with_masks(to_code_points(composed(text))));
}

size_t masks_of(std::string_view text) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(kMask, at)) != text.npos; at += kMask.size()) ++count;
  return count;
}

bool has_blank(const std::string& cell) { return masks_of(with_blanks_as_masks(cell)) > 0; }

// Brackets around the right word.
struct Brackets {
  std::string open, close;
};

const std::vector<Brackets>& all_brackets() {
  static const std::vector<Brackets> all = {{"[", "]"},   {"［", "］"}, {"{", "}"},   {"【", "】"},
                                            {"〈", "〉"}, {"「", "」"}, {"『", "』"}, {"<", ">"},
                                            {"(", ")"},   {"（", "）"}};
  return all;
}

// Bytes [begin, end) of the word in the only such brackets; none: there is no pair, or several. Round ones right behind
// a word are an aside.
std::optional<std::pair<size_t, size_t>> bracketed(std::string_view text, const Brackets& one) {
  const size_t open = text.find(one.open), close = text.find(one.close);
  const size_t begin = open + one.open.size();
  if (open == text.npos || close == text.npos || begin >= close || open != text.rfind(one.open) ||
      close != text.rfind(one.close))
    return {};
  const bool aside = (one.open == "(" || one.open == "（") && open > 0 && text[open - 1] != ' ';
  if (aside || strip(text.substr(begin, close - begin)).empty()) return {};
  return std::pair(begin, close);
}

// A cell's sentences: of a list all of its texts. Points behind a question, "(2점)", are cut off.
Texts sentences_of(const std::string& cell) {
  Texts out;
  if (const nlohmann::json list = python_value(cell); list.is_array() && !list.empty())
    for (const auto& one : list)
      out.push_back(one.is_string() ? one.get<std::string>() : one.dump());
  else
    out.push_back(cell);
  for (std::string& text : out) {
    std::string_view bare = strip(text);
    for (const char* end : {"점)", "점]"})
      if (bare.ends_with(end)) {
        const size_t open = bare.find_last_of("([");
        const std::string_view points =
            bare.substr(open + 1, bare.size() - std::string_view(end).size() - open - 1);
        if (open != bare.npos && is_number(points)) bare = strip(bare.substr(0, open));
      }
    text = bare;
  }
  return out;
}

// The words of a cell: a list of JSON or Python, else what stands between commas, semicolons, bars, slashes or "또는".
Texts words_of(const std::string& cell) {
  Texts out;
  const auto add = [&](std::string_view word) {
    for (bool more = true; more;) {
      word = strip(word);
      more = false;
      for (const std::string_view quote : {"\"", "'", "“", "”", "‘", "’", "`"}) {
        if (word.starts_with(quote)) word.remove_prefix(quote.size()), more = true;
        if (word.ends_with(quote)) word.remove_suffix(quote.size()), more = true;
      }
      if (word.size() > 1 && word.ends_with('.')) word.remove_suffix(1), more = true;
    }
    if (word.empty() || is_missing_mark(word)) return;
    out.push_back(composed(word));
    // "우산(비옷도 가능)" is right as "우산", too.
    if (const size_t open = word.find('('); word.ends_with(')') && open > 0)
      out.push_back(composed(strip(word.substr(0, open))));
  };
  if (const nlohmann::json list = python_value(cell); list.is_array()) {
    for (const auto& word : list) add(word.is_string() ? word.get<std::string>() : word.dump());
    return out;
  }
  if (is_missing_mark(strip(cell))) return out;
  const auto is_digit = [&](size_t at) {
    return at < cell.size() && cell[at] >= '0' && cell[at] <= '9';
  };
  size_t begin = 0, depth = 0;
  for (size_t at = 0; at <= cell.size(); ++at) {
    const std::string_view rest = std::string_view(cell).substr(at);
    depth += rest.starts_with('(') ? 1 : 0;
    depth -= rest.starts_with(')') && depth > 0 ? 1 : 0;
    size_t length = 0;
    for (const std::string_view mark : {",", ";", "|", "/", "\n", " 또는 ", " 혹은 ", " or "})
      if (rest.starts_with(mark)) length = mark.size();
    const bool in_number = at > 0 && is_digit(at - 1) && is_digit(at + 1);  // 1,000
    if (at < cell.size() && (length == 0 || in_number || depth > 0)) continue;
    add(std::string_view(cell).substr(begin, at - begin));
    begin = at + length;
  }
  return out;
}

// "나는 ( )에 간다. 정답: 학교" cut in sentence and words; also behind 답: and arrows.
std::optional<std::pair<std::string, std::string>> answered_behind(const std::string& text) {
  static const Texts marks = {"정답:", "정답 :", "답:", "답 :", "->", "=>", "→", "⇒"};
  for (const std::string& mark : marks) {
    const size_t at = text.rfind(mark);
    if (at == text.npos) continue;
    std::string sentence(strip(text.substr(0, at)));
    if (sentence.ends_with('(')) continue;
    return std::pair(std::move(sentence), text.substr(at + mark.size()));
  }
  return {};
}

// Rows that give no sentence, by what they lack.
class PassedOver {
 public:
  explicit PassedOver(const DataTable& table) : table_(table) {}
  void add(size_t what, const TableRow& row, const std::string& found) {
    if (counts_[what]++ == 0)
      first_[what] = table_.where(row) + (found.empty() ? "" : ", \"" + excerpt(found) + "\"");
  }
  enum : size_t { kNoBlank, kSeveral, kNoWord, kKinds };
  Texts told() const {
    constexpr std::pair<const char*, const char*> kWhat[] = {
        {"row has no blank", "rows have no blank"},
        {"row has several blanks", "rows have several blanks"},
        {"row has no right word", "rows have no right word"}};
    Texts out;
    for (size_t what = 0; what < kKinds; ++what)
      if (counts_[what] > 0)
        out.push_back(count_of(counts_[what], kWhat[what].first, kWhat[what].second) +
                      ": left out (the first is " + first_[what] + ")");
    return out;
  }

 private:
  const DataTable& table_;
  size_t counts_[kKinds] = {};
  std::string first_[kKinds];
};

class SentenceReader {
 public:
  SentenceReader(const DataTable& table, const OwnColumns& given)
      : table_(table), given_(given), passed_over_(table) {}

  MaskedSentences read() {
    find_sentences();
    find_words();
    find_kinds();
    tell_columns();
    const size_t text = table_.column(text_);
    std::vector<Texts> sentences;
    for (const TableRow& row : table_.rows) sentences.push_back(sentences_of(row.cells[text]));
    if (cut_numbers(&sentences)) note("numbers before the sentences are cut off");
    std::vector<Texts> words;
    for (const TableRow& row : table_.rows)
      words.push_back({words_.empty() ? "" : row.cells[table_.column(words_)]});
    if (choices_.empty()) cut_numbers(&words);
    for (size_t i = 0; i < table_.rows.size(); ++i)
      for (const std::string& sentence : sentences[i]) add(table_.rows[i], sentence, words[i][0]);
    const Texts left = passed_over_.told();
    if (out_.sentences.empty())
      throw usage_error(table_.path + ": found no sentence with a blank and its right words: " +
                        joined(left, "; "));
    for (const std::string& line : left) note(line);
    return std::move(out_);
  }

 private:
  void note(const std::string& line) { out_.notes.push_back(line); }

  size_t rows_with(const auto& has) const {
    return static_cast<size_t>(std::ranges::count_if(table_.rows, has));
  }

  // The column with blanks in most rows, or the one with a bracketed word in more than half of them.
  void find_sentences() {
    if (given_.text.size() > 1)
      throw usage_error("--column text: found " + joined(given_.text) + ", expected one column");
    out_.notes = table_.notes;
    const Texts columns = given_.text.empty() ? table_.columns : given_.text;
    size_t most = 0;
    bool tied = false;
    for (const std::string& name : columns) {
      const size_t column = table_.column(name);
      const size_t rows =
          rows_with([&](const TableRow& row) { return has_blank(row.cells[column]); });
      if (rows > 0 && rows >= most) tied = rows == most, most = rows, text_ = name;
    }
    if (tied)
      throw usage_error(table_.path + ": found sentences with blanks in several columns of " +
                        joined(columns) + ", expected --column text=… to name one");
    if (most > 0) return;
    for (const std::string& name : columns)
      for (const Brackets& one : all_brackets()) {
        const size_t column = table_.column(name);
        std::vector<Texts> cells;
        for (const TableRow& row : table_.rows) cells.push_back(sentences_of(row.cells[column]));
        cut_numbers(&cells);
        const auto rows = static_cast<size_t>(std::ranges::count_if(cells, [&](const Texts& texts) {
          return std::ranges::all_of(
              texts, [&](const std::string& text) { return bracketed(text, one).has_value(); });
        }));
        if (rows <= most || 2 * rows < table_.rows.size()) continue;
        most = rows;
        text_ = name;
        brackets_ = one;
      }
    if (most == 0)
      throw usage_error(table_.path + ": found no sentences with a blank, " + kOtherForms);
  }

  // The column that is named, or called as right words are; empty: there is none.
  std::string named_words() const {
    if (!given_.answer.empty()) return given_.answer;
    Texts others = table_.columns;
    std::erase(others, text_);
    std::erase(others, given_.group);
    const std::string found = usual_among(usual_answer_columns(), others);
    return found.empty() ? usual_among(usual_word_names(), others) : found;
  }

  // Where the right words are: in a column, among alternatives, behind the sentences.
  void find_words() {
    words_ = named_words();
    usual_ = !words_.empty();
    if (usual_) return find_alternatives();
    // Brackets that are no mark, as "(가)", hold them.
    if (brackets_) return;
    Texts others = table_.columns;
    std::erase_if(others, [&](const std::string& column) {
      return column == text_ || column == given_.group || is_called(column, usual_kind_names()) ||
             is_of_no_example(column) || counts(column);
    });
    if (others.size() == 1) {
      words_ = others.front();
      return;
    }
    const size_t text = table_.column(text_);
    behind_ = 2 * rows_with([&](const TableRow& row) {
                return answered_behind(row.cells[text]).has_value();
              }) >=
              table_.rows.size();
    if (behind_) return;
    if (others.empty())
      throw usage_error(table_.path + ": found sentences without their right words, " +
                        kOtherForms);
    throw usage_error(table_.path + ": found the columns " + joined(table_.columns) +
                      ", expected --column answer=… to name that of the right words");
  }

  // Numbers that go up row by row say which row it is.
  bool counts(const std::string& name) const {
    const size_t column = table_.column(name);
    double before = -1;
    for (const TableRow& row : table_.rows) {
      const std::string& cell = row.cells[column];
      if (!is_number(cell) || std::stod(cell) <= before) return false;
      before = std::stod(cell);
    }
    return true;
  }

  void find_alternatives() {
    for (const std::string& name : choice_columns(table_))
      if (name != words_ && name != text_) choices_.push_back(name);
    if (choices_.empty()) return;
    alternatives_.emplace(table_, choices_, Texts{text_});
    size_t answered = 0;
    for (const TableRow& row : table_.rows) {
      const std::string answer = composed(strip(row.cells[table_.column(words_)]));
      const Alternatives found = among(row);
      if (answer.empty() || !may_answer(answer, found)) continue;
      ++answered;
      answers_.look_at(answer, found);
    }
    // Else these columns hold something else.
    if (2 * answered < table_.rows.size()) return choices_.clear();
    if (const std::string told = answers_.told(); !told.empty()) note(told);
  }

  Alternatives among(const TableRow& row) const {
    Texts cells;
    for (const std::string& name : choices_)
      if (const std::string_view cell = strip(row.cells[table_.column(name)]); !cell.empty())
        cells.emplace_back(cell);
    return cells.empty() ? Alternatives{} : alternatives_->of(cells);
  }

  void find_kinds() {
    Texts others = table_.columns;
    std::erase(others, text_);
    std::erase(others, words_);
    kinds_ = given_.group.empty() ? usual_among(usual_kind_names(), others) : given_.group;
  }

  void tell_columns() {
    const size_t taken = 1 + (words_.empty() ? 0 : 1) + (kinds_.empty() ? 0 : 1);
    if (table_.columns.size() == taken && (words_.empty() || usual_ || !table_.header)) return;
    note("sentences of \"" + text_ + "\"" +
         (words_.empty() ? "" : ", right words of \"" + words_ + "\"") +
         (choices_.empty() ? "" : " among " + joined(choices_)) +
         (kinds_.empty() ? "" : ", kinds of \"" + kinds_ + "\"") + ", of the columns " +
         joined(table_.columns));
  }

  Texts right_words(const TableRow& row, const std::string& cell) const {
    if (choices_.empty()) return words_of(cell);
    const Alternatives found = among(row);
    const std::string answer = composed(strip(cell));
    if (answer.empty() || found.texts.empty()) return {};
    const std::string right = answers_.right(answer, found, table_.where(row));
    return words_of(found.texts[std::stoul(right) - 1]);
  }

  // `cell`: of the column of words.
  void add(const TableRow& row, const std::string& sentence, const std::string& cell) {
    MaskedSentence one;
    std::string words;
    if (brackets_) {
      const auto word = bracketed(sentence, *brackets_);
      if (!word) return passed_over_.add(PassedOver::kNoBlank, row, sentence);
      one.text = composed(sentence.substr(0, word->first - brackets_->open.size())) +
                 std::string(kMask) +
                 composed(sentence.substr(word->second + brackets_->close.size()));
      words = sentence.substr(word->first, word->second - word->first);
    } else {
      const auto behind = behind_ ? answered_behind(sentence) : std::nullopt;
      one.text = with_blanks_as_masks(behind ? behind->first : sentence);
      const size_t masks = masks_of(one.text);
      if (masks != 1)
        return passed_over_.add(masks == 0 ? PassedOver::kNoBlank : PassedOver::kSeveral, row,
                                sentence);
      if (behind) words = behind->second;
    }
    one.accept = words_.empty() ? words_of(words) : right_words(row, cell);
    if (one.accept.empty()) return passed_over_.add(PassedOver::kNoWord, row, sentence);
    for (std::string& word : one.accept) word = out_of_sentence(one.text, word);
    if (!kinds_.empty()) one.kind = composed(strip(row.cells[table_.column(kinds_)]));
    out_.sentences.push_back(std::move(one));
  }

  // Of the whole sentence in the place of its word, the word.
  static std::string out_of_sentence(const std::string& text, const std::string& word) {
    const size_t at = text.find(kMask);
    const std::string_view before = std::string_view(text).substr(0, at);
    std::string_view behind = std::string_view(text).substr(at + kMask.size());
    if (behind.ends_with('.')) behind.remove_suffix(1);  // words_of() has cut it off
    if (before.size() + behind.size() == 0 || word.size() <= before.size() + behind.size() ||
        !word.starts_with(before) || !word.ends_with(behind))
      return word;
    return word.substr(before.size(), word.size() - before.size() - behind.size());
  }

  const DataTable& table_;
  const OwnColumns& given_;
  PassedOver passed_over_;
  MaskedSentences out_;
  std::string text_, words_, kinds_;
  bool usual_ = false, behind_ = false;
  std::optional<Brackets> brackets_;
  Texts choices_;
  std::optional<ChoiceCells> alternatives_;
  ChoiceAnswers answers_;
};

// The first of sentences without names above them is no name.
DataTable read_sentences(const std::string& path, TableOptions options) {
  DataTable table = read_table(path, options);
  if (!table.header || options.header) return table;
  const auto is_sentence = [&](const std::string& name) {
    return has_blank(name) || std::ranges::any_of(all_brackets(), [&](const Brackets& one) {
             const auto word = bracketed(name, one);
             // A name may end with a unit or the like in brackets.
             return word && word->second + one.close.size() < name.size();
           });
  };
  if (std::ranges::none_of(table.columns, is_sentence)) return table;
  options.header = false;
  return read_table(path, options);
}

}  // namespace

MaskedSentences read_masked_sentences(const std::string& path, const OwnSource& source) {
  const DataTable table = read_sentences(path, source.table_options());
  return SentenceReader(table, source.columns).read();
}

}  // namespace minibert
