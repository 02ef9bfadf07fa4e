// What people call the columns of labelled texts.
#pragma once

#include <string>
#include <string_view>
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

// A name in small letters (A to Z) and without spaces: "Sentence 1" is "sentence1".
std::string plain_name(std::string_view name);
// Is it any of these, in upper or lower case and with spaces or without?
bool is_usual_column(std::string_view name);
// Does it say who, when or which, and never what is learnt: an id, a time, an annotator?
bool is_of_no_example(std::string_view name);
// Does it hold scores, by its name?
bool is_score_column(std::string_view name);
// The first of `usual` that is one of `columns`, as that writes it, else that is the last key of a nested
// one ("data.text"), else the only column whose last word is such a name ("Review Text"); empty: none.
std::string usual_among(const std::vector<std::string_view>& usual,
                        const std::vector<std::string>& columns);

}  // namespace minibert
