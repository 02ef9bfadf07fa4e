#include "record/run_record.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <ctime>

#include "core/sha256.h"

namespace minibert {
namespace {

constexpr const char* kTime = "%Y-%m-%dT%H:%M:%SZ";

}  // namespace

int64_t last_step(const std::map<std::string, MetricSeries>& metrics, const std::string& split) {
  const std::string prefix = split.empty() ? "" : split + "/";
  int64_t last = -1;
  for (const auto& [key, series] : metrics)
    if (key.starts_with(prefix) && !series.step.empty())
      last = std::max(last, *std::ranges::max_element(series.step));
  return last;
}

std::string weights_sha256(const std::vector<NamedTensor>& tensors) {
  static_assert(std::endian::native == std::endian::little, "the hash is over little-endian bytes");
  std::vector<const NamedTensor*> sorted;
  for (const NamedTensor& tensor : tensors) sorted.push_back(&tensor);
  std::sort(sorted.begin(), sorted.end(),
            [](const NamedTensor* a, const NamedTensor* b) { return a->name < b->name; });
  Sha256 hash;
  for (const NamedTensor* tensor : sorted) {
    std::string head = tensor->name + '\0';
    for (size_t i = 0; i < tensor->shape.size(); ++i) {
      if (i > 0) head += ',';
      head += std::to_string(tensor->shape[i]);
    }
    head += '\0';
    hash.update(head.data(), head.size());
    hash.update(tensor->values.data(), tensor->values.size() * sizeof(float));
  }
  return hash.hex();
}

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  const size_t size = std::strftime(text, sizeof text, kTime, &utc);
  return std::string(text, size);
}

double seconds_of(const std::string& text) {
  std::tm utc{};
  const char* end = strptime(text.c_str(), kTime, &utc);
  return end != nullptr && *end == '\0' ? static_cast<double>(timegm(&utc)) : 0;
}

}  // namespace minibert
