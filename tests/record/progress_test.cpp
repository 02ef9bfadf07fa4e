// The live progress file beside a record.
#include "record/progress.h"

#include <catch2/catch.hpp>

#include "core/files.h"
#include "record/full_disk.h"
#include "support/message.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using testing::FullDisk;
using testing::message_of;
using testing::Scratch;
using testing::write_bytes;

TEST_CASE("progress lines are on disk as soon as they are appended") {
  const Scratch scratch;
  const std::string record = scratch / "실험/bert-v1.5-s7.h5";
  const std::string path = scratch / "실험/bert-v1.5-s7.progress.jsonl";
  CHECK(progress_path(record) == path);
  ProgressLog log(record);
  CHECK(read_file(path).empty());
  log.append({{"step", 10}, {"loss", 9.5}});
  CHECK(read_file(path) == "{\"loss\":9.5,\"step\":10}\n");
  log.append({{"step", 20}, {"note", "한글"}});
  CHECK(read_file(path) == "{\"loss\":9.5,\"step\":10}\n{\"note\":\"한글\",\"step\":20}\n");
}

TEST_CASE("a resumed run keeps the lines up to its checkpoint, a new one none") {
  const Scratch scratch;
  const std::string record = scratch / "a.h5";
  const std::string path = progress_path(record);
  // The last line was cut off by a kill.
  const std::string start = "{\"step\":10}\n{\"step\":10,\"dev\":{\"f1\":40.5}}\n{\"step\":20}\n";
  const std::string dev = "{\"step\":20,\"dev\":{\"f1\":41.5}}\n";
  write_bytes(path, start + dev + "{\"step\":30}\n{\"st");
  {
    ProgressLog log(record, ProgressLog::Kept{20, 20});
    CHECK(read_file(path) == start + dev);
    log.append({{"step", 21}});
    CHECK(read_file(path) == start + dev + "{\"step\":21}\n");
  }
  // A checkpoint after the step and before its evaluation, which is made again.
  { const ProgressLog log(record, ProgressLog::Kept{20, 10}); }
  CHECK(read_file(path) == start);
  const ProgressLog fresh(record);
  CHECK(read_file(path).empty());
}

TEST_CASE("progress that cannot be written is an error") {
  const Scratch scratch;
  ProgressLog log(scratch / "a.h5");
  const FullDisk full(0);
  CHECK(message_of([&] {
          log.append({{"step", 1}});
        }) == scratch / "a.progress.jsonl: cannot be written: File too large");
  CHECK_THAT(message_of([] { ProgressLog nowhere("/proc/a.h5"); }),
             Catch::StartsWith("/proc/a.progress.jsonl.tmp: cannot be written"));
}

}  // namespace
}  // namespace minibert
