// Files that are no good run records: each a named case, each a one-line error and never a crash.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "core/files.h"
#include "core/h5.h"
#include "core/rng.h"
#include "record/layout.h"
#include "record/run_record.h"
#include "record/verify.h"
#include "support/edited_record.h"
#include "support/message.h"
#include "support/sample_record.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using testing::edit_record;
using testing::message_of;
using testing::sample_record;
using testing::Scratch;
using testing::unseal;
using testing::write_bytes;

// What a valid record's writer does, with places to do something else.
struct Parts {
  std::string format = layout::kFormatName;
  int64_t version = layout::kFormatVersion;
  std::string status = "finished", experiment = "e", arm = "a", profile = "quick";
  std::string started = "2026-11-20T22:31:05Z";
  std::string config = "{}";
  std::string without = "";  // an attribute of "/" or an object to leave out
  std::function<void(h5::File&)> extra = [](h5::File&) {};
};

void write(const Parts& parts, const std::string& path) {
  h5::File file = h5::File::create(path);
  const auto attribute = [&](const char* name, const auto& value) {
    if (parts.without != name) file.set_attribute("/", name, value);
  };
  attribute(layout::kFormat, parts.format);
  attribute(layout::kVersion, parts.version);
  attribute(layout::kStatus, parts.status);
  attribute(layout::kExperiment, parts.experiment);
  attribute(layout::kArm, parts.arm);
  attribute(layout::kSeed, int64_t{1});
  attribute(layout::kProfile, parts.profile);
  attribute(layout::kStarted, parts.started);
  attribute(layout::kFinished, std::string("2026-11-20T22:41:05Z"));
  if (parts.without != layout::kConfig) file.write_text(layout::kConfig, parts.config);
  if (parts.without != layout::kEnvironment) file.write_text(layout::kEnvironment, "{}");
  if (parts.without != layout::kData) file.write_text(layout::kData, "{}");
  if (parts.without != layout::kSummary) file.make_group(layout::kSummary);
  if (parts.without != layout::kMetrics) file.make_group(layout::kMetrics);
  if (parts.without != layout::kTokenizer) file.write<uint8_t>(layout::kTokenizer, {0}, nullptr);
  if (parts.without != layout::kWeights) {
    file.make_group(layout::kWeights);
    file.set_attribute(layout::kWeights, layout::kSelectedBy, std::string("dev/f1"));
    if (parts.without != layout::kSha256)
      file.set_attribute(layout::kWeights, layout::kSha256, weights_sha256({}));
  }
  parts.extra(file);
  file.close();
}

TEST_CASE("records that are not what they should be are refused by name") {
  struct Case {
    const char* name;
    Parts parts;
    std::string message;  // after "file: "
  };
  const double one = 1;
  const float weight = 1;
  const std::vector<Case> cases = {
      {"a good one", {}, "(no error)"},
      {"another format",
       {.format = "minibert-instances"},
       "format 'minibert-instances', expected 'minibert-run'"},
      {"a format with a line break",
       {.format = "\n'``x"},
       "format ' '``x', expected 'minibert-run'"},
      {"a later version", {.version = 2}, "minibert-run version 2, this program reads version 1"},
      {"version 0", {.version = 0}, "minibert-run version 0, this program reads version 1"},
      {"no format",
       {.without = layout::kFormat},
       "an HDF5 file, but not a run record (no attribute 'format')"},
      {"no version", {.without = layout::kVersion}, "/ attribute version: missing"},
      {"no seed", {.without = layout::kSeed}, "/ attribute seed: missing"},
      {"unknown status",
       {.status = "done"},
       "status 'done', expected running, finished, failed or interrupted"},
      {"no config", {.without = layout::kConfig}, "/config: missing"},
      {"no weights", {.without = layout::kWeights}, "/weights: missing"},
      {"no hash of the weights",
       {.without = layout::kSha256},
       "/weights attribute sha256: missing"},
      {"a configuration that is not JSON",
       {.config = "{\"task\": }"},
       "/config: not valid JSON: parse error at line 1, column 10: syntax error while parsing "
       "value "
       "- unexpected '}'; expected '[', '{', or a literal"},
      {"a summary that is text",
       {.extra = [](h5::File& f) { f.set_attribute(layout::kSummary, "f1", std::string("높음")); }},
       "/summary attribute f1: holds fixed-length string, expected float64"},
      {"a metric without steps",
       {.extra = [&](h5::File& f) { f.write("/metrics/dev/f1/value", {1}, &one); }},
       "/metrics/dev/f1/step: missing"},
      {"a metric with too few steps",
       {.extra =
            [&](h5::File& f) {
              f.write("/metrics/dev/f1/value", {1}, &one);
              f.write<int64_t>("/metrics/dev/f1/step", {0}, nullptr);
            }},
       "/metrics/dev/f1: 0 steps for 1 values"},
      {"weights as float64",
       {.extra = [&](h5::File& f) { f.write("/weights/bias", {1}, &one); }},
       "/weights/bias: holds float64, expected float32"},
      {"weights that changed",
       {.extra = [&](h5::File& f) { f.write("/weights/bias", {1}, &weight); }},
       "/weights: SHA-256 " + weights_sha256({{"bias", {1}, {1}}}) + ", expected " +
           weights_sha256({}) + "; the file is damaged"},
      {"predictions without ids",
       {.extra = [](h5::File& f) { f.write_texts("/predictions/gold", {"답"}); }},
       "/predictions/id: missing"},
      {"a column of predictions that is too short",
       {.extra =
            [&](h5::File& f) {
              f.write_texts("/predictions/id", {"q", "r"});
              f.write("/predictions/f1", {1}, &one);
            }},
       "/predictions/f1: 1 values, expected one for each of 2 ids"},
      {"a column of predictions in another type",
       {.extra =
            [&](h5::File& f) {
              f.write_texts("/predictions/id", {"q"});
              f.write("/predictions/f1", {1}, &weight);
            }},
       "/predictions/f1: holds float32, expected float64"},
      {"a column of predictions with two dimensions",
       {.extra =
            [&](h5::File& f) {
              f.write_texts("/predictions/id", {"q"});
              f.write("/predictions/f1", {1, 1}, &one);
            }},
       "/predictions/f1: has 2 dimensions, expected one value for each id"},
      {"a group among the columns of predictions",
       {.extra =
            [](h5::File& f) {
              f.write_texts("/predictions/id", {"q"});
              f.make_group("/predictions/f1");
            }},
       "/predictions/f1: is not a dataset"},
      {"a resume state without numbers",
       {.extra = [](h5::File& f) { f.make_group(layout::kResumeTensors); }},
       "/resume/numbers: missing"},
      {"a configuration that is no object",
       {.config = "[]"},
       "/config: found array, expected an object"},
      {"a configuration nested 200,000 deep",
       {.config = "{\"a\":" + std::string(200'000, '[') + std::string(200'000, ']') + "}"},
       "/config: not valid JSON: nested deeper than 200 levels"},
      {"an experiment in another folder",
       {.experiment = "../../evil"},
       "experiment: found \"../../evil\", expected a name without '/' and control characters"},
      {"a profile in another folder",
       {.profile = ".."},
       "profile: found \"..\", expected a name without '/' and control characters"},
      {"an arm with an escape sequence",
       {.arm = "\x1b[2J"},
       "arm: found \"\\u001b[2J\", expected a name without '/' and control characters"},
      {"a start in another folder",
       {.started = "/../2026"},
       "started: found \"/../2026\", expected a name without '/' and control characters"},
      {"groups in groups in groups",
       {.extra =
            [](h5::File& f) {
              std::string group = "/weights";
              for (int i = 0; i < 40; ++i) f.make_group(group += "/g");
            }},
       "/weights/g/g/g/g/g/g/g/g/g/g/g/g/g/g/g/g: groups in more than 16 levels; the file is "
       "damaged"},
      {"a dataset where a group should be",
       {.without = layout::kMetrics,
        .extra = [](h5::File& f) { f.write_text(layout::kMetrics, "없음"); }},
       "/metrics: is not a group"},
  };
  const Scratch scratch;
  const std::string path = scratch / "bad.h5";
  for (const Case& c : cases) {
    INFO(c.name);
    write(c.parts, path);
    const std::string expected = c.message == "(no error)" ? c.message : path + ": " + c.message;
    CHECK(message_of([&] { load_record(path); }) == expected);
  }
}

TEST_CASE("files that are not HDF5 are refused by name") {
  const Scratch scratch;
  const std::string path = scratch / "bad.h5";
  for (const std::string& bytes :
       {std::string(), std::string("\x89HDF"), std::string("{\"format\": \"minibert-run\"}\n"),
        std::string(4096, '\0')}) {
    write_bytes(path, bytes);
    CHECK(message_of([&] { load_record(path); }) == path + ": not an HDF5 file");
  }
  CHECK(message_of([&] { load_record(scratch / "none.h5"); }) == scratch / "none.h5: no such file");
  CHECK(message_of([&] { load_record(scratch / "bda.h5"); }) ==
        scratch / "bda.h5: no such file (did you mean \"bad.h5\"?)");
  CHECK(message_of([&] { load_record(scratch.path()); }) ==
        scratch.path() + ": is a folder, expected an HDF5 file");
}

TEST_CASE("a record cut off anywhere is refused") {
  const Scratch scratch;
  const std::string path = scratch / "whole.h5";
  save_record(sample_record(0, 3000), path);
  const std::string whole = read_file(path);
  const size_t stride = whole.size() / 400 + 1;
  for (size_t size = 0; size < whole.size(); size += size < 600 ? 7 : stride) {
    INFO("cut to " << size << " of " << whole.size() << " bytes");
    const std::string cut = scratch / "cut.h5";
    write_bytes(cut, whole.substr(0, size));
    const std::string message = message_of([&] { load_record(cut); });
    REQUIRE_THAT(message, Catch::StartsWith(cut + ": not an HDF5 file") ||
                              Catch::StartsWith(cut + ": cut off or changed since it was written"));
    REQUIRE(message.find('\n') == std::string::npos);
  }
  write_bytes(scratch / "cut.h5", whole.substr(0, whole.size() - 1));
  CHECK_THAT(message_of([&] { load_record(scratch / "cut.h5"); }),
             Catch::Contains("cut off or changed"));
}

TEST_CASE("a record that another program has open for writing is not called damaged") {
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  save_record(sample_record(), path);
  std::string bytes = read_file(path);
  // As h5py leaves the superblock while it has the file open: its consistency flags, byte 11.
  REQUIRE(bytes.at(512 + 8) >= 2);
  bytes[512 + 11] = 1;
  write_bytes(path, bytes);
  const std::string message = message_of([&] { load_record(path); });
  CHECK_THAT(message, Catch::StartsWith(path + ": is open for writing in another program"));
  CHECK(message.find("damaged") == std::string::npos);
}

TEST_CASE("a record with a flipped bit is refused, but for its seal's own text and padding") {
  const Scratch scratch;
  const std::string path = scratch / "whole.h5";
  const RunRecord original = sample_record(0, 500);
  save_record(original, path);
  const std::string whole = read_file(path);
  Rng rng(1, "test/flips");
  int refused = 0;
  for (int i = 0; i < 400; ++i) {
    std::string bytes = whole;
    const size_t at = i < 100 ? rng.below(512) : rng.below(bytes.size());
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << rng.below(8)));
    write_bytes(scratch / "flipped.h5", bytes);
    INFO("flip " << i << " in byte " << at);
    try {
      const RunRecord record = load_record(scratch / "flipped.h5");
      REQUIRE(at < 512);
      REQUIRE(weights_sha256(record.weights) == weights_sha256(original.weights));
      REQUIRE(weights_sha256(record.resume->tensors) == weights_sha256(original.resume->tensors));
      REQUIRE(record.resume->numbers == original.resume->numbers);
      REQUIRE(record.tokenizer_model == original.tokenizer_model);
      REQUIRE(record.config == original.config);
      REQUIRE(record.environment == original.environment);
      REQUIRE(record.data == original.data);
      REQUIRE(record.summary == original.summary);
      REQUIRE(record.diff == original.diff);
    } catch (const Error& error) {
      ++refused;
      REQUIRE(std::string(error.what()).find('\n') == std::string::npos);
    }
  }
  CHECK(refused > 290);
}

TEST_CASE(
    "a dataset that claims more than its file can hold is refused before memory is asked for") {
  const Scratch scratch;
  const std::string path = scratch / "huge.h5";
  // A sparse file of HDF5's own making: 2^42 values, none written.
  const std::string script = "import h5py; h5py.File('" + path +
                             "', 'w').create_dataset('rows', shape=(1 << 42,), dtype='<f4')";
  REQUIRE(std::system(("/usr/bin/python3 -c \"" + script + "\"").c_str()) == 0);
  const h5::File file = h5::File::open(path);
  const std::string expected =
      path + ": /rows: claims to hold more than the file can; the file is damaged";
  CHECK(message_of([&] { file.read<float>("/rows"); }) == expected);
  CHECK(message_of([&] { file.open_rows("/rows"); }) == expected);
}

TEST_CASE("a record that leads out of itself, or for ever on, is refused") {
  const Scratch scratch;
  const std::string other = scratch / "other.h5", raw = scratch / "raw";
  save_record(sample_record(), other);
  write_bytes(raw, std::string(64, 'x'));
  struct Case {
    const char* name;
    std::string statements, message;
  };
  const Case cases[] = {
      {"a loop of hard links", "f['weights/loop'] = f['weights']", "groups in more than 16 levels"},
      {"a soft link", "del f['config']; f['config'] = h5py.SoftLink('/environment')",
       "/config: is a link to somewhere else"},
      {"a link to another file",
       "del f['config']; f['config'] = h5py.ExternalLink('" + other + "', '/environment')",
       "/config: is a link to somewhere else"},
      {"values in another file",
       "del f['tokenizer/model']; f.create_dataset('tokenizer/model', (8,), 'u1', external='" +
           raw + "')",
       "/tokenizer/model: keeps its values in another file"},
      {"many datasets that unpack to a lot",
       "[f.create_dataset('weights/b%d' % i, data=np.zeros(5000000, 'f4'), compression=9) for i in "
       "range(8)]",
       "the file is damaged"},
      // Found by the fuzzer: each of so many short texts takes a string's room.
      {"short texts that unpack to a lot",
       "del f['predictions/f1']; f.create_dataset('predictions/f1', (1 << 24,), 'S1', "
       "compression=9)",
       "/predictions/f1: unpacks, with what was read before, to more than"},
  };
  for (const Case& c : cases) {
    INFO(c.name);
    const std::string path = scratch / "bad.h5";
    save_record(sample_record(), path);
    edit_record(path, c.statements);
    CHECK_THAT(message_of([&] { load_record(path); }), Catch::Contains("cut off or changed"));
    unseal(path);
    CHECK_THAT(message_of([&] { load_record(path); }),
               Catch::StartsWith(path + ": ") && Catch::Contains(c.message));
  }
}

TEST_CASE("a value that changed is noticed in every part, and an older record without sums opens") {
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  for (const char* part : {"/tokenizer/model", "/resume/tensors/adam/classifier.bias/m",
                           "/predictions/score", "/metrics/dev/f1/value"}) {
    INFO(part);
    save_record(sample_record(), path);
    unseal(path);
    edit_record(path, "d = f['" + std::string(part) + "']; d[0] = d[0] + 1");
    CHECK_THAT(message_of([&] { load_record(path); }),
               Catch::StartsWith(path + ": " + part + ": SHA-256 ") &&
                   Catch::Contains("the file is damaged"));
    edit_record(path, "d = f['" + std::string(part) + "']; del d.attrs['sha256']");
    CHECK(message_of([&] { load_record(path); }) == "(no error)");
  }
}

}  // namespace
}  // namespace minibert
