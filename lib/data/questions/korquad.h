// JSON of KorQuAD and SQuAD.
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
  // Other texts that count as right (some sets' development questions have several annotators).
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
  size_t unanswerable = 0;  // questions that have no answer and are left out
  // Of one's own files: questions without an id, which their places name; answers without a start, which get their
  // first place in the context, and those that stand nowhere there and are left out, with the first one's question.
  size_t named = 0, placed = 0, absent = 0;
  std::string first_absent = {};
  size_t question_count() const;
  // A line for each of these that is not zero, for people.
  std::vector<std::string> notes() const;
};

struct KorquadSplits {
  KorquadSet train, dev, test;
};

// The article's title; of a paragraph without one the id of its first question.
std::string cluster_of(const KorquadParagraph& paragraph);

// KorQuAD 1.0 and SQuAD ("data" with "paragraphs"), KorQuAD 2 (an article with a context, one answer a
// question), or the list of articles alone; ids may be numbers, titles may be missing, one answer may stand without its
// list. Plain, or compressed with zstd or gzip. Errors name the file and the JSON path or question id:
// missing, truncated, not UTF-8, wrong type, no answer, empty answer, duplicate id. Of several
// answers the first is the label, differing others are alternatives. Questions with "is_impossible" are left out.
KorquadSet read_korquad(const std::string& path);

// The same of files as others publish them. Every question without an answer is left out; an answer that is blank is
// none. The id may be KLUE-MRC's "guid" or AI-Hub's "question_id"; without one it is `ids_begin` and the question's
// place ("1.2.3": article, paragraph, question, from 1). An answer without "answer_start" stands at its first place.
KorquadSet read_answered_questions(const std::string& path, const std::string& ids_begin = "");

// The same to be answered: questions need no answers, and those without one have an empty text and are not left out.
KorquadSet read_questions(const std::string& path);

// Whether a JSON file is of this shape: articles with "paragraphs" or "qas". Throws Error where it cannot be read.
bool is_question_file(const std::string& path);

// What is wrong with an answer's place in its context, whose code points are given; empty: it stands at answer_start.
std::string wrong_place(std::u32string_view context, const KorquadQuestion& question);

}  // namespace minibert
