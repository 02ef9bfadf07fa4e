// Converts tagged characters to tagged pieces and back. The model sees pieces; figures count
// characters and their entities.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "data/splits/tagged_data.h"
#include "rules/tag_decode.h"
#include "task/task_kind.h"
#include "task/text_rows.h"

namespace minibert {

// "features" of an experiment.
struct TaggingSettings : TaskSettings {
  int max_length = 256;  // pieces in a row, including special ones; later ones are tagged O
};

struct TaggingSplit {
  std::vector<std::string> ids, texts;
  std::vector<std::string> gold;  // by sentence: its characters' tags, separated by spaces
  TextRows rows;                  // one a sentence
  std::vector<std::vector<PieceCharacters>> characters;  // for the pieces between [CLS] and [SEP]
};

// Appends [CLS] pieces [SEP] of a text, and the characters of the pieces.
void append_tagging_row(const Tokenizer& tokenizer, const std::string& text, int max_length,
                        TaggingSplit* split);

// Returns each piece's tag, that of its first character, as an index into `tags`. Throws Error that
// begins with `where` for a tag outside `tags`.
std::vector<int64_t> piece_tags(const std::vector<PieceCharacters>& pieces,
                                const std::vector<std::string>& character_tags,
                                const std::vector<std::string>& tags, const std::string& where);

class TaggingData : public TaskData {
 public:
  // Throws Error for no tagged sentences, or a tag of dev or test that training lacks.
  explicit TaggingData(const LoadRequest& request);

  std::map<std::string, size_t> examples() override;
  std::vector<std::string> asked(Split split) override;
  std::shared_ptr<const TaggingSplit> split(Split split);
  // Returns the tags of a split's pieces, as indices into `tags`. Throws Error naming a sentence
  // with another tag.
  std::vector<std::vector<int64_t>> targets(Split split, const std::vector<std::string>& tags);
  const std::vector<std::string>& tags() const { return tags_; }  // O, then the others sorted
  const Tokenizer& tokenizer() const { return tokenizer_; }
  int max_length() const { return max_length_; }  // pieces in a row

 private:
  const std::vector<TaggedSentence>& sentences(Split split) const;

  TaggedSplits splits_;
  std::vector<std::string> tags_;
  const Tokenizer& tokenizer_;
  int max_length_;
  size_t limit_;
  std::function<void(const std::string&)> say_;
  std::map<Split, std::shared_ptr<const TaggingSplit>> encoded_;
};

}  // namespace minibert
