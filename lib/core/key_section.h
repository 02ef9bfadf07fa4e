// What a document says of keys that stand together.
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
