// A section of a document about related keys.
#pragma once

#include <string>
#include <vector>

#include "core/fields.h"

namespace minibert {

struct KeySection {
  std::string title, text;  // Markdown
  std::vector<KeyText> keys;
};

}  // namespace minibert
