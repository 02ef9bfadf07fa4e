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

namespace minibert {
namespace {

using nlohmann::json;
using testing::kShippedModel;
using testing::run_program;
using testing::Scratch;

// What int8 may cost: share of the masked pieces.
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
  refused(kShippedModel, scratch.path(), "is no file, so it is not replaced");
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
    const auto result = run_program("export --run " + own + " --out " + name);
    CHECK(result.status == 2);
    CHECK_THAT(result.err, Catch::Contains("is the record itself"));
    CHECK(read_file(own) == bytes);
  }
}

TEST_CASE("a run that answers questions goes out with its span head, and with what int8 costs it") {
  const Scratch scratch;
  const std::string out = scratch / "answers.mbq";
  const auto result = run_program(std::string("export --run ") + testing::kShippedAnswers +
                                  " --data sample --json --out " + out);
  INFO(result.err);
  REQUIRE(result.status == 0);
  const json facts = json::parse(result.out);
  CHECK(facts["questions"] == 73);
  CHECK(facts["measured_on"] == "sample, test");
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
  if (!testing::has_real_data(
          {"nsmc/ratings_train.txt", "nsmc/ratings_test.txt", "klue-ner/klue-ner-v1.1_dev.tsv"}))
    return;
  const Scratch scratch;
  const auto exported = [&](const char* record, const std::string& out) {
    const auto result = run_program(std::string("export --run ") + record +
                                    " --limit 200 --json --out " + scratch / out);
    INFO(result.err);
    REQUIRE(result.status == 0);
    const RunRecord run = load_record(record);
    const AlignedBytes file(read_file(scratch / out));
    const infer::Model model = load(file);
    CHECK(model.config().max_positions >= 192);
    CHECK(model.facts().metrics.size() == run.summary.size());
    const std::vector<std::string> labels = run.config["model"]["labels"];
    if (model.config().classifies) CHECK(model.config().classifies->labels == labels);
    if (model.config().tags) CHECK(model.config().tags->tags == labels);
    return json::parse(result.out);
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

TEST_CASE("weights near another file's are whole steps from its own, and keep its scales") {
  const auto architecture = test::small_model();
  auto weights = test::random_weights(architecture, 1);
  const auto source = test::sample_source(architecture);
  const AlignedBytes base_file(make_mbq(source, weights, MbqWeights::int8));
  Rng rng(7, "differences");
  for (NamedTensor& weight : weights)
    for (float& value : weight.values) value += static_cast<float>(0.1 * (rng.uniform() - 0.5));
  const NearWeights near(base_file.span());
  const AlignedBytes near_file(make_mbq(source, weights, MbqWeights::int8, &near));
  infer::MbqFile base, found;
  REQUIRE(infer::MbqFile::parse(base_file.span(), &base).ok());
  REQUIRE(infer::MbqFile::parse(near_file.span(), &found).ok());
  size_t matrices = 0, values = 0;
  std::set<int> counts;
  for (const auto& [name, tensor] : found.tensors) {
    if (name.ends_with("_scale") || name.ends_with("_low")) {
      INFO(name);
      CHECK(std::ranges::equal(tensor.bytes, base.tensors.at(name).bytes));
    }
    if (tensor.dtype != infer::Dtype::int8 || name.ends_with("_low")) continue;
    ++matrices;
    const auto from = base.tensors.at(name).bytes;
    const size_t width = static_cast<size_t>(tensor.shape[1]);
    for (size_t row = 0; row < tensor.bytes.size(); row += width) {
      int step = 0;
      const auto differs = [&](size_t i) {
        return int(static_cast<int8_t>(tensor.bytes[i])) - int(static_cast<int8_t>(from[i]));
      };
      for (size_t i = row; i < row + width; ++i) step = std::gcd(step, differs(i));
      for (size_t i = row; step != 0 && i < row + width; ++i, ++values)
        counts.insert(differs(i) / step);
    }
  }
  CHECK(matrices >= 8);
  CHECK(values > 10000);
  CHECK(counts.size() < 12);  // of 255
  // It computes what its own weights do, not what the other file's do.
  const AlignedBytes float_file(make_mbq(source, weights, MbqWeights::float32));
  const infer::Model near_model = load(near_file), float_model = load(float_file),
                     base_model = load(base_file);
  infer::Engine near_engine(near_model), float_engine(float_model), base_engine(base_model);
  const std::vector<int32_t> ids = {7, 38, 69, 100, 131, 162};
  const auto error = [&](infer::Engine& engine) {
    REQUIRE(engine.encode(ids).ok());
    REQUIRE(float_engine.encode(ids).ok());
    const auto logits = engine.logits(3), exact = float_engine.logits(3);
    double sum = 0;
    for (size_t i = 0; i < exact.size(); ++i) sum += std::pow(logits[i] - exact[i], 2);
    return sum;
  };
  CHECK(error(near_engine) < 0.25 * error(base_engine));
}

TEST_CASE("export --near takes a model file, and goes with int8 alone") {
  const Scratch scratch;
  const std::string plain = scratch / "plain.mbq", same = scratch / "same.mbq";
  REQUIRE(run_program(kExport + plain + " --no-check").status == 0);
  REQUIRE(run_program(kExport + same + " --no-check --near " + plain).status == 0);
  // Near itself a byte differs only where a weight lies between two.
  const std::string one = read_file(plain), other = read_file(same);
  REQUIRE(one.size() == other.size());
  CHECK(std::inner_product(one.begin(), one.end(), other.begin(), 0, std::plus<>(),
                           std::not_equal_to<>()) < 10);
  const std::string record = testing::kShippedModel;
  for (const auto& [near, said] : std::vector<std::pair<std::string, std::string>>{
           {record, record + ": "}, {scratch / "none.mbq", "none.mbq: cannot be read"}}) {
    const auto result = run_program(kExport + (scratch / "a.mbq") + " --no-check --near " + near);
    INFO(result.err);
    CHECK(result.status == 1);
    CHECK_THAT(result.err, Catch::StartsWith("minibert: ") && Catch::Contains(said));
    CHECK(std::ranges::count(result.err, '\n') == 1);
  }
  testing::check_refused("export --run " + record + " --out " + (scratch / "a.onnx") +
                             " --format onnx --near " + plain,
                         "--near");
  testing::check_refused(kExport + (scratch / "a.mbq") + " --float --near " + plain, "--near");
}

}  // namespace minibert
