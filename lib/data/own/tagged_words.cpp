#include "data/own/tagged_words.h"

#include <algorithm>

#include "core/error.h"
#include "core/excerpt.h"
#include "core/utf8.h"
#include "data/tables/header_rows.h"
#include "data/tables/usual_columns.h"
#include "text/python_text.h"

namespace minibert {

std::string_view take_line(std::string_view* text) {
  const size_t end = std::min(text->find('\n'), text->size());
  std::string_view line = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view unquoted(std::string_view cell) {
  cell = strip(cell);
  const bool quoted = cell.size() > 1 && cell.starts_with('"') && cell.ends_with('"');
  return quoted ? cell.substr(1, cell.size() - 2) : cell;
}

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

bool is_entity_tag(std::string_view written) {
  const std::string usual = usual_tag(written);
  return usual.size() > 2 && usual[1] == '-' && usual.find(' ') == std::string::npos &&
         std::string_view("BIELSU").find(usual[0]) != std::string_view::npos;
}

bool is_written_tag(std::string_view written) {
  return is_entity_tag(written) || usual_tag(written) == "O";
}

void TagSchemeFinder::add(std::string_view written) {
  // What is no tag is told by its line, and says nothing of the scheme.
  const std::string tag = is_entity_tag(written) ? usual_tag(written) : "";
  const bool goes_on = !before_.empty() && !tag.empty() && before_.substr(2) == tag.substr(2);
  if (!tag.empty()) {
    ends_ = ends_ || std::string_view("ELSU").find(tag[0]) != std::string_view::npos;
    open_inside_ = open_inside_ || (tag[0] == 'I' && !goes_on);
    open_begin_ = open_begin_ || (tag[0] == 'B' && !goes_on);
  }
  before_ = tag;
}

TagScheme TagSchemeFinder::scheme() const {
  // A file with both ways of beginning has mistakes, which are told as those of BIO.
  return ends_ ? TagScheme::bioes : open_inside_ && !open_begin_ ? TagScheme::iob1 : TagScheme::bio;
}

void tell_scheme(TagScheme scheme, const std::string& path, const Say& say) {
  if (scheme == TagScheme::bioes) say(path + ": tags are of BIOES or BILOU: read as BIO");
  if (scheme == TagScheme::iob1)
    say(path + ": tags are of IOB1, where I- begins an entity: read as BIO");
}

std::string SentenceBuilder::checked(const std::string& written, const std::string& where,
                                     bool may_name) const {
  if (!is_written_tag(written))
    throw Error(where + ": found the tag \"" + excerpt(written) +
                "\", expected O, B-… or I-… (or of BIOES E-… and S-…)" +
                (may_name ? "; names of columns are known as word and tag, or 단어 and 태그" : ""));
  std::string tag = usual_tag(written);
  const std::string before = empty() ? "" : sentence_.tags.back();
  if (tag[0] == 'E' || tag[0] == 'L') tag[0] = 'I';
  if (tag[0] == 'S' || tag[0] == 'U') tag[0] = 'B';
  const bool goes_on = before.size() > 2 && before.substr(1) == tag.substr(1);
  if (scheme_ == TagScheme::iob1 && tag[0] == 'I' && !goes_on) tag[0] = 'B';
  if (tag.starts_with("I-") && !goes_on)
    throw Error(where + ": found the tag \"" + excerpt(tag) + "\" after " +
                (before.empty() ? "the sentence's start" : "\"" + excerpt(before) + "\"") +
                ", expected B" + excerpt(tag.substr(1)) + " first");
  return tag;
}

void SentenceBuilder::add_word(const std::string& word, const std::string& tag, bool space_before) {
  if (space_before && !sentence_.text.empty()) {
    sentence_.text += " ";
    // The word goes on with the entity of the one before it.
    sentence_.tags.push_back(tag.starts_with("I-") ? tag : "O");
  }
  sentence_.text += word;
  const size_t size = to_code_points(word).size();
  for (size_t i = 0; i < size; ++i)
    sentence_.tags.push_back(i == 0 || tag == "O" ? tag : "I-" + tag.substr(2));
}

void SentenceBuilder::add_character(std::string_view character, const std::string& tag) {
  sentence_.text += character;
  sentence_.tags.push_back(tag);
}

std::optional<WordColumns> columns_named(const std::vector<std::string_view>& cells) {
  WordColumns out;
  const auto place = [&](const std::vector<std::string_view>& usual) {
    const auto found = std::ranges::find_if(
        out.names, [&](const std::string& name) { return is_called(name, usual); });
    return static_cast<size_t>(found - out.names.begin());
  };
  for (const std::string_view cell : cells) out.names.push_back(column_name(unquoted(cell)));
  out.word = place(usual_word_columns());
  out.tag = place(usual_tag_columns());
  if (const size_t sentence = place(usual_sentence_columns()); sentence < cells.size())
    out.sentence = sentence;
  if (out.word >= cells.size() || out.tag >= cells.size()) return std::nullopt;
  return out;
}

void tell_columns(const WordColumns& named, const OwnColumns& given, const std::string& path,
                  const Say& say) {
  const std::string& words = given.text.empty() ? named.names[named.word] : given.text.front();
  const std::string& tags = given.label.empty() ? named.names[named.tag] : given.label;
  say(path + ": words \"" + words + "\", tags \"" + tags + "\"" +
      (named.sentence ? ", sentences \"" + named.names[*named.sentence] + "\"" : "") +
      ", as its first line names them");
}

void refuse_endless(size_t words, const std::string& path) {
  constexpr size_t kMostWords = 200;
  if (words > kMostWords)
    throw Error(path + ": found " + std::to_string(words) +
                (words >= kLookedLines ? " words or more" : " words") +
                " with tags and nothing that ends a sentence, expected a blank line or row between "
                "sentences, or a column \"sentence\"");
}

}  // namespace minibert
