// Files out of a ZIP archive, and every way in which one is refused.
#include "core/zip.h"

#include <catch2/catch.hpp>

#include "core/files.h"
#include "support/message.h"
#include "support/scratch.h"
#include "support/shell.h"

namespace minibert {
namespace {

using testing::message_of;
using testing::Scratch;
using testing::write_bytes;

// An archive with a stored and a packed entry.
struct Letters {
  Letters() {
    const ShellResult made = shell(
        "python3 -c 'import sys, zipfile\n"
        "with zipfile.ZipFile(sys.argv[1], \"w\") as z:\n"
        "  z.writestr(\"stored.txt\", \"letters\" * 300, zipfile.ZIP_STORED)\n"
        "  z.writestr(\"packed.txt\", \"letters\" * 300, zipfile.ZIP_DEFLATED)' " +
        path);
    INFO(made.output);
    REQUIRE(made.status == 0);
    whole = read_file(path);
  }
  // Returns the refusal of the archive with these bytes, behind its path.
  std::string refusal(const std::string& bytes, const std::string& entry = "stored.txt") const {
    write_bytes(path, bytes);
    const std::string message = message_of([&] { Archive(path).unzipped(entry, "letters"); });
    CHECK(message.find('\n') == std::string::npos);
    return message.starts_with(path + ": ") ? message.substr(path.size() + 2) : message;
  }
  // A byte of the packed entry's place in the archive's directory.
  std::string with_byte(size_t place, char value) const {
    std::string out = whole;
    out[out.rfind("packed.txt") - 46 + place] = value;
    return out;
  }
  Scratch scratch;
  std::string path = scratch / "letters.zip", whole;
};

}  // namespace

TEST_CASE("an entry of an archive is read, stored or packed") {
  const Letters letters;
  CHECK(is_zip(letters.path));
  const Archive archive(letters.path);
  CHECK(archive.unzipped("packed.txt", "letters").size() == 2100);
  CHECK(archive.unzipped("packed.txt", "x") == archive.unzipped("stored.txt", "x"));
}

TEST_CASE("an archive that is cut off, damaged or packed otherwise is refused") {
  const Letters letters;
  const std::string& whole = letters.whole;
  CHECK(letters.refusal(whole.substr(0, whole.size() / 2)) ==
        "is cut off: the end of the archive is missing");
  CHECK(letters.refusal(whole, "none.txt") == "has no none.txt, expected letters");
  CHECK(letters.refusal(letters.with_byte(8, 1), "packed.txt") == "packed.txt: is encrypted");
  CHECK(letters.refusal(letters.with_byte(10, 12), "packed.txt") ==
        "packed.txt: is packed by method 12, expected 0 (stored) or 8 (deflated)");
  CHECK(letters.refusal(letters.with_byte(27, 0x70), "packed.txt") ==
        "packed.txt: is damaged: its size is wrong");
  CHECK(letters.refusal(letters.with_byte(20, 4), "packed.txt") ==
        "packed.txt: is damaged: it cannot be unpacked");
  std::string other = whole;
  other[other.find("letters")] = 'L';
  CHECK(letters.refusal(other) == "stored.txt: is damaged: its CRC-32 differs");
  for (size_t size = 0; size < whole.size(); size += 97)
    CHECK(letters.refusal(whole.substr(0, size)) != "(no error)");
}

}  // namespace minibert
