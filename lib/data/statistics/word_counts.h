// The most frequent words of texts, for a word cloud.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>

namespace minibert {

// Words are what stands between white space, without ASCII and CJK punctuation at their ends and
// of at least two code points; Korean particles stay (the course's clouds keep them too).
class WordCounts {
 public:
  void add(std::string_view text);
  // [[word, count], …], the `limit` most frequent, most frequent first, equal ones in byte order.
  nlohmann::json top(size_t limit) const;

 private:
  std::unordered_map<std::string, size_t> counts_;
};

}  // namespace minibert
