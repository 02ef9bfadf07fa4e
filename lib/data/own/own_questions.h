// One's own files as questions with contexts.
#pragma once

#include "data/own/own_splits.h"
#include "data/own_source.h"
#include "data/questions/korquad.h"

namespace minibert {

// SQuAD's and KorQuAD's JSON (read_answered_questions), or a table with a question, a context and an answer a row
// and, where there is one, the answer's start in code points (else its first occurrence). Rows whose
// answer does not stand in the context are left out and counted, as are questions that have no answer.
// Questions on one article (of a table: with one group, else one context) stay in one split; where there are few
// articles, those on one context do. A question that stands in a later split's file, too, is left out and counted; ids
// differ in all splits. Throws Error also for an answer of JSON that does not stand at its answer_start, naming file
// and question.
KorquadSplits load_own_questions(const OwnSource& source, const Say& say);

// Is the file what SQuAD and KorQuAD are?
bool is_question_json(const std::string& path);

}  // namespace minibert
