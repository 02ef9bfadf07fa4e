#include "checkpoint/safetensors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "checkpoint/checkpoint.h"
#include "core/error.h"
#include "core/files.h"

namespace minibert {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "values are copied as they lie");

constexpr uint64_t kMostHeader = uint64_t{100} << 20;  // the format's own limit
constexpr char kMetadata[] = "__metadata__";

// Bytes of a value; 0 of a type that the format does not have.
uint64_t size_of(const std::string& dtype) {
  static const std::map<std::string, uint64_t> sizes = {
      {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E4M3", 1}, {"F8_E5M2", 1},
      {"I16", 2},  {"U16", 2}, {"F16", 2}, {"BF16", 2},    {"I32", 4},
      {"U32", 4},  {"F32", 4}, {"F64", 8}, {"I64", 8},     {"U64", 8}};
  const auto found = sizes.find(dtype);
  return found == sizes.end() ? 0 : found->second;
}

bool read_numbers(const json& list, std::vector<uint64_t>* numbers) {
  if (!list.is_array()) return false;
  for (const json& item : list) {
    if (!item.is_number_unsigned() || item.get<uint64_t>() > uint64_t(INT64_MAX)) return false;
    numbers->push_back(item.get<uint64_t>());
  }
  return true;
}

// One tensor's entry; `fail` throws.
template <class Fail>
SafetensorsEntry read_entry(const json& given, uint64_t data_bytes, const Fail& fail) {
  if (!given.is_object() || !given.contains("dtype") || !given.contains("shape") ||
      !given.contains("data_offsets"))
    fail("expected an object with dtype, shape and data_offsets");
  SafetensorsEntry entry;
  const json& dtype = given["dtype"];
  entry.dtype = dtype.is_string() ? dtype.get<std::string>() : "";
  if (size_of(entry.dtype) == 0) fail("found dtype " + dtype.dump().substr(0, 60));
  std::vector<uint64_t> shape, offsets;
  if (!read_numbers(given["shape"], &shape)) fail("shape is not a list of sizes");
  if (!read_numbers(given["data_offsets"], &offsets) || offsets.size() != 2)
    fail("data_offsets is not a pair of offsets");
  entry.begin = offsets[0], entry.end = offsets[1];
  if (entry.begin > entry.end || entry.end > data_bytes)
    fail("found data_offsets [" + std::to_string(entry.begin) + ", " + std::to_string(entry.end) +
         "], expected them in order and at most " + std::to_string(data_bytes));
  uint64_t bytes = size_of(entry.dtype);
  for (const uint64_t size : shape) {
    if (size != 0 && bytes > data_bytes / size) fail("its shape asks for more than the file has");
    bytes *= size;
    entry.shape.push_back(static_cast<int64_t>(size));
  }
  if (bytes != entry.end - entry.begin)
    fail("its shape asks for " + std::to_string(bytes) + " bytes, its offsets give " +
         std::to_string(entry.end - entry.begin));
  return entry;
}

// Tensors lie one behind the other, from the first byte of the data to the last.
void check_coverage(const std::string& path, const std::map<std::string, SafetensorsEntry>& tensors,
                    uint64_t data_bytes) {
  std::vector<std::pair<const SafetensorsEntry*, const std::string*>> order;
  for (const auto& [name, entry] : tensors) order.emplace_back(&entry, &name);
  std::ranges::sort(order, [](const auto& a, const auto& b) {
    return std::pair(a.first->begin, a.first->end) < std::pair(b.first->begin, b.first->end);
  });
  uint64_t expected = 0;
  for (const auto& [entry, name] : order) {
    if (entry->begin != expected)
      throw Error(path + ": tensor " + *name + ": found it at byte " +
                  std::to_string(entry->begin) + " of the data, expected " +
                  std::to_string(expected) + ", right behind the tensor before it");
    expected = entry->end;
  }
  if (expected != data_bytes)
    throw Error(path + ": the tensors end at byte " + std::to_string(expected) +
                " of the data, the file at " + std::to_string(data_bytes));
}

std::vector<float> as_float(const std::string& bytes, const std::string& dtype) {
  const size_t count = bytes.size() / size_of(dtype);
  std::vector<float> values(count);
  if (values.empty()) return values;  // has no memory to copy to
  if (dtype == "F32") {
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  for (size_t i = 0; i < count; ++i) {
    uint16_t bits = 0;
    std::memcpy(&bits, bytes.data() + 2 * i, 2);
    values[i] = dtype == "F16" ? half_to_float(bits) : std::bit_cast<float>(uint32_t{bits} << 16);
  }
  return values;
}

}  // namespace

float half_to_float(uint16_t bits) {
  const uint32_t sign = (bits & 0x8000U) << 16, exponent = (bits >> 10) & 31U;
  const uint32_t fraction = bits & 0x3ffU;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000U | fraction << 13);
  if (exponent > 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float small = std::ldexp(static_cast<float>(fraction), -24);
  return sign != 0 ? -small : small;
}

SafetensorsFile::SafetensorsFile(std::string path) : path_(std::move(path)) {
  std::error_code error;
  const uint64_t size = std::filesystem::file_size(path_, error);
  if (error) throw Error(path_ + ": " + error.message());
  refuse_lfs_pointer(path_);
  std::ifstream in(path_, std::ios::binary);
  uint64_t header = 0;
  if (size < sizeof(header) || !in.read(reinterpret_cast<char*>(&header), sizeof(header)))
    throw Error(path_ + ": found " + std::to_string(size) +
                " bytes, expected a safetensors file (8 bytes of header length first)");
  if (header > std::min(kMostHeader, size - sizeof(header)))
    throw Error(path_ + ": found a header of " + std::to_string(header) +
                " bytes, expected at most " +
                std::to_string(std::min(kMostHeader, size - sizeof(header))) +
                ": not a safetensors file, or cut off");
  std::string text(header, '\0');
  if (!in.read(text.data(), static_cast<std::streamsize>(header)))
    throw Error(path_ + ": the header cannot be read");
  data_ = sizeof(header) + header;
  json root;
  try {
    root = parse_json(text);
  } catch (const Error& mistake) {
    throw Error(path_ + ": header: " + mistake.what());
  }
  if (!root.is_object()) throw Error(path_ + ": header: expected a JSON object");
  for (const auto& [name, entry] : root.items()) {
    if (name == kMetadata) continue;
    const auto fail = [&, &name = name](const std::string& what) {
      throw Error(path_ + ": tensor " + name.substr(0, 120) + ": " + what);
    };
    tensors_[name] = read_entry(entry, size - data_, fail);
  }
  check_coverage(path_, tensors_, size - data_);
}

NamedTensor SafetensorsFile::read(const std::string& name) const {
  const SafetensorsEntry& entry = tensors_.at(name);
  const auto fail = [&](const std::string& what) {
    throw Error(path_ + ": tensor " + name + ": " + what);
  };
  if (entry.dtype != "F32" && entry.dtype != "F16" && entry.dtype != "BF16")
    fail("found dtype " + entry.dtype + ", expected F32, F16 or BF16");
  std::string bytes(entry.end - entry.begin, '\0');
  std::ifstream in(path_, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(data_ + entry.begin));
  if (!in.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
    fail("its bytes cannot be read");
  NamedTensor tensor{name, entry.shape, as_float(bytes, entry.dtype)};
  if (!std::ranges::all_of(tensor.values, [](float value) { return std::isfinite(value); }))
    fail("found a value that is not finite");
  return tensor;
}

void write_safetensors(const std::string& path, const std::vector<NamedTensor>& tensors,
                       const std::map<std::string, std::string>& metadata) {
  nlohmann::ordered_json header = {{kMetadata, {{"format", "pt"}}}};
  for (const auto& [key, text] : metadata) header[kMetadata][key] = text;
  uint64_t bytes = 0;
  for (const NamedTensor& tensor : tensors) {
    const uint64_t end = bytes + tensor.values.size() * sizeof(float);
    header[tensor.name] = {
        {"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {bytes, end}}};
    bytes = end;
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');  // so that the data is aligned to its values
  replace_file(path, [&](const std::string& temporary) {
    std::ofstream out(temporary, std::ios::binary);
    const uint64_t size = text.size();
    out.write(reinterpret_cast<const char*>(&size), sizeof(size));
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    for (const NamedTensor& tensor : tensors)
      out.write(reinterpret_cast<const char*>(tensor.values.data()),
                static_cast<std::streamsize>(tensor.values.size() * sizeof(float)));
    out.close();
    if (!out) throw Error(path + ": cannot be written");
  });
}

}  // namespace minibert
