#include "data/tables/text_encoding.h"

#include <iconv.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "core/error.h"
#include "core/files.h"
#include "core/utf8.h"
#include "text/byte_source.h"

namespace minibert {
namespace {

constexpr std::string_view kUtf16LittleMark = "\xff\xfe";
constexpr std::string_view kUtf16BigMark = "\xfe\xff";

// Nothing where the system has no such converter or the bytes are not of that encoding.
std::optional<std::string> converted(std::string_view bytes, const char* from) {
  iconv_t converter = iconv_open("UTF-8", from);
  if (converter == reinterpret_cast<iconv_t>(-1)) return std::nullopt;
  std::string out, block(size_t{1} << 16, '\0');
  char* in = const_cast<char*>(bytes.data());  // iconv's interface; it does not write there
  size_t left = bytes.size();
  bool ok = true;
  while (ok && left > 0) {
    char* to = block.data();
    size_t room = block.size();
    const size_t result = iconv(converter, &in, &left, &to, &room);
    out.append(block, 0, block.size() - room);
    ok = result != static_cast<size_t>(-1) || errno == E2BIG;
  }
  iconv_close(converter);
  if (!ok) return std::nullopt;
  return out;
}

// Whether nearly all line breaks are those of UTF-16, with a zero byte; zero bytes alone may stand in any text. A
// syllable of Hangul may have the byte of a line break (젊 is C8 0A) and says nothing.
bool breaks_have_zeros(std::string_view bytes, bool little) {
  constexpr size_t kInTen = 9;
  size_t breaks = 0, whole = 0;
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    if (bytes[i] != '\n' && bytes[i + 1] != '\n') continue;
    const auto low = static_cast<uint8_t>(bytes[little ? i : i + 1]);
    const auto high = static_cast<uint8_t>(bytes[little ? i + 1 : i]);
    if (high >= 0xac && high <= 0xd7) continue;
    ++breaks;
    whole += low == '\n' && high == 0;
  }
  return whole * 10 >= breaks * kInTen;
}

// A line end or a tab is in every table, and of UTF-16 it has a zero byte on one side.
const char* utf16_without_mark(std::string_view bytes) {
  if (bytes.size() % 2 != 0 || bytes.find('\0') == std::string_view::npos) return nullptr;
  size_t little = 0, big = 0;
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const auto is_break = [](char c) { return c == '\n' || c == '\t' || c == ','; };
    little += is_break(bytes[i]) && bytes[i + 1] == '\0';
    big += bytes[i] == '\0' && is_break(bytes[i + 1]);
  }
  if (little == big || !breaks_have_zeros(bytes, little > big)) return nullptr;
  return little > big ? "UTF-16LE" : "UTF-16BE";
}

// Bytes of Western encodings can be taken for CP949, but make rare signs and hanja then.
bool is_mostly_hangul(const std::string& text) {
  size_t hangul = 0, others = 0;
  for (const char32_t c : to_code_points(text)) {
    if (c < 0x80) continue;
    ++((c >= 0xac00 && c <= 0xd7a3) || (c >= 0x3130 && c <= 0x318f) ? hangul : others);
  }
  return hangul > others;
}

// The first characters of a text in small letters, without a byte order mark and blanks before them. UTF-16's zero bytes
// are passed over, so that a tag is found in any encoding.
std::string small_start(std::string_view bytes) {
  constexpr size_t kLooked = 400, kKept = 16;  // bytes
  std::string out;
  for (const char c : bytes.substr(0, kLooked)) {
    const bool is_mark = std::string_view("\xef\xbb\xbf\xff\xfe").find(c) != std::string_view::npos;
    const bool is_blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (c == '\0' || (out.empty() && (is_mark || is_blank))) continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (out.size() == kKept) break;
  }
  return out;
}

// Schools and offices save HTML under .xls. Empty: it is no markup.
std::string told_of_markup(std::string_view bytes) {
  const std::string start = small_start(bytes);
  const auto begins = [&](std::initializer_list<const char*> tags) {
    return std::ranges::any_of(tags, [&](const char* tag) { return start.starts_with(tag); });
  };
  const char* what = begins({"<?xml"})                                   ? "an XML document"
                     : begins({"<!doctype", "<html", "<table", "<meta"}) ? "an HTML page"
                                                                         : "";
  if (*what == '\0') return "";
  return std::string(what) +
         ", expected a text file: open it in a spreadsheet and save it as CSV (UTF-8)";
}

// What a file is that is no text, and what to do with it; empty: it may be text.
std::string told_of_another_form(std::string_view bytes, const std::string& path) {
  const auto has = [&](std::string_view part) { return bytes.find(part) != bytes.npos; };
  const std::string ending = extension_of(path);
  const auto named = [&](std::initializer_list<const char*> endings) {
    return std::ranges::any_of(endings, [&](const char* one) { return ending == one; });
  };
  const std::string sheet = "a spreadsheet, expected a text file: save the sheet as CSV (UTF-8)";
  const std::string document = ", expected a text file: save its text or table as one (UTF-8)";
  const std::string archive = " archive, expected a text file: unpack it first";
  constexpr size_t kTarMark = 257;  // its byte in a tar archive; fields with zeros stand before it
  using namespace std::string_view_literals;
  const std::string name = std::filesystem::path(path).filename().string();
  if (name.starts_with("~$") || (name.starts_with(".~lock.") && name.ends_with("#")))
    return "the lock file of a document that is open in an office program, expected the document, "
           "saved as text or CSV";
  if (bytes.starts_with("PK\x03\x04")) {  // .xlsx, .ods, .docx and .hwpx are ZIP archives
    if (has("xl/workbook") || has("opendocument.spreadsheet") || named({".xlsx", ".xlsm", ".ods"}))
      return sheet;
    if (has("hwp+zip")) return "a document of Hangul (HWPX)" + document;
    if (has("word/document") || has("opendocument.text")) return "a document" + document;
    return "a ZIP" + archive;
  }
  if (bytes.starts_with("7z\xbc\xaf'\x1c")) return "a 7z" + archive;
  if (bytes.starts_with("Rar!\x1a\x07")) return "a RAR" + archive;
  if (bytes.substr(0, kTarMark).find('\0') != bytes.npos &&
      bytes.substr(std::min(kTarMark, bytes.size())).starts_with("ustar"))
    return "a tar" + archive;
  if (bytes.starts_with("\xd0\xcf\x11\xe0")) {  // an OLE container
    if (has("HWP Document File") || has("H\0w\0p\0S\0"sv))
      return "a document of Hangul (HWP)" + document;
    if (has("W\0o\0r\0k\0b\0o\0o\0k"sv) || named({".xls", ".xlsx"})) return sheet;
    return "a spreadsheet or a document of an old office program, expected a text file: save it as "
           "CSV or text (UTF-8)";
  }
  if (bytes.starts_with("%PDF-")) return "a PDF document" + document;
  if (bytes.starts_with("PAR1"))
    return "a Parquet file, expected a text file: python3 -c \"import pandas as p, sys; "
           "p.read_parquet(sys.argv[1]).to_csv('data.csv', index=False)\" FILE writes one";
  return "";
}

[[noreturn]] void refuse(const std::string& path, const std::string& bytes, size_t bad) {
  const auto line = 1 + std::ranges::count(bytes.substr(0, bad), '\n');
  throw Error(path + ":" + std::to_string(line) + ": not valid UTF-8 at byte " +
              std::to_string(bad) + " of the file, nor CP949, nor UTF-16; a file in another " +
              "encoding is converted by: iconv -f ENCODING -t UTF-8 '" + path + "' > utf8.csv");
}

[[noreturn]] void refuse_named(const std::string& path, const std::string& encoding) {
  throw Error(path + ": begins as " + encoding +
              " but cannot be read as such, expected the whole " +
              "file in one encoding; iconv -f " + encoding + " -t UTF-8 '" + path +
              "' > utf8.csv says where it is broken");
}

}  // namespace

DecodedText decode_text(std::string bytes, const std::string& path, Markup markup) {
  std::string other = told_of_another_form(bytes, path);
  if (other.empty() && markup == Markup::refused) other = told_of_markup(bytes);
  if (!other.empty()) throw Error(path + ": found " + other);
  drop_byte_order_mark(&bytes);
  for (const auto& [mark, encoding] :
       {std::pair(kUtf16LittleMark, "UTF-16LE"), std::pair(kUtf16BigMark, "UTF-16BE")})
    if (bytes.starts_with(mark)) {
      auto text = converted(std::string_view(bytes).substr(mark.size()), encoding);
      if (!text) refuse_named(path, encoding);
      return {std::move(*text), encoding};
    }
  const size_t bad = first_invalid_utf8(bytes);
  if (const char* encoding = utf16_without_mark(bytes)) {
    auto text = converted(bytes, encoding);
    if (text) return {std::move(*text), encoding};
  }
  if (bad == kValid) return {std::move(bytes), "UTF-8"};
  auto text = converted(bytes, "CP949");
  if (text && is_mostly_hangul(*text)) return {std::move(*text), "CP949"};
  refuse(path, bytes, bad);
}

DecodedText read_decoded(const std::string& path, Markup markup) {
  constexpr size_t kLargestFile = size_t{1} << 31;
  return decode_text(read_unpacked(path, kLargestFile), path, markup);
}

}  // namespace minibert
