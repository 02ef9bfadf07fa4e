// Streams a corpus's documents: plain text, JSON lines, WikiExtractor trees, also compressed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "text/line_reader.h"

namespace minibert {

struct Document {
  // The non-blank lines, trimmed. The first, the title, is a paragraph, too, as in the course.
  std::vector<std::string> paragraphs;
  size_t bytes = 0;  // of all paragraphs
};

class TextOverlap;

// The articles to read. The half of an article follows from its title, not from its file: one half
// serves to choose a model, the other to report figures.
enum class ArticlePart { all, first_half, second_half };

struct CorpusOptions {
  ArticlePart part = ArticlePart::all;
  // Leaves out paragraphs that overlap these texts, which must outlive the reader.
  const TextOverlap* exclude = nullptr;
};

enum class TextForm { plain, wiki, json_lines };

struct CorpusCounts {
  uint64_t documents = 0;
  uint64_t paragraphs = 0;
  uint64_t bytes = 0;  // of the paragraphs
  uint64_t excluded_paragraphs = 0;
};

// A longer line is an error, a longer document becomes several: no text takes more memory.
inline constexpr size_t kLongestParagraph = size_t{1} << 20;
inline constexpr size_t kLongestDocument = size_t{4} << 20;

// Reads files one after the other. A folder stands for the files under it, sorted by path, without
// files and folders that begin with a dot. The form of a file follows from its first non-blank line
// or its name:
// * WikiExtractor output begins with "<doc ". Each document stands between <doc id= url= title=>
//   and </doc>; its first line is the title, and blank lines mean nothing.
// * JSON lines have a name in .jsonl or .ndjson (perhaps compressed) or begin with such a line.
//   Each line is a document: an object with a string "text", whose lines are the paragraphs, and
//   perhaps a string "title", which comes first.
// * Any other file is plain text: a title line, one paragraph a line, an empty line between
//   documents.
//
// Line ends may be CRLF. Not thread-safe.
class CorpusReader {
 public:
  // Throws Error naming a path that does not exist or a folder without files.
  CorpusReader(const std::vector<std::string>& paths, CorpusOptions options = {});

  // Reads the next document of the part, which is never empty; returns false at the end. Throws
  // Error naming file and line for a line that is not UTF-8, too long or no such JSON object, for
  // text outside <doc> … </doc>, for a <doc> that is not closed, and for a file of other JSON.
  bool next(Document* document);

  // Counts the documents that next() has returned.
  const CorpusCounts& counts() const { return counts_; }

 private:
  bool read(Document* document);
  bool is_wanted(const Document& document) const;
  void leave_out_excluded(Document* document);
  bool next_line();
  [[noreturn]] void refuse_line(const std::string& problem) const;
  bool read_plain(Document* document);
  bool read_wiki(Document* document);
  bool read_jsonl(Document* document);
  void add(Document* document);

  std::vector<std::string> files_;
  size_t next_file_ = 0;
  CorpusOptions options_;
  CorpusCounts counts_;
  std::optional<LineReader> reader_;  // of the open file
  TextForm form_ = TextForm::plain;   // of the open file
  bool inside_ = false;               // between <doc …> and </doc>
  bool pending_ = false;              // line_ is still unused
  std::string raw_, line_;
};

// Returns the files of `paths`, with folders expanded. Throws like CorpusReader.
std::vector<std::string> corpus_files(const std::vector<std::string>& paths);

// Returns the same files for programs that read lines, such as SentencePiece's trainer: a plain
// text file replaces each file of JSON lines or of WikiExtractor. Makes it in `cache_dir`, named by
// the file's SHA-256, unless it is there. Throws like CorpusReader.
std::vector<std::string> plain_text_files(const std::vector<std::string>& files,
                                          const std::string& cache_dir);

}  // namespace minibert
