// Makes pretraining instances from a text corpus, as the course does (S0:
// create_pretrain_instances, make_pretrain_data).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/instances/instance_file.h"
#include "data/instances/instance_settings.h"
#include "text/tokenizer.h"

namespace minibert {

struct InstanceStatistics {
  uint64_t documents = 0;            // read, in all passes
  uint64_t paragraphs = 0;           // read, in all passes
  uint64_t excluded_paragraphs = 0;  // left out because evaluation texts have them
  // Read, but in no instance: with a sentence task, documents of one paragraph and the last,
  // left-over paragraphs of others.
  uint64_t unused_documents = 0;
  uint64_t unused_paragraphs = 0;
  uint64_t instances = 0;
  uint64_t tokens = 0;    // pieces in all instances, including special ones
  uint64_t in_order = 0;  // instances with nsp 1
  uint64_t masked = 0;    // masked positions; with dynamic masking, those of one trial masking
  uint64_t longest = 0;
  static constexpr int kBin = 16;
  std::vector<uint64_t> length_histogram;  // instances with 1…16, 17…32, … pieces

  double mask_rate() const;  // masked / tokens
};

// Returns "2,374 of 2,394 documents have one paragraph …" if much text is in no instance, by the
// statistics of an instance file; else "".
std::string unused_text(const nlohmann::json& statistics);

// Writes the fields above, with "mask_rate", "mean_length" and "length_histogram": {"bin_width":
// 16, "counts": [...]}.
nlohmann::json to_json(const InstanceStatistics& statistics);

// Makes instances of the documents in `text_files` (as CorpusReader takes them) and replaces
// `out_path` by a file of them (data/instances/instance_file.h).
//
// * swap: paragraphs of a document, two or more, are gathered until they have sequence_length - 3
//   pieces or the document ends. A random cut between paragraphs makes A and B, which change places
//   half the time; then the longer one is trimmed, A at its front or B at its back, until they fit.
//   With lone_paragraphs a document of one paragraph gives its first sequence_length - 2 pieces.
// * random_next: the same cut, but half the time B is text of another document, from a random
//   paragraph on, and the paragraphs after the cut are used again, as in BERT's own program. The
//   other document is near in the corpus (in the same reading batch), so that memory does not grow.
// * none: a document's text in pieces of sequence_length - 2, the last one shorter; with unit line
//   the first sequence_length - 2 pieces of every line; with unit packed the text of all documents
//   in a reading batch (256 KiB), cut in the same way.
//
// Leaves out paragraphs that overlap `exclude`, if given. With passes 1 no article is cut twice.
//
// The file's bytes follow from the arguments, whatever the number of threads (≥ 1). Memory does not
// grow with the corpus. Throws Error for unreadable text (see CorpusReader), a text that makes no
// instance, a vocabulary over 65,536 pieces, and random_next with a single document.
InstanceStatistics create_instances(const std::vector<std::string>& text_files,
                                    const Tokenizer& tokenizer, const InstanceSettings& settings,
                                    const std::string& out_path, int threads,
                                    const TextOverlap* exclude = nullptr);

inline constexpr const char* kInstanceCache = "build/cache/instances";

// Returns the path of a file from create_instances(), which it calls unless the cache has the file.
// The name holds the SHA-256 of the texts, the tokenizer and the excluded n-grams, the settings and
// the format's version.
std::string cached_instances(const std::vector<std::string>& text_files, const Tokenizer& tokenizer,
                             const InstanceSettings& settings,
                             const std::string& cache_dir = kInstanceCache, int threads = 1,
                             const TextOverlap* exclude = nullptr);

}  // namespace minibert
