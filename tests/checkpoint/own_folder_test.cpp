// Folders with modeling_minibert.py: what goes out comes back.
#include <catch2/catch.hpp>
#include <filesystem>

#include "checkpoint/imported_record.h"
#include "checkpoint/spoiled_folder.h"
#include "model/encoder.h"
#include "model/size_check.h"
#include "task/all/registry.h"
#include "task/predictor.h"
#include "task/pretrain/mask_filler.h"
#include "task/weights.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using nlohmann::operator""_json_pointer;
using namespace testing;

// Every shape that transformers lacks, at once.
BertConfig unusual_config() {
  BertConfig config = small_config();
  config.norm = "pre", config.position = "relative", config.ffn = "geglu";
  config.embedding_size = 16, config.local_layers = 1, config.conv = 3, config.n_layers = 3;
  config.head_gate = true, config.share_layers = true, config.mlm_context = 4;
  config.activation = "gelu_tanh", config.segments = 3;
  return config;
}

// Exports the record, imports the folder: the record that comes back.
RunRecord there_and_back(const RunRecord& record, const std::string& folder) {
  export_huggingface(record, "given.h5", folder);
  REQUIRE(std::filesystem::exists(folder + "/modeling_minibert.py"));
  const Checkpoint back = import_huggingface(folder);
  return imported_record(back, {"back.h5", "back", back.data, {}});
}

void check_same_model(const RunRecord& back, const RunRecord& given) {
  CHECK(weights_sha256(back.weights) == weights_sha256(given.weights));
  CHECK(back.tokenizer_model == given.tokenizer_model);
  json model = given.config.at("model");
  model.update(back.config.at("model"));
  CHECK(model == back.config.at("model"));  // nothing is lost; early records lack later keys
  CHECK(back.config.at("task") == given.config.at("task"));
}

template <class P>
std::unique_ptr<P> predictor_of(const RunRecord& record) {
  auto made = task_kind(record.config.at("task")).predictor(record, "run.h5");
  REQUIRE(dynamic_cast<P*>(made.get()) != nullptr);
  return std::unique_ptr<P>(dynamic_cast<P*>(made.release()));
}

// A folder of a shipped run that tags names.
struct SpoiledOwn {
  explicit SpoiledOwn(const char* run = "results/klue_ner/full-1-core/bert_1m_everyday-s1.h5")
      : folder(scratch / "hf") {
    export_huggingface(load_record(run), run, folder);
  }
  void config(const json& patch) const {
    json all = read_json(folder + "/config.json");
    all.merge_patch(patch);
    write_bytes(folder + "/config.json", all.dump());
  }
  std::string refusal() const {
    return message_of([&] {
      imported_record(import_huggingface(folder), {"back.h5", "back", "sample", {}});
    });
  }
  Scratch scratch;
  std::string folder;
};

}  // namespace

TEST_CASE("a pretrained model of any shape comes back from its folder, bit for bit") {
  BertConfig causal = unusual_config(), shown = small_config(), untied = unusual_config();
  causal.causal = true, causal.local_layers = causal.conv = 0;
  causal.mlm_context = 0;
  shown.mlm_transform = shown.mlm_bias = false;
  untied.mlm_tied = false, untied.pooler = true;
  for (const auto& [config, task] : {std::pair{unusual_config(), SentenceTask::swap},
                                     {unusual_config(), SentenceTask::random_next},
                                     {causal, SentenceTask::none},
                                     {shown, SentenceTask::none},
                                     {untied, SentenceTask::none}}) {
    CAPTURE(to_json(config).dump());
    const Scratch scratch;
    RunRecord given = record_of(random_checkpoint(config, task));
    given.config["instances"]["mask_probability"] = 0.25;
    const RunRecord back = there_and_back(given, scratch / "hf");
    check_same_model(back, given);
    CHECK(back.config.at("instances") == given.config.at("instances"));
    if (config.causal) continue;
    constexpr char kText[] = "대한민국의 수도는 [MASK]이다.";
    const auto a = MaskFiller(given, "a").fill(kText, 5), b = MaskFiller(back, "b").fill(kText, 5);
    for (size_t i = 0; i < 5; ++i) {
      CHECK(a.masks[0].guesses[i].id == b.masks[0].guesses[i].id);
      CHECK(a.masks[0].guesses[i].probability == b.masks[0].guesses[i].probability);
    }
  }
}

TEST_CASE("a model from left to right comes back with its objective") {
  BertConfig config = unusual_config();
  config.causal = true, config.local_layers = config.conv = config.mlm_context = 0;
  Checkpoint checkpoint = random_checkpoint(config, SentenceTask::none);
  checkpoint.objective = "clm";
  const Scratch scratch;
  const RunRecord back = there_and_back(record_of(checkpoint), scratch / "hf");
  CHECK(back.config.at("/arms/0/train/objective"_json_pointer) == "clm");
}

TEST_CASE("a fine-tuned run comes back with its head, and judges to the bit as it did") {
  const Scratch scratch;
  SECTION("names") {
    const RunRecord given = load_record("results/klue_ner/full-1-core/bert_1m_everyday-s1.h5");
    const RunRecord back = there_and_back(given, scratch / "hf");
    check_same_model(back, given);
    CHECK(back.data.at("id") == "klue-ner");
    constexpr char kText[] = "세종대왕은 1443년 서울에서 훈민정음을 만들었다.";
    const auto a = predictor_of<NamePredictor>(given)->names(kText);
    const auto b = predictor_of<NamePredictor>(back)->names(kText);
    REQUIRE(a.size() >= 2);
    REQUIRE(a.size() == b.size());
    for (size_t i = 0; i < a.size(); ++i) {
      CHECK(a[i].type == b[i].type);
      CHECK(a[i].begin == b[i].begin);
      CHECK(a[i].end == b[i].end);
    }
  }
  SECTION("answers, with the question's words marked and the lengths of answers") {
    const RunRecord given = load_record("results/korquad_cloze/full/bert_1m_everyday-s1.h5");
    const RunRecord back = there_and_back(given, scratch / "hf");
    check_same_model(back, given);
    const std::string question = "대한민국의 수도는 어디인가?";
    const std::string context = "대한민국의 수도는 서울이고, 두 번째로 큰 도시는 부산이다.";
    const auto answers = [&](const RunRecord& record) {
      return predictor_of<AnswerPredictor>(record)->answers(question, context, 3,
                                                            LongQuestion::refused);
    };
    const auto a = answers(given), b = answers(back);
    REQUIRE(a.size() == b.size());
    for (size_t i = 0; i < a.size(); ++i) {
      CHECK(a[i].text == b[i].text);
      CHECK(a[i].probability == b[i].probability);
    }
  }
  SECTION("labels") {
    const RunRecord given =
        load_record("results/nsmc_sentiment/full-1-core/bert_1m_everyday-s1.h5");
    const RunRecord back = there_and_back(given, scratch / "hf");
    check_same_model(back, given);
    const auto a = predictor_of<LabelPredictor>(given)->labels("정말 재미있는 영화였다", "", false);
    const auto b = predictor_of<LabelPredictor>(back)->labels("정말 재미있는 영화였다", "", false);
    for (size_t i = 0; i < a.labels.size(); ++i) {
      CHECK(a.labels[i].label == b.labels[i].label);
      CHECK(a.labels[i].probability == b.labels[i].probability);
    }
  }
}

TEST_CASE("a folder that does not tell its run's task is an encoder, and that is told") {
  const SpoiledOwn sample;
  sample.config({{"minibert", nullptr}});
  const Checkpoint encoder = import_huggingface(sample.folder);
  CHECK(encoder.told.at("heads_left_out") == "tag.bias, tag.weight");
  CHECK_FALSE(encoder.masked_lm);
  CHECK_FALSE(encoder.fine_tuned);
  const RunRecord record = imported_record(encoder, {"back.h5", "back", "sample", {}});
  CHECK_THROWS_WITH(MaskFiller(record, "a.h5"), Contains("imported from an encoder alone"));
}

TEST_CASE("how many numbers an encoder is, is told without making it") {
  BertConfig gates = unusual_config();
  gates.share_layers = false;
  for (const BertConfig& config : {small_config(), unusual_config(), gates}) {
    CAPTURE(to_json(config).dump());
    CHECK(encoder_numbers(config) == parameter_count(*ModelConfig(config).make()));
  }
  const LstmConfig lstm{.vocab_size = 20, .d_model = 6, .segments = 3};
  CHECK(encoder_numbers(lstm) == parameter_count(*ModelConfig(lstm).make()));
  const BagConfig bag{.vocab_size = 20, .d_model = 6};
  CHECK(encoder_numbers(bag) == parameter_count(*ModelConfig(bag).make()));
}

TEST_CASE("a configuration that asks for far more than its weights is refused before it is built") {
  const SpoiledOwn sample;
  sample.config({{"model", {{"n_layers", 96}, {"d_ff", 4096}}}});
  CHECK_THAT(sample.refusal(),
             Catch::StartsWith(sample.folder + "/model.safetensors: /weights: ") &&
                 Contains(" numbers, expected the ") &&
                 Catch::EndsWith(" of the encoder that its configuration names"));
  const std::vector<NamedTensor> few = {{"a", {2}, {1, 2}}};
  CHECK(message_of([&] { check_size(small_config(), few, "a.h5"); }) == "(no error)");
  BertConfig large = small_config();
  large.n_layers = 96, large.d_ff = 65536;
  CHECK(message_of([&] { check_size(large, few, "a.h5"); }) ==
        "a.h5: /weights: found 2 numbers, expected the " + std::to_string(encoder_numbers(large)) +
            " of the encoder that its configuration names");
}

TEST_CASE("a folder with the modelling file is refused by file and key, tensor or piece") {
  const auto with = [](const json& patch) {
    const SpoiledOwn sample;
    sample.config(patch);
    const std::string message = sample.refusal();
    CHECK(message.find('\n') == std::string::npos);
    return message;
  };
  CHECK_THAT(with({{"model", {{"d_model", "wide"}}}}),
             Contains("config.json: model.d_model: found \"wide\""));
  CHECK_THAT(with({{"model", {{"kind", "lstm"}}}}), Contains("model.kind: found \"lstm\""));
  CHECK_THAT(with({{"model", {{"vocab_size", 8000}}}}),
             Contains("spiece.model: found 8007 pieces, expected 8000 as ") &&
                 Contains("config.json has in model.vocab_size"));
  CHECK_THAT(with({{"model", {{"d_ff", 600}}}}), Contains("model.safetensors: "));
  CHECK_THAT(with({{"minibert", {{"task", "translation"}}}}), Contains("\"translation\""));
  CHECK_THAT(with({{"minibert", {{"features", {{"max_length", 4096}}}}}}), Contains("max_length"));
  const SpoiledOwn sample;
  const SafetensorsFile stored(sample.folder + "/model.safetensors");
  std::vector<NamedTensor> tensors;
  for (const auto& [name, entry] : stored.tensors())
    if (name != "tag.bias") tensors.push_back(stored.read(name));
  write_safetensors(sample.folder + "/model.safetensors", tensors);
  CHECK_THAT(sample.refusal(), Contains("model.safetensors: ") && Contains("tag.bias"));
}

}  // namespace minibert
