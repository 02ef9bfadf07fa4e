// `minibert import` and `export --format huggingface`: from one program's folder to a record and back, and
// the record put to use.
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "record/run_record.h"
#include "support/program.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using testing::kShippedModel;
using testing::run_program;
using testing::Scratch;
namespace fs = std::filesystem;

// A folder for the record of the course's model in small, as Keras saved it.
struct KerasFolder {
  std::string import(const std::string& more = "") const {
    return "import --format keras tests/peers/files/keras/mini_bert.hdf5 --tokenizer "
           "tests/peers/files/electra_vocab_and_settings/vocab.txt --out " +
           scratch / "bert.h5" + " " + more;
  }
  Scratch scratch;
};

void check_done(const testing::ProgramResult& result) {
  INFO(result.err);
  CHECK(result.status == 0);
}

}  // namespace

TEST_CASE("an imported record fills masks, is measured, inspected, verified and gone on from") {
  const KerasFolder keras;
  const std::string record = keras.scratch / "bert.h5";
  const auto imported = run_program(keras.import("--json"));
  check_done(imported);
  const json told = json::parse(imported.out);
  CHECK(told.at("record") == record);
  CHECK(told.at("sentence_task") == "swap");
  CHECK(told.at("pieces") == 52);
  CHECK(told.at("parameters") ==
        static_cast<int64_t>(load_record(record).summary.at("parameters")));
  const auto filled = run_program("fill-mask --run " + record + " --top-k 1 '서울 [MASK]'");
  check_done(filled);
  CHECK_THAT(filled.out, Catch::StartsWith("서울 [MASK]\n  1  "));
  check_done(run_program("nsp --run " + record + " 가 나"));
  check_done(run_program("attention --run " + record + " 가"));
  check_done(run_program("verify " + record));
  CHECK_THAT(run_program("inspect " + record).out, Contains("imported") && Contains("keras"));
  // 16 positions make short instances of any text.
  std::string text;
  for (int i = 0; i < 40; ++i) text += "서울은 대한민국의 수도이다.\n한강이 서울을 지난다.\n\n";
  testing::write_bytes(keras.scratch / "a.txt", text);
  const auto measured =
      run_program("evaluate --run " + record + " --text " + keras.scratch / "a.txt" + " --json");
  check_done(measured);
  CHECK(json::parse(measured.out).at("mlm_loss").get<double>() > 0);
  const json experiment = {
      {"task", "pretrain"},
      {"data", {"sample"}},
      {"tokenizer", {{"run", record}}},
      {"seeds", {1}},
      {"instances", {{"sequence_length", 16}, {"dev_limit", 4}, {"limit", 32}}},
      {"arms", {{{"name", "more"}, {"init_from", record}, {"train", {{"epochs", 1}}}}}},
      {"profiles", {{"quick", json::object()}}}};
  testing::write_bytes(keras.scratch / "more.json", experiment.dump());
  const auto more = run_program("run " + keras.scratch / "more.json" +
                                " --profile quick --threads 1 --no-fetch --quiet --results " +
                                keras.scratch.path());
  check_done(more);
  const RunRecord started = load_record(keras.scratch / "more/quick/more-s1.h5");
  CHECK(started.data.at("start_weights_sha256") == told.at("weights_sha256"));
}

TEST_CASE("a run grows out of a record") {
  const Scratch scratch;
  const std::string record = kShippedModel, experiment = scratch / "grow.json";
  const json model = load_record(record).config.at("model");
  const auto twice = [&](const char* key) { return 2 * model.at(key).get<int>(); };
  json grow = {
      {"task", "pretrain"},
      {"data", {"sample"}},
      {"tokenizer", {{"run", record}}},
      {"seeds", {1}},
      {"instances", {{"sequence_length", 128}, {"dev_limit", 8}, {"limit", 32}}},
      {"arms",
       {{{"name", "larger"},
         {"init_from", record},
         {"grow", true},
         {"model", {{"d_model", twice("d_model")}, {"n_heads", twice("n_heads")}, {"d_ff", 800}}},
         {"train", {{"epochs", 1}, {"optimizer", {{"lr", 0}}}}}}}},
      {"profiles", {{"quick", json::object()}}}};
  const auto run = [&] {
    testing::write_bytes(experiment, grow.dump());
    return run_program(
        "run " + experiment +
        " --profile quick --threads 1 --precision fp32 --no-fetch --quiet --results " +
        scratch.path());
  };
  check_done(run());
  const std::string larger = scratch / "grow/quick/larger-s1.h5";
  const auto measured = [&](const std::string& of) {
    const auto result = run_program("evaluate --run " + of + " --data sample --limit 1000 --json");
    check_done(result);
    return json::parse(result.out);
  };
  const json before = measured(record), after = measured(larger);
  CHECK(after.at("mlm_loss").get<double>() ==
        Approx(before.at("mlm_loss").get<double>()).epsilon(1e-5));
  CHECK(load_record(larger).summary.at("parameters") >
        1.9 * load_record(record).summary.at("parameters"));

  grow["arms"][0]["model"]["d_model"] = model.at("d_model").get<int>() + 8;
  CHECK_THAT(run().err, Contains("model.d_model: found") && Contains("a multiple of the"));
  grow["arms"][0].erase("init_from");
  CHECK_THAT(run().err, Contains("grow: found true, expected init_from with it"));
}

TEST_CASE("import says in one line what is wrong, and replaces nothing") {
  const KerasFolder keras;
  const auto refusal = [](const std::string& arguments, int status = 2) {
    const auto result = run_program(arguments);
    CHECK(result.status == status);
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
    return result.err;
  };
  const std::string to = " --out " + keras.scratch / "a.h5";
  CHECK_THAT(refusal("import --format keras tests/peers/files/keras/mini_bert.hdf5" + to),
             Contains("--tokenizer: missing"));
  CHECK_THAT(refusal("import --format huggingface x --heads 2" + to),
             Contains("--tokenizer and --heads: expected neither"));
  CHECK_THAT(refusal("import --format huggingface no/such" + to),
             Contains("no/such: no such folder"));
  CHECK_THAT(refusal(keras.import("--heads 3")), Contains("--heads: found 3"));
  CHECK_FALSE(fs::exists(keras.scratch / "a.h5"));
  testing::write_bytes(keras.scratch / "bert.h5", "mine");
  CHECK(refusal(keras.import()) ==
        "minibert: --out " + keras.scratch / "bert.h5" + ": exists, expected a new file\n");
  CHECK(read_file(keras.scratch / "bert.h5") == "mine");
}

TEST_CASE("the shipped model goes out with the class that transformers lacks, and its tokenizer") {
  const Scratch scratch;
  const std::string folder = scratch / "hf";
  check_done(run_program(std::string("export --format huggingface --run ") + kShippedModel +
                         " --out " + folder));
  const json config = read_json(folder + "/config.json");
  CHECK(config.at("model_type") == "minibert");
  CHECK(config.at("auto_map").at("AutoModelForMaskedLM") ==
        "modeling_minibert.MinibertForMaskedLM");
  CHECK(config.at("model").at("segments") == 2);
  CHECK(read_file(folder + "/modeling_minibert.py") ==
        read_file("lib/checkpoint/modeling_minibert.py"));
  const json tokenizer = read_json(folder + "/tokenizer.json");
  CHECK(tokenizer.at("model").at("type") == "BPE");
  CHECK(tokenizer.at("normalizer").at("normalizers").at(0).at("type") == "NFC");
  CHECK(read_json(folder + "/tokenizer_config.json").at("mask_token") == "[MASK]");
  CHECK(read_file(folder + "/spiece.model") == load_record(kShippedModel).tokenizer_model);
}

TEST_CASE("an import to a file whose name is no UTF-8 tells it with signs in its place") {
  const Scratch scratch;
  const auto imported =
      run_program("import --format huggingface tests/peers/files/distilbert --json --out '" +
                  scratch / "caf\xe9.h5" + "'");
  check_done(imported);
  CHECK(json::parse(imported.out).at("record") == scratch / "caf\uFFFD.h5");
}

}  // namespace minibert
