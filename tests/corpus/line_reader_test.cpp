#include "text/line_reader.h"

#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/files.h"
#include "corpus/sample.h"
#include "text/byte_source.h"

namespace minibert::testing {
namespace {

std::string gzip(const std::string& text) {
  std::string out(compressBound(text.size()) + 32, '\0');
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

}  // namespace

TEST_CASE("plain, gzip and zstd files give the same lines, whatever their names") {
  const Scratch folder;
  const std::string text = read_file(kSampleText);
  const auto plain = read_lines(kSampleText);
  REQUIRE(plain.size() > 300);
  CHECK(read_lines(text_file(folder, "a.gz", gzip(text))) == plain);
  CHECK(read_lines(text_file(folder, "b.txt", gzip(text))) == plain);
  CHECK(read_lines(text_file(folder, "c.zst", zstd(text))) == plain);
  CHECK(read_lines(text_file(folder, "d.gz", text)) == plain);
}

TEST_CASE("concatenated gzip members and zstd frames are read through") {
  const Scratch folder;
  const std::vector<std::string> lines = {"하나", "둘", "셋"};
  CHECK(read_lines(text_file(folder, "a", gzip("하나\n둘") + gzip("\n셋\n"))) == lines);
  CHECK(read_lines(text_file(folder, "b", zstd("하나\n둘") + zstd("") + zstd("\n셋\n"))) == lines);
}

TEST_CASE("a pipe gives all its lines, compressed or not") {
  const Scratch folder;
  const std::vector<std::string> lines = {"하나", "둘", "셋"};
  for (const std::string& bytes :
       {std::string("하나\n둘\n셋\n"), gzip("하나\n둘\n셋"), zstd("하나\n둘\n셋\n")}) {
    const std::string file = text_file(folder, "a", bytes), pipe = folder / "pipe";
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << bytes; });
    CHECK(read_lines(pipe) == lines);
    writer.join();
    std::filesystem::remove(pipe);
  }
}

TEST_CASE("unpacking a whole file stops at the limit") {
  const Scratch folder;
  const std::string path = text_file(folder, "zeros", zstd(std::string(1000, '0')));
  CHECK(read_unpacked(path, 1000) == std::string(1000, '0'));
  CHECK_THROWS_WITH(read_unpacked(path, 999), Catch::Contains(path) && Catch::Contains("999"));
}

TEST_CASE("line ends, a byte order mark and a last line without an end") {
  const Scratch folder;
  using Lines = std::vector<std::string>;
  CHECK(read_lines(text_file(folder, "crlf", "하나\r\n\r\n둘\r\n")) == Lines{"하나", "", "둘"});
  CHECK(read_lines(text_file(folder, "bom", "\xef\xbb\xbf하나\n둘")) == Lines{"하나", "둘"});
  CHECK(read_lines(text_file(folder, "empty", "")).empty());
  CHECK(read_lines(text_file(folder, "empty.gz", gzip(""))).empty());
  CHECK(read_lines(text_file(folder, "blank", "\n\n")) == Lines{"", ""});
}

TEST_CASE("lines longer than any buffer stay whole, and line numbers count from one") {
  const Scratch folder;
  const std::string longest(700000, 'a');
  LineReader reader(text_file(folder, "long", "하나\n" + longest + "\n셋\n"));
  std::string line;
  CHECK(reader.line_number() == 0);
  REQUIRE(reader.next(&line));
  REQUIRE(reader.next(&line));
  CHECK(line == longest);
  CHECK(reader.where() == folder / "long:2");
  REQUIRE(reader.next(&line));
  CHECK(line == "셋");
  CHECK_FALSE(reader.next(&line));
  CHECK_FALSE(reader.next(&line));
}

TEST_CASE("unreadable files are errors that name the file") {
  const Scratch folder;
  const std::string text = read_file(kSampleText);
  const std::string packed_gz = gzip(text), packed_zst = zstd(text);
  std::string broken_gz = packed_gz, broken_zst = packed_zst;
  broken_gz[broken_gz.size() / 2] ^= 0x55;
  for (size_t i = 0; i < 64; ++i) broken_zst[broken_zst.size() / 2 + i] ^= 0x55;
  struct Case {
    std::string name, path, expected;
  };
  const std::vector<Case> cases = {
      {"missing", folder / "missing", "cannot be read"},
      {"a folder", folder.path(), "is a folder"},
      {"cut gzip", text_file(folder, "cut.gz", packed_gz.substr(0, packed_gz.size() / 2)),
       "end too early"},
      {"gzip header alone", text_file(folder, "head.gz", packed_gz.substr(0, 10)), "end too early"},
      {"damaged gzip", text_file(folder, "bad.gz", broken_gz), "damaged gzip data"},
      {"garbage after gzip", text_file(folder, "tail.gz", packed_gz + "tail"), "damaged gzip data"},
      {"cut zstd", text_file(folder, "cut.zst", packed_zst.substr(0, packed_zst.size() / 2)),
       "end too early"},
      {"zstd magic alone", text_file(folder, "head.zst", packed_zst.substr(0, 4)), "end too early"},
      {"damaged zstd", text_file(folder, "bad.zst", broken_zst), "damaged zstd data"},
      {"garbage after zstd", text_file(folder, "tail.zst", packed_zst + "tail..."),
       "damaged zstd data"},
  };
  for (const Case& c : cases) {
    INFO(c.name);
    const std::string message = error_of([&] { read_lines(c.path); });
    CHECK_THAT(message, Catch::Contains(c.expected));
    CHECK_THAT(message, Catch::StartsWith(c.path));
    CHECK(message.find('\n') == std::string::npos);
  }
}

TEST_CASE("a line without end is refused before it fills the memory") {
  const Scratch folder;
  // 80 MiB of zeros are a few kilobytes of gzip.
  const std::string path = text_file(folder, "bomb.gz", gzip(std::string(size_t{80} << 20, '\0')));
  CHECK_THAT(error_of([&] { read_lines(path); }),
             Catch::Contains("bomb.gz:1: a line of more than"));
}

}  // namespace minibert::testing
