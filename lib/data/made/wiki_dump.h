// Streams the pages of a MediaWiki dump (*-pages-articles.xml, plain or compressed).
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace minibert {

struct WikiPage {
  std::string title;
  std::string text;  // wiki text of the latest revision in the dump
};

// Calls `use` for every article (a page of namespace 0 that is no redirect) in the dump's order;
// false ends the reading. Memory does not grow with the dump. Throws Error naming the file: like
// open_bytes(), with the line where the XML is no dump's, and for a page of more than 64 MiB.
void read_wiki_dump(const std::string& path, const std::function<bool(WikiPage&&)>& use);

struct WikiTextCounts {
  uint64_t articles = 0, paragraphs = 0, bytes = 0;  // written
  uint64_t dev_articles = 0;                         // of the articles written
  uint64_t empty = 0;                                // articles without any paragraph, left out
};

// Writes the dump's articles as plain text for CorpusReader: title, paragraphs
// (data/made/wiki_text.h), an empty line. With a `dev` path, dev_percent of the articles, by the
// hash of their title, go there instead. Replaces both files when all is written. `limit`: the most
// articles; 0: all.
WikiTextCounts write_wiki_text(const std::string& dump, const std::string& out,
                               const std::string& dev, int dev_percent, uint64_t limit);

}  // namespace minibert
