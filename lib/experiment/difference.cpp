#include "experiment/difference.h"

#include <algorithm>

#include "core/error.h"

namespace minibert {

using nlohmann::json;

std::string first_difference(const json& now, const json& before, const std::string& was) {
  const json changes = json::diff(before, now);
  if (changes.empty()) return "";
  std::string path = changes[0].at("path").get<std::string>();
  json::json_pointer pointer(path);
  if (!pointer.empty() && pointer.back() == "-") {  // behind the end of a list: the whole list
    pointer.pop_back();
    path = pointer.to_string();
  }
  const auto shown = [&](const json& from) {
    return from.contains(pointer) ? from.at(pointer).dump() : std::string("nothing");
  };
  std::replace(path.begin(), path.end(), '/', '.');
  return path.substr(1) + ": " + shown(now) + ", " + was + shown(before);
}

void check_alike(Workers& workers, const json& own) {
  const std::vector<std::string> all = workers.from_all(own.dump());
  const json expected = json::parse(all[0]);
  for (size_t rank = 1; rank < all.size(); ++rank)
    if (const std::string other = first_difference(json::parse(all[rank]), expected, "rank 0 has ");
        !other.empty())
      throw usage_error("rank " + std::to_string(rank) + " would train another run: " + other);
}

}  // namespace minibert
