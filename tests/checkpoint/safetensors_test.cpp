// The safetensors format: what is read, what is written, every way in which a file is refused.
#include "checkpoint/safetensors.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/message.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using nlohmann::json;
using testing::message_of;
using testing::Scratch;
using testing::write_bytes;

std::string file_of(const std::string& header, const std::string& data) {
  const uint64_t size = header.size();
  return std::string(reinterpret_cast<const char*>(&size), 8) + header + data;
}

json entry(const std::string& dtype, const json& shape, const json& offsets) {
  return {{"dtype", dtype}, {"shape", shape}, {"data_offsets", offsets}};
}

std::string bits(const std::vector<uint16_t>& values) {
  return {reinterpret_cast<const char*>(values.data()), 2 * values.size()};
}

}  // namespace

TEST_CASE("what is written is read back, bit for bit") {
  const Scratch scratch;
  const std::vector<NamedTensor> tensors = {
      {"b", {2, 3}, {1, -2, 0.5f, 3e-39f, 1e30f, -0.0f}}, {"a", {1}, {7}}, {"empty", {0, 4}, {}}};
  write_safetensors(scratch / "x", tensors);
  const SafetensorsFile file(scratch / "x");
  REQUIRE(file.tensors().size() == 3);
  for (const NamedTensor& tensor : tensors) {
    const NamedTensor read = file.read(tensor.name);
    CHECK(read.shape == tensor.shape);
    REQUIRE(read.values.size() == tensor.values.size());
    CHECK((read.values.empty() ||
           std::memcmp(read.values.data(), tensor.values.data(), 4 * read.values.size()) == 0));
  }
  // The data begins at a multiple of 8, and in the order in which the tensors were given.
  CHECK(read_file(scratch / "x")[0] % 8 == 0);
  CHECK(file.tensors().at("b").begin == 0);
}

TEST_CASE("texts go out as metadata beside what other readers want") {
  const Scratch scratch;
  write_safetensors(scratch / "x", {{"a", {1}, {7}}},
                    {{"arm", "작은 \"bert\""}, {"model", R"({"d_model": 96})"}});
  const SafetensorsFile file(scratch / "x");
  CHECK(file.tensors().size() == 1);
  CHECK(file.read("a").values == std::vector<float>{7});
  const std::string bytes = read_file(scratch / "x");
  const json header = json::parse(bytes.substr(8, static_cast<unsigned char>(bytes[0])));
  CHECK(header["__metadata__"] ==
        json({{"format", "pt"}, {"arm", "작은 \"bert\""}, {"model", R"({"d_model": 96})"}}));
}

TEST_CASE("half precision is widened exactly") {
  for (const auto& [half, value] : {std::pair<uint16_t, double>{0x3c00, 1},
                                    {0xc000, -2},
                                    {0x3555, 0.333251953125},
                                    {0x7bff, 65504},
                                    {0x0400, std::ldexp(1, -14)},
                                    {0x03ff, std::ldexp(1023, -24)},
                                    {0x8001, -std::ldexp(1, -24)},
                                    {0x0000, 0}})
    CHECK(static_cast<double>(half_to_float(half)) == value);
  CHECK(std::signbit(half_to_float(0x8000)));
  CHECK(std::isinf(half_to_float(0x7c00)));
  CHECK(std::isnan(half_to_float(0x7e00)));
  const Scratch scratch;
  const json header = {{"h", entry("F16", {2}, {0, 4})},
                       {"b", entry("BF16", {2, 1}, {4, 8})},
                       {"__metadata__", {{"format", "pt"}}}};
  write_bytes(scratch / "x", file_of(header.dump(), bits({0x3c00, 0xb800, 0x3f80, 0xc049})));
  const SafetensorsFile file(scratch / "x");
  CHECK(file.read("h").values == std::vector<float>{1, -0.5f});
  CHECK(file.read("b").values == std::vector<float>{1, -3.140625f});
  CHECK(file.read("b").shape == std::vector<int64_t>{2, 1});
}

TEST_CASE("a file that is damaged or hostile is an error that says what is wrong") {
  const Scratch scratch;
  const std::string path = scratch / "x";
  const auto refused = [&](const std::string& bytes) {
    write_bytes(path, bytes);
    return message_of([&] { SafetensorsFile{path}; });
  };
  const auto with = [&](const json& header) { return refused(file_of(header.dump(), "12345678")); };
  const std::string data_of = path + ": tensor a: ";
  CHECK(message_of([&] { SafetensorsFile(scratch / "none"); }) ==
        scratch / "none" + ": No such file or directory");
  CHECK(refused("1234") ==
        path + ": found 4 bytes, expected a safetensors file (8 bytes of header length first)");
  CHECK(refused(file_of("{}", "").substr(0, 9)) ==
        path +
            ": found a header of 2 bytes, expected at most 1: not a safetensors file, or cut off");
  CHECK_THAT(refused(std::string(16, '\xff')), Catch::Contains("expected at most 8"));
  CHECK_THAT(refused(file_of("{\"a\":", "")), Catch::StartsWith(path + ": header: not valid JSON"));
  CHECK(refused(file_of("[]", "")) == path + ": header: expected a JSON object");
  CHECK(with({{"a", 1}}) == data_of + "expected an object with dtype, shape and data_offsets");
  CHECK(with({{"a", entry("F31", {2}, {0, 8})}}) == data_of + "found dtype \"F31\"");
  CHECK(with({{"a", entry("F32", {-2}, {0, 8})}}) == data_of + "shape is not a list of sizes");
  CHECK(with({{"a", entry("F32", {2}, {0})}}) == data_of + "data_offsets is not a pair of offsets");
  CHECK(with({{"a", entry("F32", {2}, {8, 0})}}) ==
        data_of + "found data_offsets [8, 0], expected them in order and at most 8");
  CHECK(with({{"a", entry("F32", {3}, {0, 12})}}) ==
        data_of + "found data_offsets [0, 12], expected them in order and at most 8");
  CHECK(with({{"a", entry("F32", {1}, {0, 8})}}) ==
        data_of + "its shape asks for 4 bytes, its offsets give 8");
  CHECK(with({{"a", entry("F32", {1LL << 40, 1LL << 40}, {0, 8})}}) ==
        data_of + "its shape asks for more than the file has");
  const uint64_t large = uint64_t{1} << 62;
  for (const json& shape : {json{large, 4}, json{2, large, 4}, json{large, large, large, large}})
    CHECK(with({{"a", entry("F32", shape, {0, 8})}}) ==
          data_of + "its shape asks for more than the file has");
  for (const json& shape : {json{0}, json{0, large}, json{2, 0, large}})
    CHECK(with({{"a", entry("F32", shape, {0, 8})}}) ==
          data_of + "its shape asks for 0 bytes, its offsets give 8");
  for (const json& shape : {json("2"), json(2), json{2.0}, json{true}, json{"2"}, json{{2}},
                            json{{"a", 2}}, json(), json{uint64_t{1} << 63}})
    CHECK(with({{"a", entry("F32", shape, {0, 8})}}) == data_of + "shape is not a list of sizes");
  for (const json& offsets : {json("08"), json{"0", "8"}, json{{0, 8}}, json{0, -8}, json{0.0, 8},
                              json{0, ~uint64_t{0}}, json()})
    CHECK(with({{"a", entry("F32", {2}, offsets)}}) ==
          data_of + "data_offsets is not a pair of offsets");
  CHECK(with({{"a", entry("F32", {2}, {0, INT64_MAX})}}) ==
        data_of +
            "found data_offsets [0, 9223372036854775807], expected them in order and at most 8");
  CHECK(with({{"a", {{"dtype", {"F32"}}, {"shape", {2}}, {"data_offsets", {0, 8}}}}}) ==
        data_of + "found dtype [\"F32\"]");
  CHECK(with({{"a", entry("F32", {1}, {0, 4})}, {"b", entry("F32", {1}, {0, 4})}}) ==
        path +
            ": tensor b: found it at byte 0 of the data, expected 4, right behind the tensor "
            "before it");
  CHECK(with({{"a", entry("F32", {1}, {4, 8})}}) ==
        data_of + "found it at byte 4 of the data, expected 0, right behind the tensor before it");
  CHECK(with({{"a", entry("F32", {1}, {0, 4})}}) ==
        path + ": the tensors end at byte 4 of the data, the file at 8");
}

TEST_CASE("values that no model can have are refused when they are read") {
  const Scratch scratch;
  const json header = {{"whole", entry("I32", {1}, {0, 4})}, {"bad", entry("F16", {2}, {4, 8})}};
  write_bytes(scratch / "x", file_of(header.dump(), bits({1, 0, 0x3c00, 0x7c00})));
  const SafetensorsFile file(scratch / "x");
  CHECK(message_of([&] { file.read("whole"); }) ==
        scratch / "x" + ": tensor whole: found dtype I32, expected F32, F16 or BF16");
  CHECK(message_of([&] { file.read("bad"); }) ==
        scratch / "x" + ": tensor bad: found a value that is not finite");
  write_bytes(scratch / "x", "cut off since");
  CHECK(message_of([&] { file.read("bad"); }) ==
        scratch / "x" + ": tensor bad: its bytes cannot be read");
}

}  // namespace minibert
