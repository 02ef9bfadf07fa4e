// Saving and loading run records.
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>

#include "core/files.h"
#include "core/h5.h"
#include "core/sha256.h"
#include "core/utf8.h"
#include "record/full_disk.h"
#include "record/layout.h"
#include "record/run_record.h"
#include "support/message.h"
#include "support/sample_record.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using testing::FullDisk;
using testing::message_of;
using testing::sample_record;
using testing::Scratch;
using testing::write_bytes;

void check_equal(const std::vector<NamedTensor>& found, const std::vector<NamedTensor>& expected) {
  REQUIRE(found.size() == expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i].name == expected[i].name);
    CHECK(found[i].shape == expected[i].shape);
    CHECK(found[i].values == expected[i].values);
  }
}

void check_equal(const RunRecord& found, const RunRecord& expected) {
  CHECK(found.status == expected.status);
  CHECK(found.experiment == expected.experiment);
  CHECK(found.arm == expected.arm);
  CHECK(found.profile == expected.profile);
  CHECK(found.seed == expected.seed);
  CHECK(found.started == expected.started);
  CHECK(found.finished == expected.finished);
  CHECK(found.error == expected.error);
  CHECK(found.ended_by == expected.ended_by);
  CHECK(found.measured_on == expected.measured_on);
  CHECK(found.config == expected.config);
  CHECK(found.environment == expected.environment);
  CHECK(found.data == expected.data);
  CHECK(found.diff == expected.diff);
  CHECK(found.tokenizer_model == expected.tokenizer_model);
  CHECK(found.summary == expected.summary);
  CHECK(found.selected_by == expected.selected_by);
  REQUIRE(found.metrics.size() == expected.metrics.size());
  for (const auto& [name, series] : expected.metrics) {
    INFO(name);
    CHECK(found.metrics.at(name).step == series.step);
    REQUIRE(found.metrics.at(name).value.size() == series.value.size());
    for (size_t i = 0; i < series.value.size(); ++i) {
      const double a = found.metrics.at(name).value[i];
      CHECK((a == series.value[i] || (std::isnan(a) && std::isnan(series.value[i]))));
    }
  }
  check_equal(found.weights, expected.weights);
  REQUIRE(found.predictions.has_value());
  CHECK(found.predictions->id == expected.predictions->id);
  CHECK(found.predictions->texts == expected.predictions->texts);
  CHECK(found.predictions->numbers == expected.predictions->numbers);
}

TEST_CASE("a record comes back as it was saved") {
  const Scratch scratch;
  const std::string path = scratch / "새 폴더/bert-s7.h5";
  RunRecord record = sample_record();
  record.ended_by = "max_minutes";
  record.measured_on = "test";
  save_record(record, path);
  const RunRecord loaded = load_record(path);
  check_equal(loaded, record);
  REQUIRE(loaded.resume.has_value());
  CHECK(loaded.resume->numbers == record.resume->numbers);
  CHECK(loaded.resume->numbers["best"].get<double>() == 0.1 + 0.2);
  check_equal(loaded.resume->tensors, record.resume->tensors);
  CHECK_FALSE(std::filesystem::exists(path + ".tmp"));
}

TEST_CASE("a record says what it depends on, and the sum of weights that were not kept") {
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  RunRecord record = sample_record();
  record.data["start_weights_sha256"] = "ab";
  record.dropped_weights = "cd";
  save_record(record, path);
  CHECK(load_record(path, Load::summary).dropped_weights == "cd");
  const h5::File file = h5::File::open(path);
  CHECK(file.string_attribute(layout::kDepends, "start_weights") == "ab");
  CHECK(file.string_attribute(layout::kDepends, "tokenizer") == sha256_hex(record.tokenizer_model));
}

TEST_CASE("a failed run keeps its error and its resume state, a finished one drops the latter") {
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  RunRecord record = sample_record();
  record.status = "failed";
  record.error = "loss is not finite at step 12";
  save_record(record, path);
  CHECK(load_record(path).error == record.error);
  CHECK(load_record(path).resume.has_value());
  record.status = "finished";
  record.error.clear();
  record.finished = "2026-11-20T22:40:00Z";
  save_record(record, path);
  CHECK_FALSE(load_record(path).resume.has_value());
  CHECK_FALSE(h5::File::open(path).exists(layout::kResume));
  check_equal(load_record(path), record);
}

TEST_CASE("a record that has hardly begun is complete too") {
  const Scratch scratch;
  RunRecord record;
  record.status = "running";
  save_record(record, scratch / "a.h5");
  const RunRecord loaded = load_record(scratch / "a.h5");
  CHECK(loaded.weights.empty());
  CHECK(loaded.metrics.empty());
  CHECK(loaded.tokenizer_model.empty());
  CHECK_FALSE(loaded.predictions.has_value());
  CHECK_FALSE(loaded.resume.has_value());
}

TEST_CASE("loading a part leaves out the rest") {
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  save_record(sample_record(), path);
  const RunRecord summary = load_record(path, Load::summary);
  CHECK(summary.summary.at("f1") == 41.5);
  CHECK(summary.metrics.at("dev/f1").value == std::vector<double>{41.5});
  CHECK_FALSE(summary.predictions.has_value());
  CHECK(summary.weights.empty());
  const RunRecord predictions = load_record(path, Load::predictions);
  CHECK(predictions.predictions->texts.at("prediction")[0] == "세종");
  CHECK(predictions.weights.empty());
}

TEST_CASE("a task's own columns of predictions come back by name") {
  const Scratch scratch;
  RunRecord record = sample_record();
  record.predictions = Predictions{.id = {"1", "2"},
                                   .texts = {{"gold", {"긍정", "부정"}},
                                             {"prediction", {"긍정", "긍정"}},
                                             {"tags", {"", "B-PS O"}}},
                                   .numbers = {{"correct", {1, 0}}, {"문장 길이", {12, 7.5}}}};
  save_record(record, scratch / "a.h5");
  check_equal(load_record(scratch / "a.h5"), record);
  record.predictions = Predictions{};
  save_record(record, scratch / "a.h5");
  check_equal(load_record(scratch / "a.h5"), record);
}

TEST_CASE("a tokenizer is kept compressed, and comes back as it was") {
  const Scratch scratch;
  RunRecord record = sample_record();
  save_record(record, scratch / "small.h5");
  record.tokenizer_model.clear();
  for (int i = 0; i < 20000; ++i)
    record.tokenizer_model += "▁" + std::to_string(i % 500) + "조각\t";
  save_record(record, scratch / "large.h5");
  CHECK(std::filesystem::file_size(scratch / "large.h5") <
        std::filesystem::file_size(scratch / "small.h5") + record.tokenizer_model.size() / 4);
  CHECK(load_record(scratch / "large.h5").tokenizer_model == record.tokenizer_model);
}

TEST_CASE("the same record is the same bytes") {
  const Scratch scratch;
  save_record(sample_record(), scratch / "a.h5");
  save_record(sample_record(), scratch / "b.h5");
  CHECK(read_file(scratch / "a.h5") == read_file(scratch / "b.h5"));
}

TEST_CASE("a long diff is cut at 256 KiB between two characters") {
  const Scratch scratch;
  RunRecord record = sample_record();
  record.diff = std::string("+");
  while (record.diff.size() < 300 * 1024) record.diff += "가";
  save_record(record, scratch / "a.h5");
  const std::string diff = load_record(scratch / "a.h5", Load::summary).diff;
  CHECK(diff.size() <= layout::kLongestDiff);
  CHECK(diff.size() > layout::kLongestDiff - 3);
  CHECK(first_invalid_utf8(diff) == kValid);
  CHECK(record.diff.starts_with(diff));
}

TEST_CASE("columns and shapes that do not fit are refused when saving") {
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  RunRecord record = sample_record();
  record.predictions->numbers["f1"].pop_back();
  CHECK_THAT(message_of([&] { save_record(record, path); }),
             Catch::EndsWith("/predictions/f1: 2 values, expected one for each of 3 ids"));
  record = sample_record();
  record.predictions->texts["f1"] = {"0", "0", "0"};
  CHECK_THAT(message_of([&] { save_record(record, path); }),
             Catch::EndsWith("/predictions/f1: is given as texts and as numbers"));
  for (const char* name : {"", "id", "char/f1"}) {
    record = sample_record();
    record.predictions->numbers[name] = {0, 0, 0};
    CHECK_THAT(message_of([&] { save_record(record, path); }),
               Catch::EndsWith(": '" + std::string(name) +
                               "' cannot be the name of a column of predictions"));
  }
  record = sample_record();
  record.metrics["dev/f1"].step.push_back(40);
  CHECK_THAT(message_of([&] { save_record(record, path); }),
             Catch::EndsWith("metric dev/f1 has 2 steps and 1 values"));
  record = sample_record();
  record.weights[0].shape = {2, 4};
  CHECK_THAT(message_of([&] { save_record(record, path); }),
             Catch::EndsWith("tensor 'encoder.word_embedding.weight' has 6 values, its shape 8"));
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("the weights' hash depends on names, shapes and bits, and not on their order") {
  const std::vector<NamedTensor> weights = {{"b", {2}, {1, 2}}, {"a", {1, 2}, {0.0F, 3}}};
  const std::string hash = weights_sha256(weights);
  // printf 'a\x001,2\x00' + floats 0 3 + 'b\x002\x00' + floats 1 2, through sha256sum.
  CHECK(hash == "168ea171f8ca80cb90ae4a0d87d132dedf0076368cabd0165875319fb849bfe3");
  CHECK(weights_sha256({weights[1], weights[0]}) == hash);
  CHECK(weights_sha256({{"c", {2}, {1, 2}}, weights[1]}) != hash);
  CHECK(weights_sha256({{"b", {2, 1}, {1, 2}}, weights[1]}) != hash);
  CHECK(weights_sha256({weights[0], {"a", {1, 2}, {-0.0F, 3}}}) != hash);
}

TEST_CASE("a disk that fills up while saving leaves the old record") {
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  const RunRecord old = sample_record(1, 100000);
  save_record(old, path);
  const auto size = static_cast<rlim_t>(std::filesystem::file_size(path));
  for (const rlim_t limit : {rlim_t{0}, rlim_t{1}, rlim_t{4096}, size / 2, size - 1}) {
    INFO("full after " << limit << " of " << size << " bytes");
    const std::string message = [&] {
      const FullDisk full(limit);
      return message_of([&] { save_record(sample_record(2, 100000), path); });
    }();
    CHECK_THAT(message, Catch::Contains(path) && Catch::Contains("File too large"));
    CHECK(message.find('\n') == std::string::npos);
    check_equal(load_record(path), old);
    CHECK_FALSE(std::filesystem::exists(path + ".tmp"));
  }
  save_record(sample_record(2, 100000), path);
  CHECK(load_record(path).resume->numbers["step"] == 2);
}

TEST_CASE("a record that may not be written is an error that names it") {
  const Scratch scratch;
  // Root is refused here too, unlike by permission bits.
  CHECK_THAT(message_of([&] { save_record(sample_record(), "/proc/minibert/a.h5"); }),
             Catch::StartsWith("/proc/minibert: cannot be created: "));
  CHECK_THAT(message_of([&] { save_record(sample_record(), "/proc/a.h5"); }),
             Catch::StartsWith("/proc/a.h5.tmp: cannot be created (HDF5: "));
  write_bytes(scratch / "file", "");
  CHECK_THAT(message_of([&] { save_record(sample_record(), scratch / "file/a.h5"); }),
             Catch::StartsWith(scratch / "file: cannot be created: "));
  std::filesystem::create_directory(scratch / "a.h5");
  CHECK(message_of([&] { save_record(sample_record(), scratch / "a.h5"); }) ==
        scratch / "a.h5: is not a file, so it is not replaced");
  if (geteuid() != 0) {
    std::filesystem::create_directory(scratch / "closed");
    chmod((scratch / "closed").c_str(), 0555);
    CHECK_THAT(message_of([&] { save_record(sample_record(), scratch / "closed/a.h5"); }),
               Catch::Contains("Permission denied"));
  }
}

TEST_CASE("a link that lies where the record is first written is not followed") {
  const Scratch scratch;
  write_bytes(scratch / "other", "kept");
  std::filesystem::create_symlink(scratch / "other", scratch / "a.h5.tmp");
  save_record(sample_record(), scratch / "a.h5");
  CHECK(read_file(scratch / "other") == "kept");
  CHECK_FALSE(std::filesystem::is_symlink(scratch / "a.h5"));
  check_equal(load_record(scratch / "a.h5"), sample_record());
}

TEST_CASE("a record's path follows from experiment, profile, arm and seed") {
  CHECK(record_path("results", "korquad_lstm_vs_bert", "quick", "lstm", 3) ==
        "results/korquad_lstm_vs_bert/quick/lstm-s3.h5");
}

}  // namespace
}  // namespace minibert
