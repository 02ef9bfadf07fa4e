// Inputs of runs: tokenizers of every kind, a user's text, an arm's overrides, teachers.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "experiment/tiny.h"
#include "record/run_record.h"
#include "support/shell.h"
#include "text/tokenizer.h"

using namespace minibert;
using namespace minibert::testing;
using Catch::Matchers::Contains;

TEST_CASE("a byte-level BPE is learnt for a run, and fills its masks with text") {
  const TinyRun tiny("pretrain");
  nlohmann::json one = nlohmann::json::parse(tiny_experiment("pretrain"));
  one["tokenizer"] = {{"data", {"sample"}}, {"type", "byte_bpe"}, {"vocab_size", 600}};
  one["instances"]["sentence_task"] = "none";
  one["arms"][0]["train"]["max_steps"] = 3;
  one["arms"][0]["model"]["embedding_size"] = 32;
  one["arms"][0]["model"]["mlm_transform"] = true;
  tiny.folder.write("tiny.json", one.dump());
  const ShellResult trained = tiny.run("a");
  INFO(trained.output);
  REQUIRE(trained.status == 0);
  const std::string run = " --run " + single_quoted(tiny.record("a"));
  const RunRecord record = load_record(tiny.record("a"));
  CHECK(record.config.at("tokenizer").at("type") == "byte_bpe");
  CHECK(Tokenizer::from_bytes(record.tokenizer_model).is_byte_bpe());

  const ShellResult filled = shell(warm_program() + " fill-mask --json --top-k 1000" + run +
                                   " '서울은 [MASK]의 [MASK]이다.'");
  REQUIRE(filled.status == 0);
  const nlohmann::json masks = nlohmann::json::parse(filled.output).at("masks");
  REQUIRE(masks.size() == 2);
  for (const nlohmann::json& mask : masks) {
    CHECK(mask.at("guesses").size() > 50);
    for (const nlohmann::json& guess : mask.at("guesses")) {
      const std::string piece = guess.at("piece"), text = guess.at("text");
      INFO(piece);
      REQUIRE(piece == "▁" + text);  // both masks are behind a space
      REQUIRE_FALSE(text.empty());
    }
  }

  const ShellResult page =
      shell(warm_program() + " export" + run + " --out " + single_quoted(tiny.folder / "a.mbq"));
  CHECK(page.status != 0);
  CHECK_THAT(page.output,
             Contains("the tokenizer is a tokenizer.json, expected a SentencePiece model"));

  // Out as a Hugging Face folder and in again it is the same model.
  const std::string folder = single_quoted(tiny.folder / "hf");
  const std::filesystem::path back = tiny.folder / "back.h5";
  const ShellResult out_and_in =
      shell(warm_program() + " export --format huggingface" + run + " --out " + folder + " && " +
            warm_program() + " import --format huggingface " + folder + " --out " +
            single_quoted(back.string()));
  INFO(out_and_in.output);
  REQUIRE(out_and_in.status == 0);
  const RunRecord same = load_record(back.string());
  CHECK(same.tokenizer_model == record.tokenizer_model);
  CHECK(weights_sha256(same.weights) == weights_sha256(record.weights));
}

TEST_CASE("a WordPiece vocabulary serves pretraining and questions, and what is put to use after") {
  const TinyRun tiny("pretrain");
  nlohmann::json first = nlohmann::json::parse(tiny_experiment("pretrain"));
  first["tokenizer"] = {{"wordpiece", "bert-base-uncased"}};
  first["instances"]["sentence_task"] = "none";
  first["instances"]["unit"] = "line";
  first["instances"]["mask_choice"] = "independent";
  first["arms"][0]["train"]["max_steps"] = 7;
  tiny.folder.write("tiny.json", first.dump());
  const ShellResult trained = tiny.run("a");
  INFO(trained.output);
  REQUIRE(trained.status == 0);
  CHECK_THAT(trained.output, Contains("tokenizer: 30522 WordPieces, from bert-base-uncased"));
  const RunRecord record = load_record(tiny.record("a"));
  CHECK(record.tokenizer_model.size() == 231508);
  CHECK(record.config.at("model").at("vocab_size") == 30522);
  CHECK(record.metrics.at("dev/mlm_loss").step == std::vector<int64_t>{7});
  const ShellResult evaluated =
      shell(warm_program() + " evaluate --run " + single_quoted(tiny.record("a")));
  INFO(evaluated.output);
  CHECK(evaluated.status == 0);
  const ShellResult exported =
      shell(warm_program() + " export --run " + single_quoted(tiny.record("a")) + " --out " +
            single_quoted(tiny.folder / "a.mbq"));
  CHECK(exported.status != 0);
  CHECK_THAT(exported.output, Contains("the tokenizer is a WordPiece vocabulary, expected a "
                                       "SentencePiece model"));

  const TinyRun questions("bert");
  nlohmann::json second = nlohmann::json::parse(tiny_experiment("bert"));
  second["tokenizer"] = {{"run", tiny.record("a")}};
  second["arms"][0]["init_from"] = tiny.record("a");
  second["arms"][0].erase("model");
  second["arms"][0]["train"]["max_steps"] = 3;
  questions.folder.write("tiny.json", second.dump());
  const ShellResult tuned = questions.run("b");
  INFO(tuned.output);
  REQUIRE(tuned.status == 0);
  const ShellResult answered =
      shell(warm_program() + " predict --run " + single_quoted(questions.record("b")) +
            " --context '서울은 대한민국의 수도이다.' --question '수도는 어디인가?'");
  INFO(answered.output);
  CHECK(answered.status == 0);
  CHECK_THAT(answered.output, Contains("%"));
}

TEST_CASE("a vocabulary that is none is refused") {
  const TinyRun tiny("pretrain");
  const ShellResult result = tiny.run("a", "--set 'tokenizer={\"wordpiece\": \"sample\"}'");
  CHECK(result.status == 2);
  CHECK_THAT(
      result.output,
      Contains("tokenizer.wordpiece: data set sample: found no file of kind \"vocabulary\""));
}

TEST_CASE("an arm can read other instances than the rest, learn left to right or from a teacher") {
  const TinyRun tiny("pretrain");
  nlohmann::json experiment = nlohmann::json::parse(tiny_experiment("pretrain"));
  experiment["seeds"] = {1, 2};
  const nlohmann::json first = experiment["arms"][0];
  nlohmann::json left_to_right = first, student = first;
  const nlohmann::json alone = {{"instances", {{"sentence_task", "none"}}}};
  left_to_right["name"] = "left_to_right";
  left_to_right["override"] = alone;
  left_to_right["model"]["causal"] = true;
  left_to_right["train"]["objective"] = "clm";
  student["name"] = "student";
  student["override"] = alone;
  std::string teacher = tiny.record("a");
  teacher.replace(teacher.rfind("-s1"), 3, "-s{seed}");
  student["train"]["teacher"] = {{"run", teacher}, {"temperature", 3}};
  experiment["arms"] = {first, left_to_right, student};
  tiny.folder.write("tiny.json", experiment.dump());
  const ShellResult result = tiny.run("a");
  INFO(result.output);
  REQUIRE(result.status == 0);
  const auto record_of = [&](const std::string& arm, int64_t seed) {
    return load_record(record_path(tiny.folder / "a", "tiny", "quick", arm, seed));
  };
  const RunRecord next = record_of("left_to_right", 1);
  CHECK(next.config.at("instances").at("sentence_task") == "none");
  CHECK(next.config.at("arms").at(0).at("train").at("objective") == "clm");
  CHECK_FALSE(next.config.at("arms").at(0).contains("override"));
  CHECK(next.summary.at("lm_loss") > 0);
  CHECK(next.summary.count("mlm_loss") == 0);
  CHECK(record_of("pretrain", 2).config.at("instances").at("sentence_task") == "swap");
  for (const int64_t seed : {1, 2}) {
    const RunRecord made = record_of("student", seed);
    CHECK(made.data.at("learnt_from_sha256").at("teacher") ==
          weights_sha256(record_of("pretrain", seed).weights));
    CHECK(made.summary.count("nsp_accuracy") == 0);
    CHECK(made.summary.at("loss_per_byte") > 0);
  }

  SECTION("and each is made again from its record") {
    const std::string record = record_path(tiny.folder / "a", "tiny", "quick", "student", 2);
    const ShellResult again = shell(warm_program() + " reproduce --run " + single_quoted(record));
    INFO(again.output);
    CHECK(again.status == 0);
  }
  SECTION("and an arm that starts from another takes the one of its own seed") {
    nlohmann::json later = experiment;
    later["name"] = "later";
    later["tokenizer"] = {{"run", record_path(tiny.folder / "a", "tiny", "quick", "pretrain", 1)}};
    later["arms"] = {{{"name", "on"}, {"init_from", teacher}, {"train", first["train"]}}};
    later["arms"][0]["train"]["optimizer"] = {{"lr", 0}};
    tiny.folder.write("tiny.json", later.dump());
    const ShellResult on = tiny.run("a");
    INFO(on.output);
    REQUIRE(on.status == 0);
    for (const int64_t seed : {1, 2})
      CHECK(weights_sha256(load_record(record_path(tiny.folder / "a", "later", "quick", "on", seed))
                               .weights) == weights_sha256(record_of("pretrain", seed).weights));
  }
}

TEST_CASE("a text of one's own is trained on, hashed into the record, and measured again") {
  const TinyRun tiny("pretrain");
  nlohmann::json experiment = nlohmann::json::parse(tiny_experiment("pretrain"));
  const std::string folder = tiny.folder.path();
  std::filesystem::create_directory(tiny.folder / "texts");
  std::filesystem::copy("experiments/sample/corpus.txt", tiny.folder / "texts");
  experiment["data"] = {{"files", {folder + "/texts"}},
                        {"dev", {"experiments/sample/corpus-dev.txt"}}};
  experiment["tokenizer"] = {{"files", {folder + "/texts"}}, {"vocab_size", 1500}};
  tiny.folder.write("tiny.json", experiment.dump());
  const ShellResult result = tiny.run("a");
  INFO(result.output);
  REQUIRE(result.status == 0);
  const RunRecord record = load_record(tiny.record("a"));
  CHECK(record.data.at("id") == "files");
  CHECK(record.data.at("files").at(0).at("name") == folder + "/texts/corpus.txt");
  CHECK(record.data.at("files").at(0).at("sha256").get<std::string>().size() == 64);
  CHECK(record.config.at("data") == experiment["data"]);
  const ShellResult again =
      shell(warm_program() + " evaluate --run " + single_quoted(tiny.record("a")) + " --json");
  INFO(again.output);
  REQUIRE(again.status == 0);
  CHECK(nlohmann::json::parse(
            again.output.substr(again.output.find('{'),
                                again.output.rfind('}') + 1 - again.output.find('{')))
            .at("mlm_loss")
            .get<double>() == Approx(record.summary.at("mlm_loss")).epsilon(1e-3));

  SECTION("without held-out text the key is named") {
    experiment["data"].erase("dev");
    tiny.folder.write("tiny.json", experiment.dump());
    const ShellResult none = tiny.run("b");
    CHECK(none.status != 0);
    CHECK_THAT(none.output, Contains("has no text for split \"dev\"") && Contains("data.dev"));
  }
  SECTION("a changed text is another input") {
    tiny.folder.write("texts/more.txt", "제목\n한 줄이다.\n두 줄이다.\n");
    const ShellResult other = tiny.run("a");
    CHECK_THAT(other.output, Contains("was a run from other inputs") && Contains("more.txt"));
  }
}
