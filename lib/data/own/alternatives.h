// The alternatives that a row lets one choose among.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace minibert {

struct Alternatives {
  std::string asked = {};  // what stands before them in their cell
  std::vector<std::string> texts = {};
  std::string_view first = {};  // of the numbers before them: "①", "1", "가", …; empty: none
  std::string lacking = {};     // why there are no texts, where one is empty or all are
  std::string problem = {};     // why there are none otherwise: what was found and expected
};

}  // namespace minibert
