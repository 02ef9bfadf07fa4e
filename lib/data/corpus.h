// Reads the documents of a text corpus as a stream: plain text, JSON lines, the same compressed,
// and WikiExtractor trees.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "text/line_reader.h"

namespace minibert {

struct Document {
  // The lines that are not blank, without white space at their ends. The first is the title; as in
  // the course it is a paragraph like the others.
  std::vector<std::string> paragraphs;
  size_t bytes = 0;  // of all paragraphs
};

class TextOverlap;

// The articles to read. The title alone puts an article into a half, whatever file it stands in:
// one half to choose a model by, one to report figures on.
enum class ArticlePart { all, first_half, second_half };

struct CorpusOptions {
  ArticlePart part = ArticlePart::all;
  // Leaves out paragraphs that overlap these texts; it must outlive the reader.
  const TextOverlap* exclude = nullptr;
};

enum class TextForm { plain, wiki, json_lines };

struct CorpusCounts {
  uint64_t documents = 0;
  uint64_t paragraphs = 0;
  uint64_t bytes = 0;  // of the paragraphs
  uint64_t excluded_paragraphs = 0;
};

// A longer line is a bad line, a longer document is cut into several, so that no text, however odd,
// takes more memory.
inline constexpr size_t kLongestParagraph = size_t{1} << 20;
inline constexpr size_t kLongestDocument = size_t{4} << 20;

// Reads files one after the other. A path that is a folder stands for the files under it, sorted by
// path; files and folders whose names begin with a dot are passed over. A file whose first line that is not blank begins
// with "<doc " is read as WikiExtractor output: each document stands between <doc id= url= title=> and </doc>, its first
// line is the title and blank lines mean nothing. A file whose name says JSON lines (.jsonl, .ndjson, perhaps
// compressed), or whose first line is one, has a document a line: a JSON object with a string "text", whose lines are
// the paragraphs, and perhaps a string "title", which comes first. Any other file is plain text: a title line, one
// paragraph a line, an empty line between documents. Line ends may be CRLF. Not thread-safe.
class CorpusReader {
 public:
  // Throws Error naming a path that does not exist or a folder without files.
  CorpusReader(const std::vector<std::string>& paths, CorpusOptions options = {});

  // Reads the next document of the part, which is never empty; returns false at the end. Throws
  // Error naming file and line: a line that is not UTF-8, too long, or of JSON lines no such
  // object, text outside <doc> … </doc>, a <doc> that is not closed, a file of other JSON.
  bool next(Document* document);

  // Counts what next() has returned.
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
  bool pending_ = false;              // line_ has yet to be used
  std::string raw_, line_;
};

// Returns the files that `paths` stand for, folders expanded. Throws as CorpusReader does.
std::vector<std::string> corpus_files(const std::vector<std::string>& paths);

// Returns the same files, but in the place of one of JSON lines or of WikiExtractor its documents as plain text, for
// programs that read lines, such as SentencePiece's trainer. Makes that text in `cache_dir`, under
// the name of the file's SHA-256, unless it is there. Throws as CorpusReader does.
std::vector<std::string> plain_text_files(const std::vector<std::string>& files,
                                          const std::string& cache_dir);

}  // namespace minibert
