// Makes a pretraining text of single sentences.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace minibert {

struct SentenceSource {
  std::string path;  // as CorpusReader takes it
  // Utterances: a paragraph without a final mark gets the mark that its last syllable suggests (다 a
  // full stop, 까 a question mark). Other texts lose such paragraphs (headings, list items).
  bool utterances = false;
};

struct SentenceTextSettings {
  size_t shortest = 8, longest = 70;  // characters of a sentence
  uint64_t most = 0;                  // sentences a source, drawn evenly; 0: all
  uint64_t seed = 1;                  // for the draw and the order
};

struct SentenceTextCounts {
  std::string path;
  uint64_t paragraphs = 0, found = 0, sentences = 0, bytes = 0;  // found: before the draw
};

// Returns the sentences of a paragraph. Each ends in a Hangul syllable and one of . ? ! before a
// space or the end. A sentence is left out if it has another end, is too short or too long, has
// fewer than two words, is not mostly Hangul, holds markup, or opens a bracket or quotation that it
// does not close.
std::vector<std::string> single_sentences(std::string_view paragraph, bool utterances,
                                          const SentenceTextSettings& settings);

// Writes the sentences of all sources, each once and as its own document: a line, then an empty
// line, in an order that follows from `seed`. Replaces `out`. Throws Error like CorpusReader, and
// if `out` cannot be written.
std::vector<SentenceTextCounts> write_sentence_text(const std::vector<SentenceSource>& sources,
                                                    const std::string& out,
                                                    const SentenceTextSettings& settings);

}  // namespace minibert
