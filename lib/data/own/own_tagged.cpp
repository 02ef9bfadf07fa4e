#include "data/own/own_tagged.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/config_reader.h"
#include "core/excerpt.h"
#include "core/files.h"
#include "core/text.h"
#include "core/utf8.h"
#include "data/own/label_cells.h"
#include "data/tables/cells.h"
#include "data/tables/header_rows.h"
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

// Cells as they stand between separators, in their quotes.
std::vector<std::string_view> cells_between(std::string_view line, char separator) {
  std::vector<std::string_view> out;
  for (size_t end; (end = line.find(separator)) != std::string_view::npos;
       line.remove_prefix(end + 1))
    out.push_back(line.substr(0, end));
  out.push_back(line);
  return out;
}

// A cell without white space and quotes around it.
std::string_view unquoted(std::string_view cell) {
  cell = strip(cell);
  const bool quoted = cell.size() > 1 && cell.starts_with('"') && cell.ends_with('"');
  return quoted ? cell.substr(1, cell.size() - 2) : cell;
}

// The next line without its end.
std::string_view take_line(std::string_view* text) {
  const size_t end = std::min(text->find('\n'), text->size());
  std::string_view line = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Of any scheme: B begins an entity, I goes on, E or L ends one, S or U is one alone. "B_PS" and "PS_B" (Naver's, whose O
// is "-") are read as "B-PS". Without white space around it; what is no tag as it is.
std::string usual_tag(std::string_view written) {
  constexpr std::string_view kPlaces = "BIELSU", kJoints = "-_";
  const auto is_place = [&](char c) { return kPlaces.find(c) != std::string_view::npos; };
  const auto is_joint = [&](char c) { return kJoints.find(c) != std::string_view::npos; };
  const std::string_view tag = strip(written);
  if (tag == "-") return "O";
  if (tag.size() < 3) return std::string(tag);
  if (is_place(tag[0]) && is_joint(tag[1]))
    return std::string{tag[0]} + "-" + std::string(tag.substr(2));
  const size_t joint = tag.size() - 2;
  if (is_place(tag.back()) && is_joint(tag[joint]))
    return std::string{tag.back()} + "-" + std::string(tag.substr(0, joint));
  return std::string(tag);
}

bool is_entity(std::string_view tag) {
  const std::string usual = usual_tag(tag);
  return usual.size() > 2 && usual[1] == '-' && usual.find(' ') == std::string::npos &&
         std::string_view("BIELSU").find(usual[0]) != std::string_view::npos;
}
bool is_tag(std::string_view tag) { return is_entity(tag) || usual_tag(tag) == "O"; }

// A line of comment; a word that begins with # has a tag behind it.
bool is_comment(std::string_view line) {
  if (line.starts_with("-DOCSTART-")) return true;
  if (!line.starts_with("##") && !line.starts_with("# ")) return false;
  constexpr size_t kMostSpaced = 4;  // cells; more are a sentence
  const auto cells = cells_of(line);
  const bool tabs = line.find('\t') != std::string_view::npos;
  return cells.size() < 2 || !is_tag(cells.back()) || (!tabs && cells.size() > kMostSpaced);
}

bool is_blank(std::string_view line) { return strip(line).empty(); }

// What a first line names above words with tags.
struct WordColumns {
  std::vector<std::string> names;
  size_t word = 0, tag = 0;
  std::optional<size_t> sentence = {};
};

// The columns that cells name, where a word and a tag are among them.
std::optional<WordColumns> columns_named(const std::vector<std::string_view>& cells) {
  static constexpr std::string_view kWords[] = {"word", "words", "token", "tokens", "form",
                                                "text", "char",  "단어",  "어절",   "형태소",
                                                "토큰", "글자",  "음절"};
  static constexpr std::string_view kTags[] = {"tag", "tags", "label", "labels", "ner",   "ner_tag",
                                               "bio", "태그", "라벨",  "레이블", "개체명"};
  static constexpr std::string_view kSentences[] = {
      "sentence#", "sentence", "sentence_id", "sent_id", "문장", "문장번호", "문장id"};
  WordColumns out;
  const auto place = [&](const auto& usual) {
    const auto found = std::ranges::find_if(out.names, [&](const std::string& name) {
      return std::ranges::find(usual, plain_name(name)) != std::end(usual);
    });
    return static_cast<size_t>(found - out.names.begin());
  };
  for (const std::string_view cell : cells) out.names.push_back(column_name(unquoted(cell)));
  out.word = place(kWords);
  out.tag = place(kTags);
  if (const size_t sentence = place(kSentences); sentence < cells.size()) out.sentence = sentence;
  if (out.word >= cells.size() || out.tag >= cells.size()) return std::nullopt;
  return out;
}

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

// Words with tags as a spreadsheet has them: a row each, with a column of sentences or blank rows between them.
struct Sheet {
  char separator = ',';
  std::optional<WordColumns> named = {};  // by the first row
  size_t entities = 0;                    // in the rows that were looked at
  size_t word() const { return named ? named->word : 0; }
};

// So many lines are looked at.
constexpr size_t kLookedLines = 2000;

// Nothing where fewer than nine rows in ten have a word and a tag at their places. Between tabs it is a sheet where a
// column holds sentences, else CoNLL.
std::optional<Sheet> sheet_of(std::string_view text) {
  constexpr size_t kLongestRow = 4096;  // bytes; longer lines hold no word each
  for (const char separator : {',', ';', '\t'}) {
    Sheet sheet{separator};
    size_t lines = 0, tagged = 0, blank = 0;
    std::string_view rest = text;
    bool first = true;
    while (!rest.empty() && lines < kLookedLines) {
      const std::string_view line = take_line(&rest);
      if (line.size() > kLongestRow) return std::nullopt;
      const auto cells = cells_between(line, separator);
      if (std::ranges::all_of(cells,
                              [](std::string_view cell) { return is_blank(unquoted(cell)); })) {
        ++blank;
        continue;
      }
      if (std::exchange(first, false)) {
        sheet.named = columns_named(cells);
        if (sheet.named) continue;
      }
      ++lines;
      // From the end, as a word in quotes may hold the separator.
      const size_t behind = sheet.named ? sheet.named->names.size() - sheet.named->tag : 1;
      if (cells.size() < 2 || cells.size() < behind || cells.size() <= sheet.word()) continue;
      const std::string_view tag = unquoted(cells[cells.size() - behind]);
      const bool is_word = unquoted(cells[sheet.word()]).find(' ') == std::string_view::npos;
      tagged += is_word && is_tag(tag) ? 1 : 0;
      sheet.entities += is_entity(tag) ? 1 : 0;
    }
    const bool sentences = sheet.named && sheet.named->sentence;
    if (separator == '\t' && !sentences) continue;
    if (tagged * 10 > lines * 9 && (sheet.named || blank > 0)) return sheet;
  }
  return std::nullopt;
}

enum class Scheme {
  bio,    // every entity begins with B (IOB2)
  iob1,   // it begins with I, or with B directly behind another of its type
  bioes,  // as bio, and ends with E, or is S alone; also with L and U (BILOU)
};

// Tells the scheme from all tags of a file.
class SchemeFinder {
 public:
  void add(std::string_view written) {
    // What is no tag is told by its line, and says nothing of the scheme.
    const std::string tag = is_entity(written) ? usual_tag(written) : "";
    const bool goes_on = !before_.empty() && !tag.empty() && before_.substr(2) == tag.substr(2);
    if (!tag.empty()) {
      ends_ = ends_ || std::string_view("ELSU").find(tag[0]) != std::string_view::npos;
      open_inside_ = open_inside_ || (tag[0] == 'I' && !goes_on);
      open_begin_ = open_begin_ || (tag[0] == 'B' && !goes_on);
    }
    before_ = tag;
  }
  void end_sentence() { before_.clear(); }
  // A file with both ways of beginning has mistakes, which are told as those of BIO.
  Scheme scheme() const {
    return ends_ ? Scheme::bioes : open_inside_ && !open_begin_ ? Scheme::iob1 : Scheme::bio;
  }

 private:
  std::string before_;
  bool ends_ = false, open_inside_ = false, open_begin_ = false;
};

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
    shape.conllu += cells.size() == kConlluColumns.size() && !cells[0].empty() &&
                    cells[0][0] >= '0' && cells[0][0] <= '9' &&
                    line.find('\t') != std::string_view::npos;
    const std::string_view tag = cells[tag_place(cells.size(), named)];
    if (cells.size() < 2 || !is_tag(tag)) continue;
    ++shape.tagged;
    shape.entities += is_entity(tag);
    shape.outside += usual_tag(tag) == "O";
    const size_t word = named && named->word < cells.size() ? named->word : 0;
    shape.words += strip(cells[word]).find(' ') == std::string_view::npos;
    shape.characters += line.find('\t') != std::string_view::npos && cells.size() == 2 &&
                        to_code_points(cells[0]).size() == 1;
  }
  return shape;
}

// Words with spaces between them become characters with tags.
class Sentence {
 public:
  // `inside`: the word goes on with the entity of the one before it.
  void add_word(const std::string& word, const std::string& tag, bool space_before) {
    if (space_before && !sentence_.text.empty()) {
      sentence_.text += " ";
      sentence_.tags.push_back(tag.starts_with("I-") ? tag : "O");
    }
    sentence_.text += word;
    const size_t size = to_code_points(word).size();
    for (size_t i = 0; i < size; ++i)
      sentence_.tags.push_back(i == 0 || tag == "O" ? tag : "I-" + tag.substr(2));
  }
  void add_character(std::string_view character, const std::string& tag) {
    sentence_.text += character;
    sentence_.tags.push_back(tag);
  }
  // Says in which line of the file the word or character stands that was added last.
  void stood_at(uint64_t line) { sentence_.lines.resize(sentence_.tags.size(), line); }
  const std::vector<std::string>& tags() const { return sentence_.tags; }
  bool empty() const { return sentence_.tags.empty(); }
  // Before its first word or character.
  void begin_at(const std::string& place) { sentence_.where = place; }
  TaggedSentence take() { return std::exchange(sentence_, {}); }

 private:
  TaggedSentence sentence_;
};

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
    may_name_ = false;
    if (read_json_rows(text.text, &table)) {
      read_lists(table, out);
      say_(path + ": " + table.format + " in " + text.encoding + ", " +
           std::to_string(out->size() - before) + " sentences");
      return;
    }
    named_.reset();
    may_name_ = true;
    if (const std::optional<Sheet> sheet = sheet_of(text.text))
      return read_sheet(text, *sheet, out);
    named_ = columns_named_above(text.text);
    const Shape shape = shape_of(text.text, named_);
    if (shape.blank == 0 && shape.conllu == 0) refuse_endless(shape.lines);
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
      say_(path + ": " + std::to_string(joined_) +
           " pieces that begin with ## go on with the word before them");
    if (named_) tell_named(*named_);
    if (form == Form::conll && numbered_ && source_.columns.text.empty())
      say_(path + ": the first column counts words, which are taken from the second");
    say_(path + ": " +
         (form == Form::conllu       ? "CoNLL-U (column " + conllu_column() + ")"
          : form == Form::characters ? std::string("characters with tags")
                                     : std::string("CoNLL")) +
         " in " + text.encoding + ", " + std::to_string(out->size() - before) + " sentences");
  }

  // Words without anything that ends a sentence; few may be one.
  void refuse_endless(size_t words) const {
    constexpr size_t kMostWords = 200;
    if (words > kMostWords)
      throw Error(path_ + ": found " + std::to_string(words) +
                  (words >= kLookedLines ? " words or more" : " words") +
                  " with tags and nothing that ends a sentence, expected a blank line or row "
                  "between sentences, or a column \"sentence\"");
  }

  void tell_named(const WordColumns& named) const {
    const std::string& words =
        source_.columns.text.empty() ? named.names[named.word] : source_.columns.text.front();
    const std::string& tags =
        source_.columns.label.empty() ? named.names[named.tag] : source_.columns.label;
    say_(path_ + ": words \"" + words + "\", tags \"" + tags + "\"" +
         (named.sentence ? ", sentences \"" + named.names[*named.sentence] + "\"" : "") +
         ", as its first line names them");
  }

  // A row a word. A new sentence begins where the column of sentences says another, or behind a blank row.
  void read_sheet(const DecodedText& text, const Sheet& sheet, std::vector<TaggedSentence>* out) {
    TableOptions options = source_.table_options();
    options.header = sheet.named.has_value();
    options.separator = sheet.separator == ','   ? "comma"
                        : sheet.separator == ';' ? "semicolon"
                                                 : "tab";
    options.rewritten = true;  // blank rows stay
    if (sheet.named) options.wanted.push_back(sheet.named->names[sheet.named->tag]);
    const DataTable table = table_of(text, path_, options);
    for (const std::string& note : table.notes) say_(path_ + ": " + note);
    const auto place = [&](const std::string& given, size_t otherwise) {
      return given.empty() ? otherwise : table.column(given);
    };
    const OwnColumns& columns = source_.columns;
    const size_t word_at = place(columns.text.empty() ? "" : columns.text.front(), sheet.word());
    const size_t tag_at =
        place(columns.label, sheet.named ? sheet.named->tag : table.columns.size() - 1);
    const size_t width = table.columns.size();  // stands for no column
    const size_t sentence_at = sheet.named ? sheet.named->sentence.value_or(width) : width;
    // Where sentences end: behind these rows.
    std::vector<bool> ends(table.rows.size());
    SchemeFinder finder;
    std::string current;
    size_t merged = 0;
    bool characters = true, several = false;
    for (size_t r = 0; r < table.rows.size(); ++r) {
      const std::vector<std::string>& cells = table.rows[r].cells;
      const auto end_above = [&] {
        if (r > 0) ends[r - 1] = several = true;
        finder.end_sentence();
      };
      if (filled_size(cells) == 0) {
        end_above();
        continue;
      }
      if (sentence_at < width) {
        const std::string said(strip(cells[sentence_at]));
        merged += said.empty() ? 1 : 0;
        if (!said.empty() && said != current) end_above();
        if (!said.empty()) current = said;
      }
      finder.add(cells[tag_at]);
      characters = characters && to_code_points(strip(cells[word_at])).size() == 1;
    }
    if (!several) refuse_endless(table.rows.size());
    scheme_ = finder.scheme();
    tell_scheme();
    const size_t before = out->size();
    Sentence sentence;
    for (size_t r = 0; r < table.rows.size(); ++r) {
      const std::vector<std::string>& cells = table.rows[r].cells;
      if (filled_size(cells) > 0) {
        line_ = table.rows[r].place;
        const std::string word(strip(cells[word_at]));
        if (word.empty()) throw Error(where() + ": found no word, expected one");
        const std::string tag = checked(cells[tag_at], sentence);
        if (sentence.empty()) sentence.begin_at(where());
        if (characters)
          sentence.add_character(word, tag);
        else
          sentence.add_word(word, tag, true);
        sentence.stood_at(line_);
      }
      if ((ends[r] || r + 1 == table.rows.size()) && !sentence.empty())
        out->push_back(sentence.take());
    }
    if (sheet.named) tell_named(*sheet.named);
    if (merged > 0)
      say_(path_ + ": " + std::to_string(merged) +
           " rows do not say their sentence: they go on with the one above, as of a merged cell");
    say_(path_ + ": " + table.format + " of words with tags in " + text.encoding + ", " +
         std::to_string(out->size() - before) + " sentences");
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

  // A tag of the file's scheme as BIO has it, behind those of the sentence.
  std::string checked(const std::string& written, const Sentence& sentence) const {
    if (!is_tag(written))
      throw Error(where() + ": found the tag \"" + excerpt(written) +
                  "\", expected O, B-… or I-… (or of BIOES E-… and S-…)" +
                  (line_ == 1 && may_name_
                       ? "; names of columns are known as word and tag, or 단어 and 태그"
                       : ""));
    std::string tag = usual_tag(written);
    const std::string before = sentence.empty() ? "" : sentence.tags().back();
    if (tag[0] == 'E' || tag[0] == 'L') tag[0] = 'I';
    if (tag[0] == 'S' || tag[0] == 'U') tag[0] = 'B';
    const bool goes_on = before.size() > 2 && before.substr(1) == tag.substr(1);
    if (scheme_ == Scheme::iob1 && tag[0] == 'I' && !goes_on) tag[0] = 'B';
    const bool inside = tag.starts_with("I-");
    if (inside && !goes_on)
      throw Error(where() + ": found the tag \"" + excerpt(tag) + "\" after " +
                  (before.empty() ? "the sentence's start" : "\"" + excerpt(before) + "\"") +
                  ", expected B" + excerpt(tag.substr(1)) + " first");
    return tag;
  }

  void tell_scheme() const {
    if (scheme_ == Scheme::bioes) say_(path_ + ": tags are of BIOES or BILOU: read as BIO");
    if (scheme_ == Scheme::iob1)
      say_(path_ + ": tags are of IOB1, where I- begins an entity: read as BIO");
  }

  // Where the tag stands in a line of so many cells.
  size_t tag_column(size_t width, Form form) const {
    const bool named = form == Form::conllu || !source_.columns.label.empty();
    if (!named || form == Form::characters) return tag_place(width, named_);
    return column(form == Form::conllu ? conllu_column() : source_.columns.label, "label", width,
                  form);
  }

  Scheme scheme_of_lines(std::string_view text, Form form) const {
    SchemeFinder finder;
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
    Sentence sentence;
    line_ = 0;
    scheme_ = form == Form::conllu ? Scheme::bio : scheme_of_lines(text, form);
    tell_scheme();
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
        const std::string tag = checked(std::string(cells[1]), sentence);
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
        throw Error(where() + ": found " + std::to_string(cells.size()) +
                    " columns, expected the " + std::to_string(kConlluColumns.size()) +
                    " of CoNLL-U");
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
      tag = checked(tag, sentence);
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
    const auto pick = [&](const std::string& named, const std::vector<std::string>& usual,
                          const char* key) {
      if (!named.empty()) return table.column(named);
      for (const std::string& name : usual)
        if (std::ranges::find(table.columns, name) != table.columns.end())
          return table.column(name);
      throw usage_error(path_ + ": found the columns " + joined(table.columns) +
                        ", expected the key \"" + key + "\" to name the one with the list of " +
                        (std::string(key) == "text" ? "words" : "tags"));
    };
    const size_t words_at = pick(source_.columns.text.empty() ? "" : source_.columns.text.front(),
                                 {"tokens", "words", "characters"}, "text");
    const size_t tags_at =
        pick(source_.columns.label, {"tags", "ner_tags", "labels", "pos_tags"}, "label");
    std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> sentences;
    SchemeFinder finder;
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
        throw Error(table.where(row) + ": found " + std::to_string(words.size()) + " words and " +
                    std::to_string(tags.size()) + " tags, expected as many of both");
      for (const std::string& tag : tags) {
        finder.add(tag);
        ++all, usual += is_tag(tag) ? 1 : 0;
      }
      finder.end_sentence();
    }
    // Types without a scheme, as parts of speech: every word is an entity.
    const bool bio = usual * 2 > all;
    scheme_ = bio ? finder.scheme() : Scheme::bio;
    tell_scheme();
    const bool characters = std::ranges::all_of(sentences, [](const auto& one) {
      return std::ranges::all_of(
          one.first, [](const std::string& word) { return to_code_points(word).size() == 1; });
    });
    for (size_t r = 0; r < table.rows.size(); ++r) {
      const auto& [words, tags] = sentences[r];
      line_ = table.rows[r].place;
      Sentence sentence;
      sentence.begin_at(where());
      for (size_t i = 0; i < words.size(); ++i) {
        const std::string tag = checked(bio ? tags[i] : "B-" + tags[i], sentence);
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
  bool may_name_ = false;             // its first line might name columns
  Scheme scheme_ = Scheme::bio;       // of the file
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
  if (const std::optional<Sheet> sheet = sheet_of(text); sheet && sheet->entities > 0) return true;
  const std::optional<WordColumns> named = columns_named_above(text);
  const Shape shape = shape_of(text, named);
  if (shape.lines == 0) return false;
  if (shape.conllu * 10 > shape.lines * 9) return true;
  if (shape.tagged * 10 <= shape.lines * 9 || shape.entities == 0) return false;
  // Without a blank line single words and O tell it from texts with labels.
  return shape.blank > 0 || (shape.words * 10 > shape.lines * 9 && (named || shape.outside > 0));
}

bool looks_like_words(const std::string& text) {
  if (looks_tagged(text) || sheet_of(text)) return true;
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
