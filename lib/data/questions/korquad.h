// Reads JSON of KorQuAD and SQuAD.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace minibert {

struct KorquadQuestion {
  std::string id;
  std::string question;
  std::string answer;
  int64_t answer_start;  // code points into the context
  // Other texts that count as right; some sets' development questions have several annotators.
  std::vector<std::string> alternatives = {};
  std::vector<std::string> answers() const;  // all of them, the label first
};

struct KorquadParagraph {
  std::string title;
  std::string context;
  std::vector<KorquadQuestion> questions;
  std::string source = {};  // the file, for messages
};

struct KorquadSet {
  std::vector<KorquadParagraph> paragraphs;
  size_t unanswerable = 0;  // questions without an answer, which are left out
  // Only in a user's files: questions without an id, named by their places; answers without a
  // start, put at their first place in the context; and answers that the context lacks, which are
  // left out, with the question of the first.
  size_t named = 0, placed = 0, absent = 0;
  std::string first_absent = {};
  size_t question_count() const;
  // Returns a line for each of these counts that is not zero, for people.
  std::vector<std::string> notes() const;
};

struct KorquadSplits {
  KorquadSet train, dev, test;
};

// Returns the article's title, or the id of the paragraph's first question if it has none.
std::string cluster_of(const KorquadParagraph& paragraph);

// Reads KorQuAD 1.0 and SQuAD ("data" with "paragraphs"), KorQuAD 2 (an article with a context, one
// answer a question), or the list of articles alone. Ids may be numbers, titles may be missing, one
// answer may stand without its list. The file is plain, or compressed with zstd or gzip. The first
// of several answers is the label, different ones are alternatives. Leaves out questions with
// "is_impossible". Throws Error naming the file and the JSON path or question id: missing,
// truncated, not UTF-8, wrong type, no answer, empty answer, duplicate id.
KorquadSet read_korquad(const std::string& path);

// Reads files of other publishers. Leaves out questions without an answer; a blank answer is none.
// The id may be KLUE-MRC's "guid" or AI-Hub's "question_id"; without one it is `ids_begin` and the
// question's place ("1.2.3": article, paragraph, question, from 1). An answer without
// "answer_start" stands at its first place.
KorquadSet read_answered_questions(const std::string& path, const std::string& ids_begin = "");

// Reads questions that are to be answered: a question without an answer gets an empty one.
KorquadSet read_questions(const std::string& path);

// Returns true if a JSON file has articles with "paragraphs" or "qas". Throws Error if unreadable.
bool is_question_file(const std::string& path);

// Returns the fault of an answer's place in its context (code points), or "" if it stands at
// answer_start.
std::string wrong_place(std::u32string_view context, const KorquadQuestion& question);

}  // namespace minibert
