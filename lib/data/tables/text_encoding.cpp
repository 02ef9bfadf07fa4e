#include "data/tables/text_encoding.h"

#include <iconv.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string_view>

#include "core/error.h"
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

// A line end or a tab is in every table, and of UTF-16 it has a zero byte on one side.
const char* utf16_without_mark(std::string_view bytes) {
  if (bytes.size() % 2 != 0 || bytes.find('\0') == std::string_view::npos) return nullptr;
  size_t little = 0, big = 0;
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const auto is_break = [](char c) { return c == '\n' || c == '\t' || c == ','; };
    little += is_break(bytes[i]) && bytes[i + 1] == '\0';
    big += bytes[i] == '\0' && is_break(bytes[i + 1]);
  }
  if (little == big) return nullptr;
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

DecodedText decode_text(std::string bytes, const std::string& path) {
  // .xlsx and .ods are ZIP archives, .xls is an OLE container.
  if (bytes.starts_with("PK\x03\x04") || bytes.starts_with("\xd0\xcf\x11\xe0"))
    throw Error(path +
                ": found a spreadsheet or an archive, expected a text file: save the sheet as "
                "CSV (UTF-8)");
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

DecodedText read_decoded(const std::string& path) {
  constexpr size_t kLargestFile = size_t{1} << 31;
  return decode_text(read_unpacked(path, kLargestFile), path);
}

}  // namespace minibert
