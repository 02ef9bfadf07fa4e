// Hostile records of the kinds of libhdf5's published faults, each as a file: the program goes on and says in one line
// what is wrong.
#include "crafted_files.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/files.h"
#include "core/h5.h"
#include "record/run_record.h"
#include "record/verify.h"
#include "support/message.h"
#include "support/sample_record.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using testing::message_of;
using testing::sample_record;
using testing::Scratch;
using testing::write_bytes;

}  // namespace

TEST_CASE("records that ask for too much, or for other files, are refused in one line") {
  h5::File::read_apart(true);
  const Scratch scratch;
  const std::string good = scratch / "good.h5", path = scratch / "a.h5";
  save_record(sample_record(), good);
  std::string bytes = read_file(good);
  std::fill_n(bytes.begin(), 512, '\0');  // no seal
  for (const test::CraftedRecord& crafted : test::crafted_records()) {
    INFO(crafted.name);
    write_bytes(path, bytes);
    crafted.make(path);
    const std::string message = message_of([&] { load_record(path); });
    CHECK(message.starts_with(path + ": "));
    CHECK(message.find('\n') == std::string::npos);
    CHECK(message.find("signal") == std::string::npos);
    CHECK_FALSE(verify_record(path).problems.empty());
  }
}

}  // namespace minibert
