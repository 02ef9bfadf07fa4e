// `minibert export`, and what it does to the weights.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <functional>
#include <numeric>
#include <set>

#include "core/files.h"
#include "core/rng.h"
#include "core/sha256.h"
#include "infer/answerer.h"
#include "infer/engine/engine.h"
#include "infer/fill_mask.h"
#include "infer/random_model.h"
#include "record/run_record.h"
#include "support/program.h"
#include "support/real_data.h"
#include "support/scratch.h"
#include "support/shell.h"

namespace minibert {
namespace {

using nlohmann::json;
using testing::kShippedModel;
using testing::run_program;
using testing::Scratch;

// Limits of the loss by int8, as shares of the masked pieces.
constexpr double kAccuracyDrop = 0.003;
constexpr double kAgreement = 0.97;

const std::string kExport = std::string("export --run ") + kShippedModel + " --out ";

infer::Model load(const AlignedBytes& file) {
  infer::Model model;
  const auto status = model.load(file.span());
  INFO(status.message());
  REQUIRE(status.ok());
  return model;
}

}  // namespace

TEST_CASE("export writes a file that loads, and measures what int8 costs") {
  const Scratch scratch;
  const std::string out = scratch / "new_folder/model.mbq";
  const auto result =
      run_program(kExport + out + " --text experiments/sample/corpus.txt --limit 300 --json");
  INFO(result.err);
  REQUIRE(result.status == 0);
  const json facts = json::parse(result.out);
  CHECK(facts["file"] == out);
  CHECK(facts["weights"] == "int8");
  CHECK(facts["measured_on"] == "experiments/sample/corpus.txt");
  CHECK(facts["masked"] > 1000);
  CHECK(facts["agreement"] >= kAgreement);
  CHECK(facts["int8_accuracy"].get<double>() >=
        facts["float_accuracy"].get<double>() - kAccuracyDrop);
  const std::string bytes = read_file(out);
  CHECK(facts["bytes"] == bytes.size());
  // A float32 has four bytes; the token embeddings' low bytes compress to a quarter.
  CHECK(bytes.size() < facts["parameters"].get<size_t>() * 9 / 4);
  const AlignedBytes file(bytes);
  infer::FillMask model;
  REQUIRE(model.load(file.span()).ok());
  CHECK(model.model().facts().parameters == facts["parameters"]);
  CHECK(model.model().facts().source_run == "kowiki_mini_bert/full/mini_bert_1m-s1");
  CHECK(model.model().facts().source_sha256.size() == 64);
}

TEST_CASE("export prints a short table; --float keeps the weights") {
  const Scratch scratch;
  const auto int8 = run_program(kExport + (scratch / "a.mbq") + " --no-check");
  const auto float32 = run_program(kExport + (scratch / "b.mbq") + " --float");
  REQUIRE(int8.status == 0);
  REQUIRE(float32.status == 0);
  CHECK_THAT(int8.out, Catch::Contains("int8") && !Catch::Contains("agreement"));
  CHECK_THAT(float32.out, Catch::Contains("float32"));
  const std::string bytes = read_file(scratch / "b.mbq");
  const AlignedBytes file(bytes);
  const infer::Model model = load(file);
  const auto record = load_record(kShippedModel);
  for (const auto& weight : record.weights)
    if (weight.name == "bert.embeddings.token.weight")
      CHECK(std::equal(weight.values.begin(), weight.values.end(), model.token.float32));
}

TEST_CASE("export says in one line what is wrong") {
  const Scratch scratch;
  const auto refused = [&](const std::string& run, const std::string& out,
                           const std::string& message) {
    const auto result = run_program("export --run " + run + " --out " + out + " --no-check");
    INFO(result.err);
    CHECK(result.status == 1);
    CHECK(result.out.empty());
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
    CHECK_THAT(result.err, Catch::StartsWith("minibert: ") && Catch::Contains(message));
  };
  const std::string out = scratch / "a.mbq";
  refused("none.h5", out, "none.h5: no such file");
  refused("README.md", out, "README.md: not an HDF5 file");
  refused(kShippedModel, scratch.path(), "is not a file, so it is not replaced");
  refused(kShippedModel, "README.md/a.mbq", "README.md: cannot be created: Not a directory");
  RunRecord record = load_record(kShippedModel);
  const auto changed = [&](const std::function<void(RunRecord&)>& change) {
    RunRecord copy = record;
    change(copy);
    copy.data["tokenizer_sha256"] = sha256_hex(copy.tokenizer_model);
    save_record(copy, scratch / "changed.h5");
    return scratch / "changed.h5";
  };
  refused(changed([](RunRecord& r) { r.config["model"]["kind"] = "lstm_qa"; }), out,
          "changed.h5: found a \"lstm_qa\" model, expected a \"bert\"");
  refused(changed([](RunRecord& r) { r.weights.clear(); }), out,
          "changed.h5: the record has no weights");
  refused(changed([](RunRecord& r) { r.tokenizer_model.clear(); }), out,
          "changed.h5: the record has no tokenizer");
  refused(changed([](RunRecord& r) { r.weights.erase(r.weights.begin() + 1); }), out,
          "changed.h5: weights/");
  refused(changed([](RunRecord& r) { r.config["model"]["d_ff"] = 449; }), out,
          "found another shape than the architecture's");
  refused(changed([](RunRecord& r) { r.tokenizer_model.resize(r.tokenizer_model.size() / 2); }),
          out, "changed.h5: gives a model file that cannot be loaded: ");
  CHECK_FALSE(std::ifstream(out).good());

  const std::string own = changed([](RunRecord&) {}), bytes = read_file(own);
  for (const std::string& name : {own, scratch.path() + "/./changed.h5"}) {
    const auto result = run_program("export --format mbq --run " + own + " --out " + name);
    CHECK(result.status == 2);
    CHECK_THAT(result.err, Catch::Contains("is the record itself"));
    CHECK(read_file(own) == bytes);
  }
}

TEST_CASE("a run that answers questions goes out with its span head, and with what int8 costs it") {
  const Scratch scratch;
  const std::string out = scratch / "answers.mbq";
  const auto result = run_program(std::string("export --run ") + testing::kShippedAnswers +
                                  " --limit 73 --json --out " + out);
  INFO(result.err);
  REQUIRE(result.status == 0);
  const json facts = json::parse(result.out);
  CHECK(facts["questions"] == 73);
  CHECK(facts["measured_on"] == "the run's data, test");
  CHECK(facts["agreement"] >= 0.9);
  CHECK(facts["int8_f1"].get<double>() == Approx(facts["float_f1"].get<double>()).margin(4));
  CHECK(facts["parameters"] == 1254277);
  const std::string bytes = read_file(out);
  CHECK(bytes.size() < 2500000);
  const AlignedBytes file(bytes);
  infer::Answerer model;
  REQUIRE(model.load(file.span()).ok());
  const infer::AnswerConfig& answers = *model.model().config().answers;
  CHECK(answers.features.max_length == 384);
  CHECK(answers.features.max_question == 64);
  CHECK(answers.features.stride == 128);
  CHECK(answers.features.overlap);
  CHECK(answers.spans.max_answer == 30);
  CHECK(answers.lengths == 30);
  const RunRecord record = load_record(testing::kShippedAnswers, Load::summary);
  CHECK(model.model().facts().metrics.at("exact_match") ==
        Approx(record.summary.at("exact_match")));
}

TEST_CASE(
    "runs that label texts or mark names go out with their heads, and with what int8 costs them") {
  if (!testing::has_real_data({"nsmc/ratings_train.txt", "nsmc/ratings_test.txt",
                               "klue-ner/klue-ner-v1.1_dev.tsv", "kobest/sentineg-train.tsv"}))
    return;
  const Scratch scratch;
  const std::string data = scratch / "data";
  // The command that datasets.json names.
  REQUIRE(shell("D=$(realpath " + single_quoted(testing::data_folder()) + "); mkdir -p " + data +
                "/nsmc && cd " + data + " && ln -s $D/klue-ner . && ln -s $D/nsmc/* nsmc/ && " +
                "awk 'NR == 1 || FNR > 1' $D/nsmc/ratings_train.txt $D/kobest/sentineg-train.tsv " +
                "> nsmc/ratings_and_sentineg.txt")
              .status == 0);
  const auto exported = [&](const char* record, const std::string& out) {
    const auto result = shell("MINIBERT_DATA=" + data + " " + testing::program() +
                              " export --limit 200 --json --run " + record + " --out " +
                              scratch / out + " 2>" + scratch / "err");
    INFO(read_file(scratch / "err"));
    REQUIRE(result.status == 0);
    const RunRecord run = load_record(record);
    const AlignedBytes file(read_file(scratch / out));
    const infer::Model model = load(file);
    CHECK(model.config().max_positions >= 192);
    CHECK(model.facts().metrics.size() == run.summary.size());
    const std::vector<std::string> labels = run.config["model"]["labels"];
    if (model.config().classifies) CHECK(model.config().classifies->labels == labels);
    if (model.config().tags) CHECK(model.config().tags->tags == labels);
    return json::parse(result.output);
  };
  const json labels = exported(testing::kShippedClassifier, "labels.mbq");
  CHECK(labels["texts"] == 200);
  CHECK(labels["measured_on"] == "the run's data, test");
  CHECK(labels["agreement"] >= 0.97);
  CHECK(labels["int8_accuracy"].get<double>() ==
        Approx(labels["float_accuracy"].get<double>()).margin(0.02));
  const json names = exported(testing::kShippedTagger, "names.mbq");
  CHECK(names["sentences"] == 200);
  CHECK(names["agreement"] >= 0.9);
  CHECK(names["int8_entity_macro_f1"].get<double>() ==
        Approx(names["float_entity_macro_f1"].get<double>()).margin(0.03));
  CHECK(names["int8_entity_macro_f1_as_shown"] > names["int8_entity_macro_f1"]);
}

TEST_CASE("a model that gives a text one number is refused in one line") {
  const Scratch scratch;
  RunRecord record = load_record(testing::kShippedClassifier);
  for (NamedTensor& weight : record.weights)
    if (weight.name.starts_with("sequence.output")) {
      weight.values.resize(weight.values.size() / 2);
      weight.shape[0] = 1;
    }
  save_record(record, scratch / "number.h5");
  const auto result = run_program("export --run " + scratch / "number.h5" + " --no-check --out " +
                                  scratch / "a.mbq");
  CHECK(result.status == 1);
  CHECK(result.err == "minibert: " + scratch / "number.h5" +
                          ": found a model that gives a text one number, expected one that labels "
                          "it\n");
}

TEST_CASE("token embeddings with a large common part lose nothing by int8") {
  const auto architecture = test::small_model();
  auto weights = test::random_weights(architecture);
  for (auto& weight : weights)
    if (weight.name == "bert.embeddings.token.weight")
      for (size_t i = 0; i < weight.values.size(); ++i)
        weight.values[i] += static_cast<float>(i % 48) - 20;
  const auto source = test::sample_source(architecture);
  const AlignedBytes int8_file(make_mbq(source, weights, MbqWeights::int8));
  const AlignedBytes float_file(make_mbq(source, weights, MbqWeights::float32));
  const infer::Model int8_model = load(int8_file), float_model = load(float_file);
  infer::Engine int8_engine(int8_model), float_engine(float_model);
  std::vector<int32_t> ids(30);
  for (int32_t i = 0; i < 30; ++i) ids[i] = 7 + i * 31;
  REQUIRE(int8_engine.encode(ids).ok());
  REQUIRE(float_engine.encode(ids).ok());
  double mean = 0, error = 0, power = 0;
  const auto found = int8_engine.logits(11), exact = float_engine.logits(11);
  for (size_t i = 0; i < exact.size(); ++i) mean += (found[i] - exact[i]) / double(exact.size());
  double exact_mean = 0;
  for (const float logit : exact) exact_mean += logit / double(exact.size());
  for (size_t i = 0; i < exact.size(); ++i) {
    error += std::pow(found[i] - exact[i] - mean, 2);
    power += std::pow(exact[i] - exact_mean, 2);
  }
  CAPTURE(std::sqrt(error / power));
  CHECK(std::sqrt(error / power) < 0.03);
}

}  // namespace minibert
