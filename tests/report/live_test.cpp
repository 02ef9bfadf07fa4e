// A running experiment as `minibert watch` shows it.
#include "report/live.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "record/progress.h"
#include "support/message.h"
#include "support/sample_record.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using testing::message_of;
using testing::sample_record;
using testing::Scratch;
using testing::write_bytes;

TEST_CASE("a run is read from its log, also while a line is being written") {
  const Scratch scratch;
  const std::string path = scratch / "a-s1.h5";
  const RunLock lock(path);
  write_bytes(progress_path(path),
              "{\"step\":10,\"steps\":40,\"epoch\":1,\"epochs\":2,\"seconds_left\":90,"
              "\"examples_per_second\":12.5,\"train\":{\"loss\":9}}\n"
              "{\"step\":20,\"steps\":40,\"epoch\":1,\"epochs\":2,\"seconds_left\":3661,"
              "\"examples_per_second\":12.5,\"train\":{\"loss\":7}}\n"
              "{\"step\":20,\"epoch\":1,\"dev\":{\"f1\":40,\"odd\":\"text\"},\"best\":true}\n"
              "{\"step\":30,\"ste");
  const LiveRun run = read_live(path);
  CHECK(run.status == "running");
  CHECK(run.metrics.at("train/loss").value == std::vector<double>{9, 7});
  CHECK(run.metrics.at("dev/f1").step == std::vector<int64_t>{20});
  CHECK(run.metrics.size() == 2);
  const std::string text = live_text(run, 10, 2);
  CHECK_THAT(text, Catch::StartsWith(path + "  running  epoch 1/2  step 20/40  12.5 examples/s  "
                                            "1:01:01 left\ntrain/loss  7\n"));
}

TEST_CASE("a record without a log has its own curves and status") {
  const Scratch scratch;
  RunRecord record = sample_record();
  record.status = "interrupted";
  save_record(record, scratch / "a.h5");
  const LiveRun run = read_live(scratch / "a.h5");
  CHECK(run.status == "interrupted");
  CHECK(run.metrics.at("train/loss").step == std::vector<int64_t>{10, 20, 30});
  CHECK(message_of([&] { read_live(scratch / "b.h5"); }) ==
        scratch / "b.h5" + ": has neither a record nor a progress log");
}

TEST_CASE("a run that no process holds has stopped, whatever its log and its record say") {
  const Scratch scratch;
  const std::string path = scratch / "a-s1.h5";
  write_bytes(progress_path(path),
              "{\"step\":10,\"steps\":40,\"epoch\":1,\"epochs\":2,\"seconds_left\":90}\n");
  write_bytes(path + ".lock", "process 1 on a machine\n");  // a kill leaves it, and nobody holds it
  CHECK(read_live(path).status == "stopped");
  CHECK(live_text(read_live(path), 10, 2).find(" left") == std::string::npos);
  save_record(sample_record(), path);
  CHECK(read_live(path).status == "stopped");
  {
    const RunLock lock(path);
    CHECK(read_live(path).status == "running");
    CHECK(message_of([&] { RunLock second(path); }) != "(no error)");  // asking took nothing
  }
  CHECK(read_live(path).status == "stopped");
  RunRecord record = sample_record();
  record.status = "finished";
  save_record(record, path);
  CHECK(read_live(path).status == "finished");
}

TEST_CASE("a curve falls from the top left to the bottom right, with its limits beside it") {
  const MetricSeries falling = {{0, 10}, {8, 2}};
  CHECK(text_plot(falling, 4, 2) == "  ⠑⢄⠀⠀ 8\n  ⠀⠀⠑⢄ 2\n");
  CHECK(text_plot({{0, 10, 20}, {5, NAN, 5}}, 2, 1) == "  ⠤⠤ 5\n");
  CHECK(text_plot({{0}, {5}}, 2, 1).empty());
}

}  // namespace
}  // namespace minibert
