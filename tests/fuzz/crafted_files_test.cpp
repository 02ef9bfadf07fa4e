// Hostile records of the kinds of libhdf5's published faults, each as a file: the program goes on, says in
// one line what is wrong, and takes no changed part for the record's.
#include "crafted_files.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "core/error.h"
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

// 1: all of them, as `make soak` wants it.
size_t every(size_t usual) {
  const char* all = std::getenv("MINIBERT_ALL_CRAFTED");
  return all != nullptr ? 1 : usual;
}

bool same_summed_parts(const RunRecord& a, const RunRecord& b) {
  return weights_sha256(a.weights) == weights_sha256(b.weights) && a.config == b.config &&
         a.data == b.data && a.tokenizer_model == b.tokenizer_model;
}

}  // namespace

TEST_CASE("a record in HDF5's oldest format with one wrong field is refused or read as it was") {
  h5::File::read_apart(true);
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  save_record(sample_record(), path);
  const std::string good = test::in_oldest_format(path, scratch / "old.h5");
  write_bytes(path, good);
  REQUIRE(same_summed_parts(load_record(path), sample_record()));
  const auto fields = test::crafted_fields(good);
  REQUIRE(fields.size() > 2000);
  size_t refused = 0, read = 0, crashed = 0;
  std::map<std::string, size_t> of;
  for (size_t i = 0; i < fields.size(); i += every(47)) {
    INFO(fields[i].structure << ": " << fields[i].size << " bytes at " << fields[i].at << " are "
                             << fields[i].value);
    ++of[fields[i].structure];
    write_bytes(path, test::with(good, fields[i]));
    RunRecord found;
    const std::string message = message_of([&] { found = load_record(path); });
    REQUIRE(message.find('\n') == std::string::npos);
    if (message == "(no error)") {
      ++read;
      REQUIRE(same_summed_parts(found, sample_record()));
    } else {
      ++refused;
      crashed += message.find("ended with signal") != std::string::npos;
      REQUIRE(message.starts_with(path + ": "));
    }
  }
  WARN(refused << " refused, in " << crashed << " of these libhdf5 crashed; " << read << " read");
  CHECK(of.size() == 6);
  CHECK(refused > read / 4);
}

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
