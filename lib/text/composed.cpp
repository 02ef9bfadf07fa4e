#include "text/composed.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "core/error.h"

namespace minibert {

std::string composed(std::string_view text) {
  if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
    return std::string(text);
  utf8proc_uint8_t* made = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &made,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const std::unique_ptr<utf8proc_uint8_t, void (*)(void*)> owner(
      made, [](void* bytes) { std::free(bytes); });
  if (size < 0) throw Error(std::string("utf8proc: ") + utf8proc_errmsg(size));
  std::string out(reinterpret_cast<const char*>(made), static_cast<size_t>(size));
  for (const std::string_view unseen : {"\xe2\x80\x8b", "\xe2\x81\xa0", "\xef\xbb\xbf"})
    for (size_t at; (at = out.find(unseen)) != std::string::npos;) out.erase(at, unseen.size());
  constexpr std::string_view kNoBreakSpace = "\xc2\xa0";
  for (size_t at; (at = out.find(kNoBreakSpace)) != std::string::npos;)
    out.replace(at, kNoBreakSpace.size(), " ");
  return out;
}

}  // namespace minibert
