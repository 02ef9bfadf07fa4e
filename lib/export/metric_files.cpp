#include "export/metric_files.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string_view>

#include "core/text.h"
#include "export/protobuf.h"

namespace minibert {
namespace {

using protobuf::bytes_field;
using protobuf::bytes_of;
using protobuf::double_field;
using protobuf::float_field;
using protobuf::number_field;

// --- TFRecord: uint64 length, masked CRC-32C of it, data, masked CRC-32C of them ---

// Castagnoli's polynomial, reflected.
constexpr std::array<uint32_t, 256> kCrcTable = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit)
      value = value % 2 != 0 ? value >> 1 ^ 0x82f63b78U : value >> 1;
    table[i] = value;
  }
  return table;
}();

uint32_t masked_crc(std::string_view bytes) {
  uint32_t crc = ~0U;
  for (const char byte : bytes)
    crc = kCrcTable[(crc ^ static_cast<uint8_t>(byte)) & 0xffU] ^ crc >> 8;
  crc = ~crc;
  return std::rotr(crc, 15) + 0xa282ead8U;
}

std::string tf_record(const std::string& data) {
  const std::string length = bytes_of(static_cast<uint64_t>(data.size()));
  return length + bytes_of(masked_crc(length)) + data + bytes_of(masked_crc(data));
}

// --- TensorFlow's events ---

// Event { double wall_time = 1; int64 step = 2; Summary summary = 5 }, Summary { Value value = 1 },
// Value { string tag = 1; float simple_value = 2 }.
std::string scalar_event(double time, int64_t step, const std::string& tag, double value) {
  const std::string scalar = bytes_field(1, tag) + float_field(2, static_cast<float>(value));
  return double_field(1, time) + number_field(2, step) + bytes_field(5, bytes_field(1, scalar));
}

// Event { string file_version = 3 }, the first of a file.
std::string version_event(double time) {
  return double_field(1, time) + bytes_field(3, "brain.Event:2");
}

std::string digits(double value) {
  return std::isfinite(value) ? nlohmann::json(value).dump()
         : std::isnan(value)  ? "nan"
         : value > 0          ? "inf"
                              : "-inf";
}

}  // namespace

std::string tensorboard_events(const RunRecord& record) {
  const double start = seconds_of(record.started);
  const double end = std::max(start, seconds_of(record.finished));
  const int64_t last = std::max<int64_t>(last_step(record.metrics), 1);
  std::string out = tf_record(version_event(start));
  for (const auto& [tag, series] : record.metrics)
    for (size_t i = 0; i < series.step.size(); ++i) {
      const double share = static_cast<double>(series.step[i]) / static_cast<double>(last);
      out += tf_record(
          scalar_event(start + share * (end - start), series.step[i], tag, series.value[i]));
    }
  for (const auto& [name, value] : record.summary)
    out += tf_record(scalar_event(end, last, "summary/" + name, value));
  return out;
}

std::string metrics_csv(const RunRecord& record) {
  std::string out = "experiment,profile,arm,seed,split,metric,step,value\n";
  const std::string run = csv_field(record.experiment) + "," + csv_field(record.profile) + "," +
                          csv_field(record.arm) + "," + std::to_string(record.seed) + ",";
  for (const auto& [key, series] : record.metrics) {
    const size_t slash = key.find('/');
    const std::string name = run + csv_field(key.substr(0, slash)) + "," +
                             csv_field(slash == std::string::npos ? "" : key.substr(slash + 1)) +
                             ",";
    for (size_t i = 0; i < series.step.size(); ++i)
      out += name + std::to_string(series.step[i]) + "," + digits(series.value[i]) + "\n";
  }
  for (const auto& [name, value] : record.summary)
    out += run + "summary," + csv_field(name) + ",," + digits(value) + "\n";
  return out;
}

}  // namespace minibert
