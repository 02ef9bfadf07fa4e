#include "data/made/wiki_dump.h"

#include <expat.h>

#include <fstream>
#include <memory>
#include <vector>

#include "core/error.h"
#include "core/files.h"
#include "core/sha256.h"
#include "data/made/wiki_text.h"
#include "text/byte_source.h"

namespace minibert {
namespace {

constexpr size_t kBlock = size_t{1} << 18;
constexpr size_t kLongestPage = size_t{64} << 20;

// The state that expat's callbacks fill. An exception must not pass through expat: it is kept, and
// the parser stops.
struct Reading {
  const std::function<bool(WikiPage&&)>& use;
  XML_Parser parser = nullptr;
  WikiPage page = {};
  std::string space = {};         // the page's <ns>
  bool redirect = false;          // it has a <redirect>
  bool any = false;               // the document has a <mediawiki>
  std::string* inside = nullptr;  // where text goes now
  bool ended = false;             // by `use`
  std::exception_ptr error = nullptr;

  void stop() { XML_StopParser(parser, XML_FALSE); }
};

void on_start(void* data, const XML_Char* name, const XML_Char**) {
  auto& reading = *static_cast<Reading*>(data);
  const std::string_view element = name;
  reading.inside = nullptr;
  if (element == "mediawiki") reading.any = true;
  if (element == "page") reading.page = {}, reading.space.clear(), reading.redirect = false;
  if (element == "redirect") reading.redirect = true;
  if (element == "title") reading.inside = &reading.page.title;
  if (element == "ns") reading.inside = &reading.space;
  if (element == "text") {
    reading.page.text.clear();
    reading.inside = &reading.page.text;
  }
}

void on_end(void* data, const XML_Char* name) {
  auto& reading = *static_cast<Reading*>(data);
  reading.inside = nullptr;
  if (std::string_view(name) != "page" || reading.redirect || reading.space != "0") return;
  try {
    reading.ended = !reading.use(std::move(reading.page));
  } catch (...) {
    reading.error = std::current_exception();
  }
  if (reading.ended || reading.error) reading.stop();
}

void on_text(void* data, const XML_Char* text, int size) {
  auto& reading = *static_cast<Reading*>(data);
  if (reading.inside == nullptr) return;
  reading.inside->append(text, static_cast<size_t>(size));
  if (reading.inside->size() <= kLongestPage) return;
  reading.error = std::make_exception_ptr(Error("a page of more than 64 MiB; expected a dump"));
  reading.stop();
}

// One article as CorpusReader reads it; empty without paragraphs.
std::string as_text(const WikiPage& page, uint64_t* paragraphs) {
  const std::vector<std::string> lines = wiki_paragraphs(page.text);
  if (lines.empty()) return "";
  std::string out = page.title + "\n";
  for (const std::string& line : lines) out += line + "\n";
  *paragraphs += lines.size() + 1;
  return out + "\n";
}

// A percentage from the first 32 bits of the title's SHA-256.
bool is_dev(const std::string& title, int percent) {
  return std::stoul(sha256_hex(title).substr(0, 8), nullptr, 16) % 100 <
         static_cast<unsigned long>(percent);
}

}  // namespace

void read_wiki_dump(const std::string& path, const std::function<bool(WikiPage&&)>& use) {
  const std::unique_ptr<ByteSource> source = open_bytes(path);
  const std::unique_ptr<std::remove_pointer_t<XML_Parser>, void (*)(XML_Parser)> parser(
      XML_ParserCreate("UTF-8"), &XML_ParserFree);
  Reading reading{use};
  reading.parser = parser.get();
  XML_SetUserData(parser.get(), &reading);
  XML_SetElementHandler(parser.get(), on_start, on_end);
  XML_SetCharacterDataHandler(parser.get(), on_text);
  std::vector<char> block(kBlock);
  for (size_t got = 1; got > 0;) {
    got = source->read(block.data(), block.size());
    const auto status = XML_Parse(parser.get(), block.data(), static_cast<int>(got),
                                  got == 0 ? XML_TRUE : XML_FALSE);
    const std::string where =
        path + ":" + std::to_string(XML_GetCurrentLineNumber(parser.get())) + ": ";
    if (reading.error) {
      try {
        std::rethrow_exception(reading.error);
      } catch (const Error& error) {
        throw Error(where + error.what());
      }
    }
    if (reading.ended) return;
    if (status == XML_STATUS_ERROR)
      throw Error(where + "not the XML of a MediaWiki dump: " +
                  XML_ErrorString(XML_GetErrorCode(parser.get())));
  }
  if (!reading.any) throw Error(path + ": has no <mediawiki>, expected a MediaWiki dump");
}

WikiTextCounts write_wiki_text(const std::string& dump, const std::string& out,
                               const std::string& dev, int dev_percent, uint64_t limit) {
  WikiTextCounts counts;
  const auto write = [&](const std::string& train_path, const std::string& dev_path) {
    std::ofstream train_file(train_path, std::ios::binary), dev_file;
    if (!dev_path.empty()) dev_file.open(dev_path, std::ios::binary);
    read_wiki_dump(dump, [&](WikiPage&& page) {
      const std::string text = as_text(page, &counts.paragraphs);
      if (text.empty()) {
        ++counts.empty;
        return true;
      }
      const bool to_dev = !dev_path.empty() && is_dev(page.title, dev_percent);
      std::ofstream& file = to_dev ? dev_file : train_file;
      file << text;
      if (!file) throw Error((to_dev ? dev_path : train_path) + ": cannot be written");
      counts.dev_articles += to_dev;
      counts.bytes += text.size();
      return ++counts.articles != limit;
    });
    train_file.close();
    if (!dev_path.empty()) dev_file.close();
    if (!train_file || (!dev_path.empty() && !dev_file))
      throw Error(train_path + ": cannot be written");
  };
  replace_file(out, [&](const std::string& train_path) {
    if (dev.empty()) {
      write(train_path, "");
    } else {
      replace_file(dev, [&](const std::string& dev_path) { write(train_path, dev_path); });
    }
  });
  return counts;
}

}  // namespace minibert
