#include "data/files/text_encoding.h"

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

// Returns nothing if the system has no such converter or the bytes are not in that encoding.
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

// Bytes of Western encodings can be taken for CP949, but make rare signs and hanja then.
bool is_mostly_hangul(const std::string& text) {
  size_t hangul = 0, others = 0;
  for (const char32_t c : to_code_points(text)) {
    if (c < 0x80) continue;
    ++((c >= 0xac00 && c <= 0xd7a3) || (c >= 0x3130 && c <= 0x318f) ? hangul : others);
  }
  return hangul > others;
}

// Files that are no text, by their first bytes.
void refuse_other_forms(std::string_view bytes, const std::string& path) {
  static constexpr std::pair<std::string_view, const char*> kForms[] = {
      {"PK\x03\x04", "a spreadsheet, document or archive (ZIP)"},
      {"\xd0\xcf\x11\xe0", "a spreadsheet or document of an office program"},
      {"%PDF-", "a PDF document"},
      {"PAR1", "a Parquet file"}};
  for (const auto& [begin, what] : kForms)
    if (bytes.starts_with(begin))
      throw Error(path + ": found " + what + ", expected a text file: save it as CSV (UTF-8)");
}

}  // namespace

DecodedText decode_text(std::string bytes, const std::string& path) {
  refuse_other_forms(bytes, path);
  drop_byte_order_mark(&bytes);
  for (const auto& [mark, encoding] :
       {std::pair("\xff\xfe", "UTF-16LE"), std::pair("\xfe\xff", "UTF-16BE")})
    if (bytes.starts_with(mark)) {
      auto text = converted(std::string_view(bytes).substr(2), encoding);
      if (!text)
        throw Error(path + ": begins as " + encoding +
                    " but is not valid to its end, expected the whole file in one encoding");
      return {std::move(*text), encoding};
    }
  const size_t bad = first_invalid_utf8(bytes);
  if (bad == kValid) return {std::move(bytes), "UTF-8"};
  auto text = converted(bytes, "CP949");
  if (text && is_mostly_hangul(*text)) return {std::move(*text), "CP949"};
  const size_t begin = bytes.rfind('\n', bad) + 1;  // 0 in the first line
  throw Error(path + ":" + std::to_string(1 + std::ranges::count(bytes.substr(0, bad), '\n')) +
              ": not valid UTF-8 at byte " + std::to_string(bad - begin) +
              " of the line, and the file is neither CP949 nor UTF-16 with a byte order mark; " +
              "convert it: iconv -f ENCODING -t UTF-8 '" + path + "' > utf8.csv");
}

DecodedText read_decoded(const std::string& path) {
  constexpr size_t kLargestFile = size_t{1} << 31;
  return decode_text(read_unpacked(path, kLargestFile), path);
}

}  // namespace minibert
