// Single sentences of texts as a text to pretrain on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace minibert {

struct SentenceSource {
  std::string path;  // as CorpusReader takes it
  // Utterances: a paragraph without a mark at its end gets the one that its last syllable asks for
  // (다 a full stop, 까 a question mark); others are left out, as headings and list items are.
  bool utterances = false;
};

struct SentenceTextSettings {
  size_t shortest = 8, longest = 70;  // characters of a sentence
  uint64_t most = 0;                  // of every source, drawn evenly; 0: all
  uint64_t seed = 1;                  // of the draw and of the order
};

struct SentenceTextCounts {
  std::string path;
  uint64_t paragraphs = 0, found = 0, sentences = 0, bytes = 0;  // found: before the draw
};

// Sentences of a paragraph: each ends in a Hangul syllable and one of . ? ! before a space or the
// end. What does not end so, is too short or too long, is less than two words, is not mostly Hangul,
// holds markup, or opens a bracket or quotation that it does not close, is left out.
std::vector<std::string> single_sentences(std::string_view paragraph, bool utterances,
                                          const SentenceTextSettings& settings);

// Writes the sentences of all sources, each once and as a document of its own: one a line, an empty
// line behind it, in an order that follows from `seed`. Replaces `out`. Errors: as CorpusReader; a
// file that cannot be written.
std::vector<SentenceTextCounts> write_sentence_text(const std::vector<SentenceSource>& sources,
                                                    const std::string& out,
                                                    const SentenceTextSettings& settings);

}  // namespace minibert
