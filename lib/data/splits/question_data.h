// The train, dev and test split of a data set.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "data/questions/korquad.h"
#include "data/registry.h"

namespace minibert {

// Reads the question files of a data set. Where it is split by article, the titles are sorted by
// their SHA-256, the first `train` percent of them are the training split, the next `dev` percent
// dev, the rest test: the same on every machine, and no article in two splits. Paragraphs keep the
// file's order. Errors: as read_korquad; a data set without questions; a question id in two files.
// Files that an experiment names are SQuAD's JSON (read_answered_questions), whose answers stand where they say; splits
// without a file are held out by article, or by context where there are fewer than ten articles.
KorquadSplits load_korquad(
    const ResolvedData& data,
    const std::function<void(const std::string&)>& say = [](const std::string&) {});

struct TextFiles {
  std::vector<std::string> train, dev, test;  // paths
};

// The plain text files of a data set. Error: it has none.
TextFiles text_files(const ResolvedData& data);

}  // namespace minibert
