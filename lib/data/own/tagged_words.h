// Words and characters with tags, whatever file they stand in: how tags are written, how columns are called, and the
// sentences that they become.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/examples.h"
#include "data/own/own_splits.h"
#include "data/own_source.h"

namespace minibert {

// So many lines tell what a file is.
inline constexpr size_t kLookedLines = 2000;

// Takes the next line off a text and returns it without its end.
std::string_view take_line(std::string_view* text);

// A cell without white space and quotes around it.
std::string_view unquoted(std::string_view cell);

// Of any scheme: B begins an entity, I goes on, E or L ends one, S or U is one alone. "B_PS" and "PS_B" (Naver's, whose
// O is "-") are read as "B-PS". Without white space around it; what is no tag as it is.
std::string usual_tag(std::string_view written);

// Whether a cell is a tag of an entity, or such a one or O, in any of these spellings.
bool is_entity_tag(std::string_view written);
bool is_written_tag(std::string_view written);

enum class TagScheme {
  bio,    // every entity begins with B (IOB2)
  iob1,   // it begins with I, or with B directly behind another of its type
  bioes,  // as bio, and ends with E, or is S alone; also with L and U (BILOU)
};

// Tells the scheme from all tags of a file.
class TagSchemeFinder {
 public:
  void add(std::string_view written);
  void end_sentence() { before_.clear(); }
  TagScheme scheme() const;

 private:
  std::string before_;
  bool ends_ = false, open_inside_ = false, open_begin_ = false;
};

// Says as what tags are read that are not of BIO.
void tell_scheme(TagScheme scheme, const std::string& path, const Say& say);

// Words with spaces between them become characters with tags of BIO.
class SentenceBuilder {
 public:
  explicit SentenceBuilder(TagScheme scheme) : scheme_(scheme) {}

  // A tag of the file's scheme as BIO has it, behind those of the sentence. Throws Error that begins with `where`;
  // `may_name`: the line might be meant to name columns.
  std::string checked(const std::string& written, const std::string& where, bool may_name) const;

  // Before its first word or character: where it stands.
  void begin_at(const std::string& place) { sentence_.where = place; }
  void add_word(const std::string& word, const std::string& tag, bool space_before);
  void add_character(std::string_view character, const std::string& tag);
  // Says in which line of the file the word or character stands that was added last.
  void stood_at(uint64_t line) { sentence_.lines.resize(sentence_.tags.size(), line); }

  bool empty() const { return sentence_.tags.empty(); }
  TaggedSentence take() { return std::exchange(sentence_, {}); }

 private:
  TagScheme scheme_;
  TaggedSentence sentence_;
};

// What a first line names above words with tags.
struct WordColumns {
  std::vector<std::string> names;
  size_t word = 0, tag = 0;
  std::optional<size_t> sentence = {};
};

// The columns that cells name, where a word and a tag are among them.
std::optional<WordColumns> columns_named(const std::vector<std::string_view>& cells);

// Says which columns of a file are taken, those that somebody gives before those that its first line names.
void tell_columns(const WordColumns& named, const OwnColumns& given, const std::string& path,
                  const Say& say);

// Throws Error where nothing ends a sentence and there are more words than one has.
void refuse_endless(size_t words, const std::string& path);

}  // namespace minibert
