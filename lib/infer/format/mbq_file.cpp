#include "infer/format/mbq_file.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>

#include "infer/format/crc32.h"
#include "infer/format/mbq_format.h"
#include "infer/format/mbq_series.h"

namespace minibert::infer {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "a .mbq is read in place");

struct DtypeName {
  Dtype dtype;
  const char* name;
  uint64_t size;
};
constexpr DtypeName kDtypes[] = {
    {Dtype::int8, "I8", 1}, {Dtype::uint8, "U8", 1}, {Dtype::float32, "F32", 4}};

const DtypeName* dtype_named(const json& name) {
  if (!name.is_string()) return nullptr;
  for (const auto& dtype : kDtypes)
    if (name.get_ref<const std::string&>() == dtype.name) return &dtype;
  return nullptr;
}

// A JSON array of `count` (0: any) non-negative integers.
bool read_numbers(const json& array, size_t count, std::vector<uint64_t>* numbers) {
  if (!array.is_array() || (count != 0 && array.size() != count)) return false;
  for (const auto& item : array) {
    if (!item.is_number_unsigned()) return false;
    numbers->push_back(item.get<uint64_t>());
  }
  return true;
}

std::string shortened(std::string text) {
  if (text.size() > 80) text.resize(80);
  return text;
}

Status parse_tensor(const std::string& name, const json& entry, std::span<const uint8_t> data,
                    TensorView* tensor) {
  const auto fail = [&](const std::string& what) {
    return Status::error("tensor \"" + shortened(name) + "\": " + what);
  };
  if (!entry.is_object() || !entry.contains("dtype") || !entry.contains("shape") ||
      !entry.contains("data_offsets"))
    return fail("expected an object with dtype, shape and data_offsets");
  const json& named = entry["dtype"];
  const DtypeName* dtype = dtype_named(named);
  // Not dump() of a list: it calls itself for each bracket, and a file may hold too many.
  if (dtype == nullptr)
    return fail("found dtype " +
                (named.is_structured() ? named.type_name() : shortened(named.dump(-1, ' ', true))) +
                ", expected I8, U8 or F32");
  std::vector<uint64_t> shape, offsets;
  if (!read_numbers(entry["shape"], 0, &shape)) return fail("shape is not a list of sizes");
  if (!read_numbers(entry["data_offsets"], 2, &offsets))
    return fail("data_offsets is not a pair of offsets");
  const uint64_t begin = offsets[0], end = offsets[1];
  const auto fail_offsets = [&](const std::string& what) {
    return fail("found data_offsets [" + std::to_string(begin) + ", " + std::to_string(end) +
                "], " + what);
  };
  if (begin > end) return fail_offsets("expected them in order");
  if (end > data.size())
    return fail_offsets("and the file has " + std::to_string(data.size()) +
                        " bytes of data: it is cut off or damaged");
  uint64_t bytes = dtype->size;
  for (const uint64_t size : shape) {
    if (size != 0 && bytes > data.size() / size)
      return fail("its shape asks for more bytes than the file has");
    bytes *= size;
    tensor->shape.push_back(static_cast<int64_t>(size));
  }
  if (bytes != end - begin)
    return fail("its shape asks for " + std::to_string(bytes) + " bytes, its offsets give " +
                std::to_string(end - begin));
  tensor->dtype = dtype->dtype;
  tensor->bytes = data.subspan(begin, end - begin);
  return {};
}

// Tensors follow each other without a gap from the first byte of the data to the last.
Status check_coverage(const MbqFile& file, std::span<const uint8_t> data) {
  std::vector<std::pair<std::span<const uint8_t>, const std::string*>> parts;
  for (const auto& [name, tensor] : file.tensors) parts.emplace_back(tensor.bytes, &name);
  std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
    return a.first.data() != b.first.data() ? a.first.data() < b.first.data()
                                            : a.first.size() < b.first.size();
  });
  const uint8_t* expected = data.data();
  for (const auto& [bytes, name] : parts) {
    if (bytes.data() != expected)
      return Status::error("tensor \"" + shortened(*name) + "\": found it at offset " +
                           std::to_string(bytes.data() - data.data()) + ", expected " +
                           std::to_string(expected - data.data()) +
                           ", right behind the tensor before it");
    expected = bytes.data() + bytes.size();
    if (!name->starts_with(mbq::kPadding) && (bytes.data() - data.data()) % mbq::kAlignment != 0)
      return Status::error("tensor \"" + shortened(*name) + "\": not aligned to 16 bytes");
  }
  if (expected != data.data() + data.size())
    return Status::error("the tensors end at byte " + std::to_string(expected - data.data()) +
                         " of the data, expected " + std::to_string(data.size()));
  if (parts.empty() || !parts.back().second->starts_with(mbq::kPadding) ||
      parts.back().first.size() < mbq::kTail)
    return Status::error("found no padding of 64 bytes at the end, expected one");
  return {};
}

std::span<const uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// The checksum of a file whose own digits begin at `at`.
std::string checksum_of(std::string_view file, size_t at) {
  const uint32_t before = crc32(bytes_of(mbq::kNoCrc32), crc32(bytes_of(file.substr(0, at))));
  return crc32_text(crc32(bytes_of(file.substr(at + mbq::kNoCrc32.size())), before));
}

// A file of an earlier program has no checksum. `header`: where the header ends.
Status check_checksum(const MbqFile& parsed, std::span<const uint8_t> file, size_t header) {
  const auto expected = parsed.metadata.find(std::string(mbq::kCrc32));
  if (expected == parsed.metadata.end()) return {};
  const std::string_view bytes(reinterpret_cast<const char*>(file.data()), file.size());
  const size_t at = bytes.substr(0, header).find(mbq::kCrc32Text);
  const std::string found = at == bytes.npos || expected->second.size() != mbq::kNoCrc32.size()
                                ? "none"
                                : checksum_of(bytes, at + mbq::kCrc32Text.size());
  if (found == expected->second) return {};
  return Status::error("found CRC-32 " + found + ", expected " + shortened(expected->second) +
                       ": the file is damaged, or another program has changed it");
}

}  // namespace

Status MbqFile::parse(std::span<const uint8_t> file, MbqFile* result) {
  *result = {};
  if (reinterpret_cast<uintptr_t>(file.data()) % mbq::kAlignment != 0)
    return Status::error("the file's memory is not aligned to 16 bytes");
  if (file.size() < 8)
    return Status::error("found " + std::to_string(file.size()) +
                         " bytes, expected a .mbq (8 bytes of header length first)");
  uint64_t header_size = 0;
  std::memcpy(&header_size, file.data(), sizeof(header_size));
  const std::string_view magic(reinterpret_cast<const char*>(file.data()), 8);
  if (is_series(file)) return Status::error("found a series (.mbqs), expected a .mbq of one model");
  if (std::all_of(magic.begin(), magic.end(), [](char c) { return c >= ' ' && c <= '~'; }))
    return Status::error("it begins with \"" + std::string(magic) + "\": not a .mbq" +
                         (magic[0] == '<' ? ", but a page" : ""));
  if (header_size > mbq::kMaxHeader || header_size > file.size() - 8)
    return Status::error("found a header of " + std::to_string(header_size) +
                         " bytes, expected at most " +
                         std::to_string(std::min<uint64_t>(mbq::kMaxHeader, file.size() - 8)) +
                         ": not a .mbq, or truncated");
  if ((8 + header_size) % mbq::kAlignment != 0)
    return Status::error("the data begins at byte " + std::to_string(8 + header_size) +
                         ", expected a multiple of 16");
  const auto* text = reinterpret_cast<const char*>(file.data()) + 8;
  const json header = json::parse(text, text + header_size, nullptr, false);
  if (!header.is_object()) return Status::error("the header is not a JSON object in UTF-8");
  const auto data = file.subspan(8 + header_size);
  for (const auto& [name, entry] : header.items()) {
    if (name == mbq::kMetadata) {
      if (!entry.is_object()) return Status::error("__metadata__ is not an object");
      for (const auto& [key, value] : entry.items()) {
        if (!value.is_string())
          return Status::error("__metadata__." + shortened(key) + " is not a string");
        result->metadata[key] = value.get_ref<const std::string&>();
      }
      continue;
    }
    const Status status = parse_tensor(name, entry, data, &result->tensors[name]);
    if (!status.ok()) return status;
  }
  const Status status = check_coverage(*result, data);
  return status.ok() ? check_checksum(*result, file, 8 + header_size) : status;
}

std::string serialize_mbq(std::map<std::string, std::string> metadata,
                          const std::vector<OwnedTensor>& tensors, bool checksum) {
  ordered_json header;
  header[std::string(mbq::kMetadata)] = nullptr;  // its place
  std::string data;
  size_t paddings = 0;
  const auto add = [&](const std::string& name, const char* dtype,
                       const std::vector<int64_t>& shape, std::string_view bytes) {
    header[name] = {{"dtype", dtype},
                    {"shape", shape},
                    {"data_offsets", {data.size(), data.size() + bytes.size()}}};
    data += bytes;
  };
  const auto pad = [&](size_t size) {
    add(std::string(mbq::kPadding) + std::to_string(paddings++), "U8", {static_cast<int64_t>(size)},
        std::string(size, '\0'));
  };
  for (const auto& tensor : tensors) {
    if (data.size() % mbq::kAlignment != 0) pad(mbq::kAlignment - data.size() % mbq::kAlignment);
    const char* dtype = nullptr;
    for (const auto& known : kDtypes)
      if (known.dtype == tensor.dtype) dtype = known.name;
    add(tensor.name, dtype, tensor.shape, tensor.bytes);
  }
  pad(mbq::kTail + (mbq::kAlignment - data.size() % mbq::kAlignment) % mbq::kAlignment);
  if (checksum) metadata[std::string(mbq::kCrc32)] = mbq::kNoCrc32;
  header[std::string(mbq::kMetadata)] = metadata;
  std::string text = header.dump();
  text.append((mbq::kAlignment - (8 + text.size()) % mbq::kAlignment) % mbq::kAlignment, ' ');
  const uint64_t size = text.size();
  std::string file = std::string(reinterpret_cast<const char*>(&size), sizeof(size)) + text + data;
  if (checksum) {
    const size_t at = file.find(mbq::kCrc32Text) + mbq::kCrc32Text.size();
    file.replace(at, mbq::kNoCrc32.size(), checksum_of(file, at));
  }
  return file;
}

}  // namespace minibert::infer
