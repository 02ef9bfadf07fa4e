// The faults that `minibert verify` finds in a record, and its words for them.
#include "record/verify.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

#include "core/files.h"
#include "core/sha256.h"
#include "record/run_record.h"
#include "support/sample_record.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using testing::sample_record;
using testing::Scratch;
using Lines = std::vector<std::string>;

RunRecord good_record() {
  RunRecord record = sample_record();
  record.metrics["train/loss"].value.back() = 7;
  record.metrics.erase("dev/never");
  record.data["tokenizer_sha256"] = sha256_hex(record.tokenizer_model);
  return record;
}

TEST_CASE("every fault of a record is named with its part") {
  struct Case {
    const char* name;
    std::function<void(RunRecord&)> change;
    Lines problems;
  };
  const Case cases[] = {
      {"a good one", [](RunRecord&) {}, {}},
      {"weights that are no numbers",
       [](RunRecord& r) { r.weights[0].values[1] = NAN, r.weights[0].values[2] = INFINITY; },
       {"/weights/encoder.word_embedding.weight: 2 of 6 values are no finite numbers"}},
      {"a metric that is no number",
       [](RunRecord& r) { r.metrics["train/loss"].value[1] = NAN; },
       {"/metrics/train/loss/value: 1 of 3 values are no finite numbers"}},
      {"steps that go back",
       [](RunRecord& r) {
         r.metrics["train/loss"].step = {10, 30, 20};
       },
       {"/metrics/train/loss/step: does not go forward"}},
      {"a summary without a number",
       [](RunRecord& r) { r.summary["f1"] = NAN; },
       {"/summary attribute f1: 1 of 1 values are no finite numbers"}},
      {"a prediction that is no number",
       [](RunRecord& r) { r.predictions->numbers.begin()->second[0] = NAN; },
       {"/predictions/" + good_record().predictions->numbers.begin()->first + ": 1 of " +
        std::to_string(good_record().predictions->id.size()) + " values are no finite numbers"}},
      {"finished without an end",
       [](RunRecord& r) { r.status = "finished", r.summary.clear(); },
       {"/ attribute finished: is missing of a run that is finished",
        "/summary: is missing of a run that is finished"}},
      {"interrupted with nothing to resume from",
       [](RunRecord& r) { r.status = "interrupted", r.resume.reset(); },
       {"/resume: is missing of a run that is interrupted"}},
      {"failed for no reason",
       [](RunRecord& r) { r.status = "failed"; },
       {"/ attribute error: is missing of a run that is failed"}},
      {"another tokenizer than /data says",
       [](RunRecord& r) { r.tokenizer_model = "x"; },
       {"/tokenizer/model: SHA-256 " + sha256_hex("x") + ", expected " +
        sha256_hex(sample_record().tokenizer_model) + " as /data says; the file is damaged"}},
  };
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  for (const Case& one : cases) {
    INFO(one.name);
    RunRecord record = good_record();
    one.change(record);
    save_record(record, path);
    CHECK(verify_record(path).problems == one.problems);
  }
}

TEST_CASE("what cannot be opened is a problem, not an exception; the shipped records are good") {
  const Scratch scratch;
  testing::write_bytes(scratch / "bad.h5", "text");
  CHECK(verify_record(scratch / "bad.h5").problems == Lines{"not an HDF5 file"});
  CHECK(verify_record(scratch / "none.h5").problems == Lines{"no such file"});
  const Verification shipped = verify_record("results/kowiki_mini_bert/full/mini_bert_1m-s1.h5");
  CHECK(shipped.problems == Lines());
  CHECK(shipped.status == "finished");
  CHECK(shipped.weights_sha256.size() == 64);
}

TEST_CASE("records of the same configuration have the same hash of it") {
  const Scratch scratch;
  RunRecord record = good_record();
  save_record(record, scratch / "a.h5");
  record.seed = 8;
  save_record(record, scratch / "b.h5");
  record.config["x"] = 1;
  save_record(record, scratch / "c.h5");
  const std::string hash = verify_record(scratch / "a.h5").config_sha256;
  CHECK(verify_record(scratch / "b.h5").config_sha256 == hash);
  CHECK(verify_record(scratch / "c.h5").config_sha256 != hash);
}

}  // namespace
}  // namespace minibert
