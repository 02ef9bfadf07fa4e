// Loads the train, dev and test split of a question data set.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "data/questions/korquad.h"
#include "data/registry.h"

namespace minibert {

// Reads the question files of a data set. If it is split by article, the titles are sorted by their
// SHA-256: the first `train` percent are the training split, the next `dev` percent dev, the rest
// test. The result is equal on every machine, and no article is in two splits. Paragraphs keep the
// file's order. Files that an experiment names are SQuAD's JSON (read_answered_questions), with
// answers at their stated places; splits without a file are held out by article, or by context if
// there are fewer than ten articles. Throws Error like read_korquad(), for a data set without
// questions, and for a question id in two files.
KorquadSplits load_korquad(
    const ResolvedData& data,
    const std::function<void(const std::string&)>& say = [](const std::string&) {});

// Reads questions of one's own files without splitting them. Errors name the file and the question.
KorquadSet read_own_questions(
    const std::vector<std::string>& paths,
    const std::function<void(const std::string&)>& say = [](const std::string&) {});

struct TextFiles {
  std::vector<std::string> train, dev, test;  // paths
};

// Returns the plain text files of a data set. Throws Error if it has none.
TextFiles text_files(const ResolvedData& data);

}  // namespace minibert
