#include "data/own/own_tagged.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/characters.h"
#include "core/config_reader.h"
#include "core/excerpt.h"
#include "core/files.h"
#include "core/text.h"
#include "core/utf8.h"
#include "data/own/label_cells.h"
#include "data/own/tagged_words.h"
#include "data/own/word_sheet.h"
#include "data/tables/json_rows.h"
#include "data/tables/read_table.h"
#include "data/tables/text_encoding.h"
#include "data/tables/usual_columns.h"
#include "text/python_text.h"

namespace minibert {
namespace {

constexpr size_t kQuotedLine = 60;
const std::vector<std::string> kConlluColumns = {"id",    "form", "lemma",  "upos", "xpos",
                                                 "feats", "head", "deprel", "deps", "misc"};

enum class Form { characters, conll, conllu };

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> out;
  const bool tabs = line.find('\t') != std::string_view::npos;
  while (!line.empty()) {
    const size_t end = std::min(line.find(tabs ? '\t' : ' '), line.size());
    if (tabs || end > 0) out.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return out;
}

// A line of comment; a word that begins with # has a tag behind it.
bool is_comment(std::string_view line) {
  if (line.starts_with("-DOCSTART-")) return true;
  if (!line.starts_with("##") && !line.starts_with("# ")) return false;
  constexpr size_t kMostSpaced = 4;  // cells; more are a sentence
  const auto cells = cells_of(line);
  const bool tabs = line.find('\t') != std::string_view::npos;
  return cells.size() < 2 || !is_written_tag(cells.back()) || (!tabs && cells.size() > kMostSpaced);
}

// A word of CoNLL-U between tabs: its place, a tag (UPOS), the place of its head and the relation to that. A table of
// as many columns that begins with a number has others.
bool is_conllu(const std::vector<std::string_view>& cells) {
  constexpr size_t kUpos = 3, kHead = 6, kRelation = 7;
  const auto is_name = [](std::string_view cell) {
    return !cell.empty() && cell.find(' ') == std::string_view::npos && !is_number(cell);
  };
  return cells.size() == kConlluColumns.size() && !cells[0].empty() && is_digit(cells[0][0]) &&
         is_name(cells[kUpos]) && is_name(cells[kRelation]) &&
         cells[kHead].find_first_not_of("0123456789_") == std::string_view::npos;
}

bool is_blank(std::string_view line) { return strip(line).empty(); }

// Where the tag stands among so many cells: last, unless a first line says it.
size_t tag_place(size_t cells, const std::optional<WordColumns>& named) {
  return named && named->tag < cells ? named->tag : cells - 1;
}

// The columns that a text's first line names above words between tabs or spaces.
std::optional<WordColumns> columns_named_above(std::string_view text) {
  while (!text.empty())
    if (const std::string_view line = take_line(&text); !is_blank(line) && !is_comment(line))
      return columns_named(cells_of(line));
  return std::nullopt;
}

struct Shape {
  size_t lines = 0, blank = 0, conllu = 0, characters = 0, tagged = 0, entities = 0;
  size_t outside = 0, words = 0;  // tagged O; whose first cell is one word
  size_t fewest = SIZE_MAX,
         numbered = 0;  // cells of a line; lines that begin with their place in the sentence
};

// Of the first lines, but for one that names columns.
Shape shape_of(std::string_view text, const std::optional<WordColumns>& named) {
  Shape shape;
  size_t place = 0, first = 0;  // in the sentence; the number of its first word
  bool at_names = named.has_value();
  while (!text.empty() && shape.lines < kLookedLines) {
    const std::string_view line = take_line(&text);
    if (is_blank(line)) {
      ++shape.blank;
      place = 0;
      continue;
    }
    if (is_comment(line) || std::exchange(at_names, false)) continue;
    ++shape.lines;
    const auto cells = cells_of(line);
    shape.fewest = std::min(shape.fewest, cells.size());
    if (place == 0) first = cells[0] == "0" ? 0 : 1;
    shape.numbered += cells[0] == std::to_string(first + place++);
    shape.conllu += is_conllu(cells) && line.find('\t') != std::string_view::npos;
    const std::string_view tag = cells[tag_place(cells.size(), named)];
    if (cells.size() < 2 || !is_written_tag(tag)) continue;
    ++shape.tagged;
    shape.entities += is_entity_tag(tag);
    shape.outside += usual_tag(tag) == "O";
    const size_t word = named && named->word < cells.size() ? named->word : 0;
    shape.words += strip(cells[word]).find(' ') == std::string_view::npos;
    shape.characters += line.find('\t') != std::string_view::npos && cells.size() == 2 &&
                        to_code_points(cells[0]).size() == 1;
  }
  return shape;
}

class TaggedReader {
 public:
  TaggedReader(const OwnSource& source, const Say& say) : source_(source), say_(say) {}

  std::vector<TaggedSentence> read(const std::vector<std::string>& paths,
                                   const std::string& split) {
    std::vector<TaggedSentence> out;
    for (const std::string& path : paths) read_file(path, &out);
    for (size_t i = 0; i < out.size(); ++i) out[i].id = split + "-" + std::to_string(i + 1);
    return out;
  }

 private:
  void read_file(const std::string& path, std::vector<TaggedSentence>* out) {
    path_ = path;
    const DecodedText text = read_decoded(path);
    const size_t before = out->size();
    DataTable table;
    table.path = path, table.encoding = text.encoding;
    if (read_json_rows(text.text, &table)) {
      read_lists(table, out);
      say_(path + ": " + table.format + " in " + text.encoding + ", " +
           count_of(out->size() - before, "sentence", "sentences"));
      return;
    }
    named_.reset();
    if (const std::optional<WordSheet> sheet = word_sheet_of(text.text))
      return read_word_sheet(text, path, *sheet, source_, say_, out);
    named_ = columns_named_above(text.text);
    const Shape shape = shape_of(text.text, named_);
    if (shape.blank == 0 && shape.conllu == 0) refuse_endless(shape.lines, path);
    const Form form = shape.conllu * 2 > shape.lines            ? Form::conllu
                      : shape.characters * 10 > shape.lines * 9 ? Form::characters
                                                                : Form::conll;
    constexpr size_t kNumberWordTag = 3;
    numbered_ = !named_ && shape.lines > 1 && shape.numbered == shape.lines &&
                shape.fewest >= kNumberWordTag;
    joined_ = 0;
    read_lines(text.text, form, out);
    if (out->size() == before)
      throw Error(path + ": has no sentences, expected tagged words or characters");
    if (joined_ > 0)
      say_(path + ": " +
           count_of(joined_, "piece that begins with ## goes on with the word before it",
                    "pieces that begin with ## go on with the word before them"));
    if (named_) tell_columns(*named_, source_.columns, path, say_);
    if (form == Form::conll && numbered_ && source_.columns.text.empty())
      say_(path + ": the first column counts words, which are taken from the second");
    say_(path + ": " +
         (form == Form::conllu       ? "CoNLL-U (column " + conllu_column() + ")"
          : form == Form::characters ? std::string("characters with tags")
                                     : std::string("CoNLL")) +
         " in " + text.encoding + ", " + count_of(out->size() - before, "sentence", "sentences"));
  }

  std::string conllu_column() const {
    return source_.columns.label.empty() ? "upos" : source_.columns.label;
  }

  std::string where() const { return path_ + ":" + std::to_string(line_); }

  // A named column of CoNLL-U or of a first line, a number from 1 of the others.
  size_t column(const std::string& name, const char* key, size_t width, Form form) const {
    if (form == Form::conllu) {
      const auto found = std::ranges::find(kConlluColumns, name);
      if (found != kConlluColumns.end()) return static_cast<size_t>(found - kConlluColumns.begin());
    }
    for (size_t i = 0; i < width; ++i)
      if (name == std::to_string(i + 1) ||
          (named_ && i < named_->names.size() && name == named_->names[i]))
        return i;
    throw usage_error(path_ + ": " + key + ": found \"" + name + "\", expected " +
                      (form == Form::conllu ? "one of: " + joined(kConlluColumns) + ", or "
                       : named_             ? "one of: " + joined(named_->names) + ", or "
                                            : "") +
                      "a column's number, 1 to " + std::to_string(width));
  }

  // Where the tag stands in a line of so many cells.
  size_t tag_column(size_t width, Form form) const {
    const bool named = form == Form::conllu || !source_.columns.label.empty();
    if (!named || form == Form::characters) return tag_place(width, named_);
    return column(form == Form::conllu ? conllu_column() : source_.columns.label, "label", width,
                  form);
  }

  TagScheme scheme_of_lines(std::string_view text, Form form) const {
    TagSchemeFinder finder;
    bool at_names = named_.has_value();
    while (!text.empty()) {
      const std::string_view line = take_line(&text);
      if (is_blank(line)) finder.end_sentence();
      if (is_blank(line) || is_comment(line) || std::exchange(at_names, false)) continue;
      const auto cells = cells_of(line);
      if (cells.size() > 1) finder.add(cells[tag_column(cells.size(), form)]);
    }
    return finder.scheme();
  }

  void read_lines(std::string_view text, Form form, std::vector<TaggedSentence>* out) {
    line_ = 0;
    const TagScheme scheme = form == Form::conllu ? TagScheme::bio : scheme_of_lines(text, form);
    tell_scheme(scheme, path_, say_);
    SentenceBuilder sentence(scheme);
    bool at_names = named_.has_value();
    bool space = true;   // before the next word
    size_t covered = 0;  // CoNLL-U: words of a range that its line stood for
    const auto finish = [&] {
      if (!sentence.empty()) out->push_back(sentence.take());
      space = true, covered = 0;
    };
    while (!text.empty()) {
      const std::string_view line = take_line(&text);
      ++line_;
      if (is_blank(line)) {
        finish();
        continue;
      }
      if (is_comment(line) || std::exchange(at_names, false)) continue;
      const auto cells = cells_of(line);
      if (form == Form::characters) {
        if (cells.size() != 2 || to_code_points(cells[0]).size() != 1)
          throw Error(where() + ": found \"" + clipped(std::string(line), kQuotedLine) +
                      "\", expected one character, a tab, a tag");
        const std::string tag = sentence.checked(std::string(cells[1]), where(), line_ == 1);
        if (sentence.empty()) sentence.begin_at(where());
        sentence.add_character(cells[0], tag);
        sentence.stood_at(line_);
        continue;
      }
      if (cells.size() < 2)
        throw Error(where() + ": found \"" + clipped(std::string(line), kQuotedLine) +
                    "\", expected a word and its tag");
      const bool conllu = form == Form::conllu;
      if (conllu && cells.size() != kConlluColumns.size())
        throw Error(where() + ": found " + count_of(cells.size(), "column", "columns") +
                    ", expected the " + std::to_string(kConlluColumns.size()) + " of CoNLL-U");
      if (conllu && cells[0].find('.') != std::string_view::npos) continue;  // an empty node
      if (conllu && covered > 0) {
        --covered;
        continue;
      }
      const size_t word = !source_.columns.text.empty()
                              ? column(source_.columns.text.front(), "text", cells.size(), form)
                          : named_              ? named_->word
                          : conllu || numbered_ ? 1
                                                : 0;
      const size_t tag_at = tag_column(cells.size(), form);
      std::string tag(cells[tag_at]);
      if (conllu) {
        if (const size_t dash = cells[0].find('-'); dash != std::string_view::npos) {
          tag = tag_of_range(text, cells[0], tag_at, &covered);
        }
        tag = tag == "_" ? "O" : "B-" + tag;
      }
      if (word >= cells.size() || strip(cells[word]).empty())
        throw Error(where() + ": found no word, expected one");
      tag = sentence.checked(tag, where(), line_ == 1);
      std::string_view text_of = conllu ? cells[word] : strip(cells[word]);
      // WordPiece's mark of a piece that goes on with a word.
      const bool goes_on =
          !conllu && !sentence.empty() && text_of.size() > 2 && text_of.starts_with("##");
      if (goes_on) text_of.remove_prefix(2), ++joined_;
      if (sentence.empty()) sentence.begin_at(where());
      sentence.add_word(std::string(text_of), tag, space && !goes_on);
      sentence.stood_at(line_);
      space = !conllu || cells[9].find("SpaceAfter=No") == std::string_view::npos;
    }
    finish();
  }

  // A range of words ("3-4") that are written as one: its tag is theirs, joined.
  std::string tag_of_range(std::string_view rest, std::string_view range, size_t tag_at,
                           size_t* covered) const {
    const size_t dash = range.find('-');
    const int first = std::atoi(std::string(range.substr(0, dash)).c_str());
    const int last = std::atoi(std::string(range.substr(dash + 1)).c_str());
    std::string tag;
    for (int i = first; i <= last && !rest.empty(); ++i) {
      const auto cells = cells_of(take_line(&rest));
      if (cells.size() != kConlluColumns.size())
        throw Error(where() + ": found the range " + std::string(range) +
                    " without its words below, expected one line each");
      tag += (tag.empty() ? "" : "+") + std::string(cells[tag_at]);
      ++*covered;
    }
    return tag;
  }

  // JSON: a list of words and one of tags a row.
  void read_lists(const DataTable& table, std::vector<TaggedSentence>* out) {
    const auto pick = [&](const std::string& named, const std::vector<std::string_view>& usual,
                          const char* key) {
      if (!named.empty()) return table.column(named);
      for (const std::string_view name : usual)
        if (std::ranges::find(table.columns, name) != table.columns.end())
          return table.column(std::string(name));
      throw usage_error(path_ + ": found the columns " + joined(table.columns) +
                        ", expected the key \"" + key + "\" to name the one with the list of " +
                        (std::string(key) == "text" ? "words" : "tags"));
    };
    // Only beside tags, as characters may be those of a story.
    std::vector<std::string_view> usual_words = usual_word_list_columns();
    usual_words.emplace_back("characters");
    const size_t words_at =
        pick(source_.columns.text.empty() ? "" : source_.columns.text.front(), usual_words, "text");
    const size_t tags_at = pick(source_.columns.label, usual_tag_list_columns(), "label");
    std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> sentences;
    TagSchemeFinder finder;
    size_t all = 0, usual = 0;
    for (const TableRow& row : table.rows) {
      auto& [words, tags] = sentences.emplace_back();
      try {
        words = nlohmann::json::parse(row.cells[words_at]).get<std::vector<std::string>>();
        for (const auto& tag : nlohmann::json::parse(row.cells[tags_at])) {
          const std::string written = tag.is_string() ? tag.get<std::string>() : tag.dump();
          tags.push_back(named(written));
          if (tag.is_number() && tags.back() == written)
            throw usage_error(table.where(row) + ": found the number " + written +
                              " as a tag, expected the key \"labels\" to name it, as in {\"0\": "
                              "\"O\", \"1\": \"B-PS\"}");
        }
      } catch (const nlohmann::json::exception&) {
        throw Error(table.where(row) + ": found no list of words and list of tags, expected both");
      }
      if (words.size() != tags.size())
        throw Error(table.where(row) + ": found " + count_of(words.size(), "word", "words") +
                    " and " + count_of(tags.size(), "tag", "tags") + ", expected as many of both");
      for (const std::string& tag : tags) {
        finder.add(tag);
        ++all, usual += is_written_tag(tag) ? 1 : 0;
      }
      finder.end_sentence();
    }
    // Types without a scheme, as parts of speech: every word is an entity.
    const bool bio = usual * 2 > all;
    const TagScheme scheme = bio ? finder.scheme() : TagScheme::bio;
    tell_scheme(scheme, path_, say_);
    const bool characters = std::ranges::all_of(sentences, [](const auto& one) {
      return std::ranges::all_of(
          one.first, [](const std::string& word) { return to_code_points(word).size() == 1; });
    });
    for (size_t r = 0; r < table.rows.size(); ++r) {
      const auto& [words, tags] = sentences[r];
      line_ = table.rows[r].place;
      SentenceBuilder sentence(scheme);
      sentence.begin_at(where());
      for (size_t i = 0; i < words.size(); ++i) {
        const std::string tag = sentence.checked(bio ? tags[i] : "B-" + tags[i], where(), false);
        if (characters)
          sentence.add_character(words[i], tag);
        else
          sentence.add_word(words[i], tag, true);
      }
      if (!sentence.empty()) out->push_back(sentence.take());
    }
  }

  std::string named(const std::string& written) const {
    for (const auto& [from, name] : source_.labels)
      if (from == written) return name;
    return written;
  }

  const OwnSource& source_;
  const Say& say_;
  std::string path_;
  uint64_t line_ = 0;
  bool numbered_ = false;             // its first column counts the words of a sentence
  std::optional<WordColumns> named_;  // by its first line, of words between tabs or spaces
  size_t joined_ = 0;                 // pieces that began with ##
};

// Tags that a model is asked for and has never seen.
void tell_unseen(const TaggedSplits& splits, const Say& say) {
  if (splits.train.empty()) return;  // a stored model, which has tags of its own, is measured
  std::set<std::string> trained = {"O"};
  for (const TaggedSentence& one : splits.train) trained.insert(one.tags.begin(), one.tags.end());
  for (const auto& [name, split] :
       {std::pair("dev", &splits.dev), std::pair("test", &splits.test)}) {
    std::set<std::string> unseen;
    for (const TaggedSentence& one : *split)
      for (const std::string& tag : one.tags)
        if (!trained.contains(tag)) unseen.insert(tag);
    if (!unseen.empty())
      say("note: training lacks the tags " + joined({unseen.begin(), unseen.end()}) + " of " +
          name);
  }
}

}  // namespace

bool looks_tagged(const std::string& text) {
  if (const std::optional<WordSheet> sheet = word_sheet_of(text); sheet && sheet->entities > 0)
    return true;
  const std::optional<WordColumns> named = columns_named_above(text);
  const Shape shape = shape_of(text, named);
  if (shape.lines == 0) return false;
  if (shape.conllu * 10 > shape.lines * 9) return true;
  if (shape.tagged * 10 <= shape.lines * 9 || shape.entities == 0) return false;
  // Without a blank line single words and O tell it from texts with labels.
  return shape.blank > 0 || (shape.words * 10 > shape.lines * 9 && (named || shape.outside > 0));
}

bool looks_like_words(const std::string& text) {
  if (looks_tagged(text) || word_sheet_of(text)) return true;
  const std::optional<WordColumns> named = columns_named_above(text);
  const Shape shape = shape_of(text, named);
  return shape.lines > 0 && shape.tagged * 10 > shape.lines * 9 &&
         shape.words * 10 > shape.lines * 9 && (shape.blank > 0 || named);
}

void refuse_marked_parts(const DataTable& table, const OwnColumns& given) {
  if (!given.label.empty() || !given.flags.empty() || !given.choices.empty() ||
      !usual_among(usual_label_columns(), table.columns).empty())
    return;
  for (const TableRow& row : table.rows)
    for (const std::string& cell : row.cells)
      if (holds_spans(strip(cell)))
        throw usage_error(table.where(row) + ": found marked parts of a text (" + excerpt(cell) +
                          "), expected labels of whole texts; for names a file of words with tags, "
                          "as CoNLL has them");
}

TaggedSplits load_own_tagged(const OwnSource& source, const Say& say) {
  TaggedReader reader(source, say);
  std::vector<TaggedSentence> train = reader.read(source.train, "train");
  TaggedSplits splits;
  splits.dev = reader.read(source.dev, "dev");
  splits.test = reader.read(source.test, "test");
  const std::vector<size_t> split_of = hold_out(
      train, source, [](const TaggedSentence& one) { return one.text; },
      [](const TaggedSentence& one) {
        return std::set<std::string>(one.tags.begin(), one.tags.end());
      });
  std::vector<TaggedSentence>* parts[] = {&splits.train, &splits.dev, &splits.test};
  for (size_t i = 0; i < train.size(); ++i) parts[split_of[i]]->push_back(std::move(train[i]));
  check_filled(splits, source, "sentences");
  tell_leaks(
      splits, [](const TaggedSentence& one) { return one.text; }, say);
  tell_unseen(splits, say);
  return splits;
}

}  // namespace minibert
