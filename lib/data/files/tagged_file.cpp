#include "data/files/tagged_file.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include "core/excerpt.h"
#include "core/text.h"
#include "core/utf8.h"
#include "data/files/text_encoding.h"

namespace minibert {
namespace {

using Cells = std::vector<std::string_view>;

const std::vector<std::string> kConlluColumns = {"id",    "form", "lemma",  "upos", "xpos",
                                                 "feats", "head", "deprel", "deps", "misc"};

std::string_view take_line(std::string_view* text) {
  const size_t end = std::min(text->find('\n'), text->size());
  std::string_view line = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Between tabs, else between spaces.
Cells cells_of(std::string_view line) {
  Cells out;
  const bool tabs = line.find('\t') != line.npos;
  while (!line.empty()) {
    const size_t end = std::min(line.find(tabs ? '\t' : ' '), line.size());
    if (tabs || end > 0) out.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return out;
}

bool is_tag(std::string_view cell) {
  return cell == "O" || (cell.size() > 2 && (cell.starts_with("B-") || cell.starts_with("I-")));
}

bool is_comment(std::string_view line) {
  if (line.starts_with("-DOCSTART-")) return true;
  if (!line.starts_with("##") && !line.starts_with("# ")) return false;
  const Cells cells = cells_of(line);
  return cells.size() < 2 || !is_tag(cells.back());
}

bool is_blank_line(std::string_view line) { return trimmed(line).empty(); }

bool is_conllu(const Cells& cells) {
  return cells.size() == kConlluColumns.size() && !cells[0].empty() && cells[0][0] >= '0' &&
         cells[0][0] <= '9';
}

// Returns the cells of the first line with a word; empty if there is none.
Cells first_word(std::string_view text) {
  while (!text.empty())
    if (const std::string_view line = take_line(&text); !is_blank_line(line) && !is_comment(line))
      return cells_of(line);
  return {};
}

// Characters with tags of BIO.
class SentenceBuilder {
 public:
  bool empty() const { return sentence_.tags.empty(); }
  size_t strays() const { return strays_; }
  TaggedSentence take() { return std::exchange(sentence_, {}); }

  // `where`: "file:line" of a line.
  void add_character(std::string_view character, std::string tag, const std::string& where,
                     uint64_t line) {
    begin(&tag, where);
    sentence_.text += character;
    sentence_.tags.push_back(std::move(tag));
    sentence_.lines.push_back(line);
  }

  void add_word(std::string_view word, std::string tag, bool space_before, const std::string& where,
                uint64_t line) {
    begin(&tag, where);
    if (space_before && !sentence_.text.empty()) {
      sentence_.text += " ";
      sentence_.tags.push_back(tag.starts_with("I-") ? tag : "O");
    }
    sentence_.text += word;
    const size_t size = to_code_points(word).size();
    for (size_t i = 0; i < size; ++i)
      sentence_.tags.push_back(i == 0 || tag == "O" ? tag : "I-" + tag.substr(2));
    sentence_.lines.resize(sentence_.tags.size(), line);
  }

 private:
  void begin(std::string* tag, const std::string& where) {
    if (!is_tag(*tag))
      throw Error(where + ": found the tag \"" + excerpt(*tag) + "\", expected O, B-… or I-…");
    const std::string before = empty() ? "" : sentence_.tags.back();
    if (tag->starts_with("I-") && (before.size() < 2 || before.substr(1) != tag->substr(1))) {
      (*tag)[0] = 'B';
      ++strays_;
    }
    if (empty()) sentence_.where = where;
  }

  TaggedSentence sentence_;
  size_t strays_ = 0;
};

class TaggedReader {
 public:
  TaggedReader(const std::string& path, TagForm form, const TableLayout& layout)
      : path_(path), form_(form), layout_(layout) {}

  std::vector<TaggedSentence> read(std::string_view text) {
    while (!text.empty()) {
      const std::string_view line = take_line(&text);
      ++line_;
      // A character may be a space.
      if (form_ == TagForm::characters ? line.empty() : is_blank_line(line))
        finish();
      else if (!is_comment(line))
        form_ == TagForm::characters ? read_character(line) : read_word(line, text);
    }
    finish();
    return std::move(sentences_);
  }
  size_t strays() const { return builder_.strays(); }

 private:
  std::string where() const { return path_ + ":" + std::to_string(line_); }

  [[noreturn]] void refuse(std::string_view line, const std::string& expected) const {
    throw Error(where() + ": found \"" + excerpt(line) + "\", expected " + expected);
  }

  void finish() {
    if (!builder_.empty()) sentences_.push_back(builder_.take());
    space_ = true, covered_ = 0;
  }

  void read_character(std::string_view line) {
    const size_t tab = line.rfind('\t');
    if (tab == line.npos || to_code_points(line.substr(0, tab)).size() != 1)
      refuse(line, "one character, a tab, a tag");
    builder_.add_character(line.substr(0, tab), std::string(line.substr(tab + 1)), where(), line_);
  }

  // A column that is named, by its number from 1 or as CoNLL-U calls it.
  size_t column(const std::string& name, const char* key, size_t width) const {
    const auto known = std::ranges::find(kConlluColumns, name);
    if (form_ == TagForm::conllu && known != kConlluColumns.end())
      return static_cast<size_t>(known - kConlluColumns.begin());
    size_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc() || end != name.data() + name.size() || number < 1 || number > width)
      throw usage_error(where() + ": " + key + ": found \"" + name +
                        "\", expected a column's number, 1 to " + std::to_string(width) +
                        (form_ == TagForm::conllu ? ", or one of: " + joined(kConlluColumns) : ""));
    return number - 1;
  }

  size_t tag_column(size_t width) const {
    if (!layout_.label.empty()) return column(layout_.label, "label", width);
    constexpr size_t kUpos = 3;
    return form_ == TagForm::conllu ? kUpos : width - 1;
  }

  // `rest`: the text below the line.
  void read_word(std::string_view line, std::string_view rest) {
    const Cells cells = cells_of(line);
    const bool conllu = form_ == TagForm::conllu;
    if (cells.size() < 2) refuse(line, "a word and its tag");
    if (conllu && !is_conllu(cells)) refuse(line, "the ten columns of CoNLL-U");
    if (conllu && cells[0].find('.') != cells[0].npos) return;  // an empty node
    if (covered_ > 0) {
      --covered_;
      return;
    }
    const size_t word = !layout_.text.empty() ? column(layout_.text.front(), "text", cells.size())
                                              : size_t{conllu ? 1U : 0U};
    const size_t at = tag_column(cells.size());
    std::string tag(cells[at]);
    if (conllu && cells[0].find('-') != cells[0].npos) tag = tag_of_range(rest, cells[0], at);
    if (conllu) tag = tag == "_" ? "O" : "B-" + tag;
    if (is_blank_line(cells[word])) refuse(line, "a word in column " + std::to_string(word + 1));
    builder_.add_word(cells[word], std::move(tag), space_, where(), line_);
    space_ = !conllu || cells.back().find("SpaceAfter=No") == cells.back().npos;
  }

  // The tags of the words of a range, joined; their lines are then passed over.
  std::string tag_of_range(std::string_view rest, std::string_view range, size_t at) {
    int first = 0, last = 0;
    const char* end = range.data() + range.size();
    const auto [dash, error] = std::from_chars(range.data(), end, first);
    if (error == std::errc() && dash < end) std::from_chars(dash + 1, end, last);
    std::string tag;
    for (int i = first; i <= last && !rest.empty(); ++i) {
      const Cells cells = cells_of(take_line(&rest));
      if (!is_conllu(cells)) refuse(range, "the words of a range below it");
      tag += (tag.empty() ? "" : "+") + std::string(cells[at]);
      ++covered_;
    }
    return tag;
  }

  const std::string& path_;
  const TagForm form_;
  const TableLayout& layout_;
  SentenceBuilder builder_;
  std::vector<TaggedSentence> sentences_;
  uint64_t line_ = 0;
  bool space_ = true;   // before the next word
  size_t covered_ = 0;  // words that the line of a range stood for
};

std::vector<TaggedSentence> read_tagged_split(const std::vector<std::string>& paths,
                                              const char* split, const FileSource& source,
                                              const Say& say) {
  std::vector<TaggedSentence> out;
  for (const std::string& path : paths) {
    const TagForm form = tag_form_of(path);
    std::vector<TaggedSentence> read =
        read_tagged_file(path, form, source.table, split, out.size() + 1, say);
    say(path + ": " +
        (form == TagForm::conllu       ? "CoNLL-U"
         : form == TagForm::characters ? "characters with tags"
                                       : "CoNLL") +
        ", " + count_of(read.size(), "sentence", "sentences"));
    std::ranges::move(read, std::back_inserter(out));
  }
  return out;
}

}  // namespace

bool looks_tagged(std::string_view text) {
  const Cells cells = first_word(text);
  return is_conllu(cells) || (cells.size() > 1 && is_tag(cells.back()));
}

TagForm tag_form_of(const std::string& path) {
  const DecodedText decoded = read_decoded(path);
  std::string_view text = decoded.text;
  if (is_conllu(first_word(text))) return TagForm::conllu;
  while (!text.empty()) {
    const std::string_view line = take_line(&text);
    if (line.empty() || is_comment(line)) continue;
    const size_t tab = line.rfind('\t');
    if (tab == line.npos || to_code_points(line.substr(0, tab)).size() != 1) return TagForm::words;
  }
  return TagForm::characters;
}

std::vector<TaggedSentence> read_tagged_file(const std::string& path, TagForm form,
                                             const TableLayout& layout, const std::string& split,
                                             size_t first_id, const Say& say) {
  const DecodedText decoded = read_decoded(path);
  TaggedReader reader(path, form, layout);
  std::vector<TaggedSentence> out = reader.read(decoded.text);
  if (out.empty()) throw Error(path + ": has no sentences, expected tagged words or characters");
  for (TaggedSentence& sentence : out) sentence.id = split + "-" + std::to_string(first_id++);
  if (reader.strays() > 0)
    say("note: " + path + ": " + count_of(reader.strays(), "tag I-… goes", "tags I-… go") +
        " on with no entity of the same type: read as B-…");
  return out;
}

TaggedSplits read_tagged_files(const FileSource& source, const Say& say) {
  std::vector<TaggedSentence> train = read_tagged_split(source.train, "train", source, say);
  TaggedSplits splits;
  splits.dev = read_tagged_split(source.dev, "dev", source, say);
  splits.test = read_tagged_split(source.test, "test", source, say);
  const std::vector<size_t> split_of = hold_out(
      train, source, [](const TaggedSentence& one) { return one.text; },
      [](const TaggedSentence& one) {
        const std::set<std::string> tags(one.tags.begin(), one.tags.end());
        return std::vector<std::string>(tags.begin(), tags.end());
      });
  std::vector<TaggedSentence>* parts[] = {&splits.train, &splits.dev, &splits.test};
  for (size_t i = 0; i < train.size(); ++i) parts[split_of[i]]->push_back(std::move(train[i]));
  check_filled(splits, source, "sentences", "what is equal");
  report_leaks(
      splits, [](const TaggedSentence& one) { return one.text; }, say);
  return splits;
}

}  // namespace minibert
