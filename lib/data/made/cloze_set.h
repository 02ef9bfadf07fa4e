// Makes a question answering set by rule from a text corpus: passages of its documents and
// questions about their sentences, as SQuAD v1 JSON.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/made/cloze_words.h"

namespace minibert {

class TextOverlap;

struct ClozeSettings {
  uint64_t count = 0;  // number of questions; 0: as many as the text gives
  uint64_t seed = 1;
  int threads = 1;                       // ≥ 1; the result does not depend on it
  const TextOverlap* exclude = nullptr;  // paragraphs that overlap it are left out
};

struct ClozeCounts {
  uint64_t documents = 0;  // read
  uint64_t passages = 0;   // with questions
  uint64_t excluded = 0;   // paragraphs left out for their overlap
  std::array<uint64_t, kClozeKinds> questions{};
  uint64_t total() const;
};

// {"documents", "passages", "excluded_paragraphs", "questions", "kinds": {kind: questions}}.
nlohmann::json to_json(const ClozeCounts& counts);

// Makes at most one question a sentence and four a passage. Ids are "cloze-<document's
// number>-<n>"; random decisions follow from the seed and the document's number.
//
// Streams `texts` (as CorpusReader takes them) and replaces `out_path`. Memory does not grow with
// the corpus. Throws Error for unreadable text (see CorpusReader), a text that gives no question,
// and a file that cannot be written.
ClozeCounts make_cloze_set(const std::vector<std::string>& texts, const std::string& out_path,
                           const ClozeSettings& settings);

}  // namespace minibert
