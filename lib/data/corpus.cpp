#include "data/corpus.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "core/error.h"
#include "core/files.h"
#include "core/sha256.h"
#include "core/utf8.h"
#include "data/files/table.h"
#include "data/text_overlap.h"
#include "text/python_text.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;

// Files that systems and archives leave in folders by themselves.
bool is_hidden(std::string_view name) {
  return name.starts_with('.') || name == "Thumbs.db" || name == "desktop.ini" ||
         name == "__MACOSX" || name.starts_with("~$");
}

// WikiExtractor writes &, < and > as entities.
std::string unescape(std::string_view text) {
  constexpr std::pair<std::string_view, char> entities[] = {
      {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}};
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t plain = std::min(text.find('&'), text.size());
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    const auto* entity = std::find_if(std::begin(entities), std::end(entities),
                                      [&](const auto& e) { return text.starts_with(e.first); });
    const bool known = entity != std::end(entities);
    out += known ? entity->second : '&';
    text.remove_prefix(known ? entity->first.size() : 1);
  }
  return out;
}

// Counts a paragraph's overhead, too: a document of a million one-letter lines is cut.
bool is_full(const Document& document) {
  return document.bytes + document.paragraphs.size() * sizeof(std::string) >= kLongestDocument;
}

// Returns true if an object of JSON lines is a document.
bool is_document(const nlohmann::json& object) {
  return object.is_object() && object.contains("text") && object.at("text").is_string();
}

// Decides by the first non-blank line, stripped; for JSON lines by the file's name, too. Throws
// Error for other JSON, whose brackets and keys would be paragraphs.
TextForm form_of(const std::string& path, std::string_view first) {
  if (is_json_lines(path)) return TextForm::json_lines;
  for (const char* table : {".csv", ".tsv", ".xlsx"})
    if (extension_of(path) == table)
      throw Error(path +
                  ": is a table by its name, expected plain text, a paragraph a line, or JSON "
                  "lines with a string \"text\"");
  if (first.starts_with("<doc ")) return TextForm::wiki;
  const bool json = first == "{" || first == "[" || first.starts_with("{\"") ||
                    first.starts_with("[{") || first.starts_with("[\"");
  if (!json) return TextForm::plain;
  const auto object = nlohmann::json::parse(first, nullptr, false);
  if (is_document(object)) return TextForm::json_lines;
  throw Error(path +
              ": begins with JSON, expected plain text, or JSON lines with a string \"text\"");
}

// As CorpusReader reads it.
TextForm form_of_file(const std::string& path) {
  LineReader reader(path);
  for (std::string line; reader.next(&line);)
    if (first_invalid_utf8(line) != kValid)
      break;  // whoever reads it says so
    else if (const std::string_view bare = strip(line); !bare.empty())
      return form_of(path, bare);
  return form_of(path, "");
}

}  // namespace

std::vector<std::string> corpus_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      if (!fs::exists(path, error))
        throw Error(path + ": no such file or folder" +
                    (fs::path(path).is_absolute()
                         ? ""
                         : " in the current one, " + fs::current_path(error).string()));
      files.push_back(path);
      continue;
    }
    const size_t before = files.size();
    for (fs::recursive_directory_iterator it(path, error), end; !error && it != end;
         it.increment(error)) {
      if (is_hidden(it->path().filename().string())) {
        it.disable_recursion_pending();
      } else if (it->is_regular_file(error)) {
        files.push_back(it->path().string());
      }
    }
    if (error) throw Error(path + ": cannot be listed: " + error.message());
    if (files.size() == before)
      throw Error(path + ": is a folder without files (hidden ones do not count)");
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
  }
  return files;
}

CorpusReader::CorpusReader(const std::vector<std::string>& paths, CorpusOptions options)
    : files_(corpus_files(paths)), options_(options) {}

bool CorpusReader::next(Document* document) {
  while (read(document)) {
    if (!is_wanted(*document)) continue;
    leave_out_excluded(document);
    if (document->paragraphs.empty()) continue;
    ++counts_.documents;
    counts_.paragraphs += document->paragraphs.size();
    counts_.bytes += document->bytes;
    return true;
  }
  return false;
}

bool CorpusReader::is_wanted(const Document& document) const {
  if (options_.part == ArticlePart::all) return true;
  const bool first = sha256_hex(document.paragraphs.front())[0] < '8';
  return first == (options_.part == ArticlePart::first_half);
}

void CorpusReader::leave_out_excluded(Document* document) {
  if (options_.exclude == nullptr) return;
  counts_.excluded_paragraphs +=
      std::erase_if(document->paragraphs, [&](const std::string& paragraph) {
        const bool gone = options_.exclude->overlaps(paragraph);
        if (gone) document->bytes -= paragraph.size();
        return gone;
      });
}

// The next document of any part, whole.
bool CorpusReader::read(Document* document) {
  document->paragraphs.clear();
  document->bytes = 0;
  while (true) {
    if (!reader_) {
      if (next_file_ == files_.size()) return false;
      reader_.emplace(files_[next_file_++]);
      bool text = next_line();
      while (text && line_.empty()) text = next_line();
      form_ = form_of(reader_->path(), text ? line_ : "");
      inside_ = false;
      pending_ = text;
    }
    const bool found = form_ == TextForm::json_lines ? read_jsonl(document)
                       : form_ == TextForm::wiki     ? read_wiki(document)
                                                     : read_plain(document);
    if (found) return true;
    reader_.reset();
  }
}

// Puts the next line, stripped, into line_; false at the file's end.
bool CorpusReader::next_line() {
  if (pending_) {
    pending_ = false;
    return true;
  }
  if (reader_->next(&raw_)) {
    const size_t bad = first_invalid_utf8(raw_);
    if (bad != kValid)
      refuse_line("not valid UTF-8 at byte " + std::to_string(bad) + " of the line");
    if (raw_.size() > kLongestParagraph)
      refuse_line("a line of " + std::to_string(raw_.size()) + " bytes, expected at most " +
                  std::to_string(kLongestParagraph));
    line_ = strip(raw_);
    return true;
  }
  return false;
}

void CorpusReader::refuse_line(const std::string& problem) const {
  throw Error(
      reader_->where() + ": " + problem +
      " (a text in CP949: `iconv -f CP949 -t UTF-8`; without its bad bytes: `iconv -c -f UTF-8 "
      "-t UTF-8`)");
}

void CorpusReader::add(Document* document) {
  document->bytes += line_.size();
  document->paragraphs.push_back(line_);
}

bool CorpusReader::read_plain(Document* document) {
  while (!is_full(*document) && next_line()) {
    if (!line_.empty()) {
      add(document);
    } else if (!document->paragraphs.empty()) {
      return true;
    }
  }
  return !document->paragraphs.empty();
}

bool CorpusReader::read_wiki(Document* document) {
  while (!is_full(*document)) {
    if (!next_line()) {
      if (inside_) throw Error(reader_->path() + ": ends before </doc>");
      return false;
    }
    if (line_.empty()) continue;
    if (line_.starts_with("<doc ") || line_ == "</doc>") {
      const bool opens = line_ != "</doc>";
      if (opens == inside_)
        throw Error(reader_->where() + ": " +
                    (opens ? "<doc …> before the last one's </doc>" : "</doc> without <doc …>"));
      inside_ = opens;
      if (!opens && !document->paragraphs.empty()) return true;
    } else if (!inside_) {
      throw Error(reader_->where() + ": text outside <doc …> … </doc>");
    } else {
      line_ = unescape(line_);
      add(document);
    }
  }
  return true;
}

bool CorpusReader::read_jsonl(Document* document) {
  while (next_line()) {
    if (line_.empty()) continue;
    nlohmann::json object;
    std::string problem;
    try {
      object = parse_json(line_);
      if (!is_document(object)) problem = "found no text";
    } catch (const Error& error) {
      problem = error.what();
    }
    if (!problem.empty()) refuse_line(problem + ", expected a JSON object with a string \"text\"");
    for (const char* key : {"title", "text"}) {
      if (!object.contains(key) || !object.at(key).is_string()) continue;
      std::string_view left = object.at(key).get_ref<const std::string&>();
      while (!left.empty()) {
        const size_t end = std::min(left.find('\n'), left.size());
        line_ = strip(left.substr(0, end));
        if (!line_.empty()) add(document);
        left.remove_prefix(std::min(end + 1, left.size()));
      }
    }
    if (!document->paragraphs.empty()) return true;
  }
  return false;
}

std::vector<std::string> plain_text_files(const std::vector<std::string>& files,
                                          const std::string& cache_dir) {
  std::vector<std::string> out;
  for (const std::string& file : files) {
    out.push_back(file);
    // A pipe's first bytes can be read only once.
    if (!fs::is_regular_file(file) || form_of_file(file) == TextForm::plain) continue;
    out.back() = (fs::path(cache_dir) / (sha256_file(file).substr(0, 32) + ".txt")).string();
    if (fs::exists(out.back())) continue;
    replace_shared_file(out.back(), [&](const std::string& temporary) {
      std::ofstream text(temporary, std::ios::binary);
      CorpusReader reader({file});
      for (Document document; reader.next(&document); text << "\n")
        for (const std::string& paragraph : document.paragraphs) text << paragraph << "\n";
      if (!text.flush()) throw Error(temporary + ": cannot be written");
    });
  }
  return out;
}

}  // namespace minibert
