// Pretraining instances from a text corpus, as the course makes them (S0:
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
  uint64_t excluded_paragraphs = 0;  // left out for what they share with evaluation texts
  // Read, but in no instance: with a sentence task documents of one paragraph, and of others a last
  // paragraph that is left over.
  uint64_t unused_documents = 0;
  uint64_t unused_paragraphs = 0;
  uint64_t instances = 0;
  uint64_t tokens = 0;    // pieces of all instances, special ones included
  uint64_t in_order = 0;  // instances with nsp 1
  uint64_t masked = 0;    // masked positions; with dynamic masking those of one trial masking
  uint64_t longest = 0;
  static constexpr int kBin = 16;
  std::vector<uint64_t> length_histogram;  // instances of 1…16, 17…32, … pieces

  double mask_rate() const;  // masked / tokens
};

// "2,374 of 2,394 documents have one paragraph …", where much of the text is in no instance, by the
// statistics of an instance file; empty where little is.
std::string unused_text(const nlohmann::json& statistics);

// The fields above, with "mask_rate", "mean_length" and
// "length_histogram": {"bin_width": 16, "counts": [...]}.
nlohmann::json to_json(const InstanceStatistics& statistics);

// Makes instances of the documents in `text_files` (as CorpusReader takes them) and replaces
// `out_path` by a file of them (data/instances/instance_file.h).
//
// swap: paragraphs of a document are gathered until they have sequence_length - 3 pieces or it
// ends; at least two. A random cut between paragraphs makes A and B, which change places half the
// time; then the front of A or the back of B, whichever is longer, is trimmed until they fit. With
// lone_paragraphs a document of one paragraph is its first sequence_length - 2 pieces.
// random_next: the same cut, but half the time B is text of another document, from a random
// paragraph on, and the paragraphs after the cut are used again, as in BERT's own program. The
// other document is one of those near in the corpus (of one reading batch), so that memory stays
// flat. none: a document's text cut into pieces of sequence_length - 2, the last one shorter; of unit
// line the first sequence_length - 2 pieces of every line; of unit packed as a document is, but of the text
// of all documents of one reading batch (256 KiB).
//
// Paragraphs that overlap `exclude` are left out, if there is one. No article is cut twice with
// passes 1.
//
// The file's bytes follow from the arguments, whatever the number of threads (≥ 1); memory does not
// grow with the corpus. Throws Error: unreadable text (see CorpusReader), a text that makes no
// instance at all, a vocabulary over 65,536 pieces, random_next with a single document.
InstanceStatistics create_instances(const std::vector<std::string>& text_files,
                                    const Tokenizer& tokenizer, const InstanceSettings& settings,
                                    const std::string& out_path, int threads,
                                    const TextOverlap* exclude = nullptr);

inline constexpr const char* kInstanceCache = "build/cache/instances";

// Path of a file as create_instances makes it, made now unless the cache has it. It is named by the
// texts', the tokenizer's and the excluded n-grams' SHA-256, the settings and the format's version.
std::string cached_instances(const std::vector<std::string>& text_files, const Tokenizer& tokenizer,
                             const InstanceSettings& settings,
                             const std::string& cache_dir = kInstanceCache, int threads = 1,
                             const TextOverlap* exclude = nullptr);

}  // namespace minibert
