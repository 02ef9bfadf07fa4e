// The HDF5 wrapper: what is written is read back, and every failure is one line that says where.
#include "core/h5.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "record/full_disk.h"
#include "support/message.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using testing::FullDisk;
using testing::message_of;
using testing::Scratch;

TEST_CASE("values, attributes and texts come back as they were written") {
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  const h5::Seal seal = GENERATE(h5::Seal::no, h5::Seal::yes);
  {
    h5::File file = h5::File::create(path, seal);
    const std::vector<float> weights = {1.5F, -2.0F, 0.0F, 3.25F, 1e-30F, 7.0F};
    file.write("/weights/나무/matrix", {2, 3}, weights.data());
    const double scalar = 0.125;
    file.write("/scalar", {}, &scalar);
    file.write<int64_t>("/nothing", {0}, nullptr, {6});
    file.write_text("/config", "{\"이름\": \"한국어\"}");
    file.write_text("/empty", "");
    file.write_texts("/ids", {"6548850-0-0", "", "훈민정음은 1443년에"}, {6});
    file.set_attribute("/", "version", int64_t{1});
    file.set_attribute("/", "arm", std::string("버트"));
    file.set_attribute("/", "arm", std::string("bert"));
    file.set_attribute("/weights", "loss", 6.5);
    file.close();
  }
  const h5::File file = h5::File::open(path);
  std::vector<int64_t> shape;
  CHECK(file.read<float>("/weights/나무/matrix", &shape) ==
        std::vector<float>{1.5F, -2.0F, 0.0F, 3.25F, 1e-30F, 7.0F});
  CHECK(shape == std::vector<int64_t>{2, 3});
  CHECK(file.read<double>("/scalar", &shape) == std::vector<double>{0.125});
  CHECK(shape.empty());
  CHECK(file.read<int64_t>("/nothing").empty());
  CHECK(file.read_text("/config") == "{\"이름\": \"한국어\"}");
  CHECK(file.read_text("/empty").empty());
  CHECK(file.read_texts("/ids") ==
        std::vector<std::string>{"6548850-0-0", "", "훈민정음은 1443년에"});
  CHECK(file.int_attribute("/", "version") == 1);
  CHECK(file.string_attribute("/", "arm") == "bert");
  CHECK(file.double_attribute("/weights", "loss") == 6.5);
  CHECK(file.attributes("/") == std::vector<std::string>{"arm", "version"});
  CHECK(file.has_attribute("/weights", "loss"));
  CHECK_FALSE(file.has_attribute("/weights", "arm"));
  CHECK(file.exists("/weights/나무"));
  CHECK_FALSE(file.exists("/weights/나무/없음/더"));
  CHECK(file.children("/") ==
        std::vector<std::string>{"weights", "scalar", "nothing", "config", "empty", "ids"});
}

TEST_CASE("the same content is the same bytes") {
  const Scratch scratch;
  std::string bytes[2];
  for (int i = 0; i < 2; ++i) {
    const std::string path = scratch / "same.h5";
    h5::File file = h5::File::create(path);
    file.write_texts("/a/b", {"가", "나"}, {6});
    file.close();
    std::ifstream in(path, std::ios::binary);
    bytes[i].assign(std::istreambuf_iterator<char>(in), {});
    if (i == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  }
  CHECK(bytes[0] == bytes[1]);
}

TEST_CASE("small data costs its own bytes and a header, compressed or not") {
  const Scratch scratch;
  const std::string path = scratch / "small.h5";
  h5::File file = h5::File::create(path);
  const std::vector<double> values(100, 0.5);
  for (int i = 0; i < 50; ++i)
    file.write("/curve" + std::to_string(i), {100}, values.data(), h5::Storage{4});
  file.close();
  CHECK(std::filesystem::file_size(path) < 50 * (100 * sizeof(double) + 500));
  CHECK(h5::File::open(path).read<double>("/curve49") == values);
}

TEST_CASE("rows appended one by one and in blocks are read by ranges") {
  const Scratch scratch;
  const std::string path = scratch / "rows.h5";
  constexpr int64_t kColumns = 128;
  constexpr int64_t kRows = 3000;
  const auto value = [](int64_t row, int64_t column) {
    return static_cast<uint16_t>((row * 131 + column * 7) % 8007);
  };
  {
    h5::File file = h5::File::create(path);
    h5::Dataset tokens = file.create_rows<uint16_t>("/tokens", kColumns, {4});
    h5::Dataset lengths = file.create_rows<int32_t>("/lengths");
    int64_t row = 0;
    for (int64_t block = 1; row < kRows; block = block % 97 + 1) {
      const int64_t rows = std::min(block, kRows - row);
      std::vector<uint16_t> values;
      std::vector<int32_t> numbers;
      for (int64_t r = row; r < row + rows; ++r) {
        for (int64_t c = 0; c < kColumns; ++c) values.push_back(value(r, c));
        numbers.push_back(static_cast<int32_t>(r));
      }
      tokens.append(values.data(), rows);
      lengths.append(numbers.data(), rows);
      row += rows;
    }
    CHECK(tokens.rows() == kRows);
    file.close();
  }
  const h5::File file = h5::File::open(path);
  const h5::Dataset tokens = file.open_rows("/tokens");
  CHECK(tokens.shape() == std::vector<int64_t>{kRows, kColumns});
  CHECK(tokens.columns() == kColumns);
  for (const int64_t first : {int64_t{0}, int64_t{1023}, kRows - 5}) {
    const std::vector<uint16_t> rows = tokens.read<uint16_t>(first, 5);
    for (int64_t r = 0; r < 5; ++r)
      for (int64_t c = 0; c < kColumns; ++c)
        REQUIRE(rows[static_cast<size_t>(r * kColumns + c)] == value(first + r, c));
  }
  CHECK(file.read<int32_t>("/lengths").back() == kRows - 1);
  CHECK(std::filesystem::file_size(path) < static_cast<size_t>(kRows * kColumns));
  CHECK(message_of([&] { tokens.read<uint16_t>(kRows - 1, 2); }) ==
        path + ": /tokens: rows 2999 to 3001 asked for, it has 3000");
  CHECK(message_of([&] { tokens.read<int32_t>(0, 1); }) ==
        path + ": /tokens: holds uint16, expected int32");
}

TEST_CASE("an HDF5 failure names the file, the object and the reason") {
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  {
    h5::File file = h5::File::create(path);
    file.write_text("/text", "글");
    file.set_attribute("/", "seed", int64_t{7});
    file.close();
  }
  const h5::File file = h5::File::open(path);
  CHECK(message_of([&] { file.read<float>("/weights"); }) == path + ": /weights: missing");
  CHECK(message_of([&] { file.read<float>("/text"); }) ==
        path + ": /text: holds fixed-length string, expected float32");
  CHECK(message_of([&] { file.read_text("/"); }) == path + ": /: is not a dataset");
  CHECK(message_of([&] { file.string_attribute("/", "arm"); }) ==
        path + ": / attribute arm: missing");
  CHECK(message_of([&] { file.string_attribute("/", "seed"); }) ==
        path + ": / attribute seed: holds int64, expected a string");
  CHECK(message_of([&] { h5::File::open(scratch / "없음.h5"); }) ==
        scratch / "없음.h5" + ": no such file");
  CHECK(message_of([&] { h5::File::open(scratch.path()); }) ==
        scratch.path() + ": is a folder, expected an HDF5 file");
  CHECK(message_of([&] { h5::File::create("/proc/a.h5"); }) ==
        "/proc/a.h5: cannot be created (HDF5: No such file or directory)");
  std::ofstream(scratch / "text.h5") << "이것은 HDF5가 아니다.\n";
  CHECK(message_of([&] { h5::File::open(scratch / "text.h5"); }) ==
        scratch / "text.h5" + ": not an HDF5 file");
  std::filesystem::copy(path, scratch / "short.h5");
  std::filesystem::resize_file(scratch / "short.h5", std::filesystem::file_size(path) - 1);
  CHECK_THAT(
      message_of([&] { h5::File::open(scratch / "short.h5"); }),
      Catch::StartsWith(scratch / "short.h5" +
                        ": cannot be opened, it may be cut off or damaged (HDF5: truncated"));
}

TEST_CASE("a full disk is an error, and HDF5 goes on working afterwards") {
  const Scratch scratch;
  const std::vector<float> values(1 << 20, 0.5F);
  const std::string path = scratch / "full.h5";
  for (const int64_t limit : {0, 100, 3000, 1 << 20}) {
    const auto write = [&](bool by_rows) {
      const FullDisk full(static_cast<rlim_t>(limit));
      h5::File file = h5::File::create(path);
      if (by_rows) {
        h5::Dataset rows = file.create_rows<float>("/rows", 64);
        for (int i = 0; i < 1 << 14; ++i) rows.append(values.data(), 1);
      } else {
        file.write("/values", {1 << 20}, values.data());
      }
      file.close();
    };
    INFO("limit " << limit);
    CHECK_THAT(message_of([&] { write(false); }), Catch::Contains("File too large"));
    CHECK_THAT(message_of([&] { write(true); }), Catch::Contains("File too large"));
  }
  h5::File file = h5::File::create(path);
  file.write("/values", {1 << 20}, values.data());
  file.close();
  CHECK(h5::File::open(path).read<float>("/values") == values);
}

TEST_CASE("threads with files of their own do not disturb one another") {
  const Scratch scratch;
  std::vector<std::thread> threads;
  std::vector<int> good(4, 0);
  for (size_t t = 0; t < good.size(); ++t)
    threads.emplace_back([&, t] {
      const std::string path = scratch / (std::to_string(t) + ".h5");
      std::vector<int32_t> numbers(200000);  // several chunks
      for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int32_t>(i * (t + 1));
      h5::File file = h5::File::create(path);
      h5::Dataset rows = file.create_rows<int32_t>("/n", 0, {1});
      for (int i = 0; i < 100; ++i) rows.append(numbers.data() + 2000 * i, 2000);
      file.close();
      good[t] = h5::File::open(path).read<int32_t>("/n") == numbers;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(good == std::vector<int>{1, 1, 1, 1});
}

}  // namespace
}  // namespace minibert
