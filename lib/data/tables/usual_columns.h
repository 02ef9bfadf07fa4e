// What people call the columns of labelled texts.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace minibert {

// Lower-case names by what they hold, the more usual first; those of a pair stand at the same index.
const std::vector<std::string_view>& usual_text_columns();
const std::vector<std::string_view>& usual_first_columns();
const std::vector<std::string_view>& usual_second_columns();
const std::vector<std::string_view>& usual_label_columns();
const std::vector<std::string_view>& usual_group_columns();
const std::vector<std::string_view>& usual_question_columns();
const std::vector<std::string_view>& usual_context_columns();
const std::vector<std::string_view>& usual_answer_columns();

// Names that say something in one place alone; is_usual_column() does not ask for these.
// * The label and nothing else; a score or a category may stand beside it.
const std::vector<std::string_view>& sure_label_columns();
// * Of a text, unless it is the title of one.
const std::vector<std::string_view>& usual_title_columns();
// * Beside alternatives: what is asked, and which of them is right, in ARC and in sheets of exams, too.
const std::vector<std::string_view>& usual_asked_columns();
const std::vector<std::string_view>& usual_right_columns();
// * Two texts, by both names together.
const std::vector<std::pair<std::string_view, std::string_view>>& usual_pair_columns();
// * In which split or fold a row is.
const std::vector<std::string_view>& usual_split_columns();
// * In a table of words: the word, its tag, the sentence that they are of.
const std::vector<std::string_view>& usual_word_columns();
const std::vector<std::string_view>& usual_tag_columns();
const std::vector<std::string_view>& usual_sentence_columns();
// * In rows of a sentence each: lists of its words, as they are written, and of their tags.
const std::vector<std::string_view>& usual_word_list_columns();
const std::vector<std::string_view>& usual_tag_list_columns();

// A name in small letters (A to Z) and without spaces: "Sentence 1" is "sentence1".
std::string plain_name(std::string_view name);
// Is it one of `usual`, in upper or lower case and with spaces or without?
bool is_called(std::string_view name, const std::vector<std::string_view>& usual);
// Is it one of any list of usual names but those for one place?
bool is_usual_column(std::string_view name);
// Does it say who, when or which, or what a program proposes, and never what is learnt: an id, a time, an annotator?
bool is_of_no_example(std::string_view name);
// Does it hold scores, by its name?
bool is_score_column(std::string_view name);
// The first of `usual` that is one of `columns`, as that writes it, else that is the last key of a nested
// one ("data.text"), else the only column whose last word is such a name ("Review Text"); empty: none.
std::string usual_among(const std::vector<std::string_view>& usual,
                        const std::vector<std::string>& columns);

}  // namespace minibert
