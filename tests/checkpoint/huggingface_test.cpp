// Folders in Hugging Face's form: there and back. What they compute in transformers: peers_test.cpp.
#include "checkpoint/huggingface.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "checkpoint/huggingface_config.h"
#include "checkpoint/huggingface_names.h"
#include "checkpoint/imported_record.h"
#include "checkpoint/safetensors.h"
#include "checkpoint/samples.h"
#include "checkpoint/spoiled_folder.h"
#include "core/error.h"
#include "core/files.h"
#include "model/config_fields.h"
#include "model/marked_keys.h"
#include "support/message.h"
#include "support/scratch.h"
#include "support/shell.h"
#include "task/pretrain/mask_filler.h"
#include "task/pretrain/stored_pretraining.h"
#include "task/stored_encoder.h"
#include "task/text_input.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using namespace testing;

constexpr char kText[] = "대한민국의 수도는 [MASK]이다.";

// Gives one key another value, whatever others it then contradicts.
class OneKeyChanged {
 public:
  explicit OneKeyChanged(std::string key) : key_(std::move(key)) {}
  template <class T, class... Rest>
  void operator()(const char* key, const KeyMark&, T& value, const Rest&... rest) {
    if (key == key_) change(value, rest...);
  }
  template <class T>
  void otherwise(T&, const T&, const char*) {}
  void retired(const char*, const json&) {}

 private:
  template <class... Rest>
  void change(bool& value, const Rest&...) {
    value = !value;
  }
  template <class... Rest>
  void change(int64_t& value, const Rest&...) {
    value = 2 * value + 1;
  }
  template <class... Rest>
  void change(double& value, const Rest&...) {
    value = value / 2 + 0.3;
  }
  void change(std::string& value, const OneOf& names, const char*) {
    value = *std::ranges::find_if(names, [&](const std::string& name) { return name != value; });
  }
  std::string key_;
};

// Compares a checkpoint with what is read back.
void check_same(const Checkpoint& back, const Checkpoint& checkpoint) {
  CHECK(weights_sha256(back.weights) == weights_sha256(checkpoint.weights));
  CHECK(back.tokenizer == checkpoint.tokenizer);
  CHECK(back.sentence_task == checkpoint.sentence_task);
  CHECK(back.masked_lm == checkpoint.masked_lm);
  CHECK(to_json(back.model) == to_json(checkpoint.model));
}

// Twelve pieces of BERT's form.
Checkpoint wordpiece_sample() {
  BertConfig config = small_config();
  config.vocab_size = 12;
  Checkpoint checkpoint = random_checkpoint(config, SentenceTask::none);
  checkpoint.tokenizer =
      "[PAD]\nthe\n[UNK]\n[CLS]\ncapital\n[MASK]\n[SEP]\nis\n##s\nun\n##known\n.\n";
  return checkpoint;
}

}  // namespace

TEST_CASE("the import of an export is the model, whatever heads it has") {
  BertConfig none = small_config(), pooler = none, pair = none, untied = none, tanh = none;
  pooler.pooler = true;
  pair.nsp_bias = true;
  untied.mlm_tied = false, untied.activation = "relu", untied.segments = 3;
  tanh.activation = "gelu_tanh", tanh.dropout = 0.2, tanh.attention_dropout = 0.3;
  const struct {
    BertConfig config;
    SentenceTask task;
    const char* architecture;
  } cases[] = {{none, SentenceTask::none, "BertForMaskedLM"},
               {pooler, SentenceTask::none, "BertForMaskedLM"},
               {pair, SentenceTask::swap, "BertForPreTraining"},
               {pair, SentenceTask::random_next, "BertForPreTraining"},
               {untied, SentenceTask::none, "BertForMaskedLM"},
               {tanh, SentenceTask::none, "BertForMaskedLM"}};
  for (const auto& one : cases) {
    CAPTURE(one.architecture, one.config.activation, one.config.pooler);
    const Scratch scratch;
    const Checkpoint checkpoint = random_checkpoint(one.config, one.task);
    export_to(scratch / "hf", checkpoint);
    CHECK(read_json(scratch / "hf/config.json").at("architectures")[0] == one.architecture);
    const Checkpoint back = import_huggingface(scratch / "hf");
    CHECK(back.architecture == one.architecture);
    check_same(back, checkpoint);
    // And once more: the folder's files are the same bytes.
    export_to(scratch / "again", back);
    for (const char* name : {"config.json", "model.safetensors", "spiece.model"})
      CHECK(read_file(scratch / "hf/" + name) == read_file(scratch / "again/" + name));
  }
}

TEST_CASE(
    "a model with a WordPiece vocabulary goes out and comes back, and fills masks by its ids") {
  const Checkpoint checkpoint = wordpiece_sample();
  const Scratch scratch;
  export_to(scratch / "hf", checkpoint);
  CHECK(read_file(scratch / "hf/vocab.txt") == checkpoint.tokenizer);
  const Checkpoint back = import_huggingface(scratch / "hf");
  check_same(back, checkpoint);
  MaskFiller filler(record_of(back), "random.h5");
  const infer::FillResult result = filler.fill("The [MASK]s is un[MASK].", 12);
  std::vector<int32_t> ids;
  for (const infer::Token& token : result.tokens) ids.push_back(token.id);
  CHECK(ids == std::vector<int32_t>{3, 1, 5, 2, 7, 9, 5, 11, 6});
  REQUIRE(result.masks.size() == 2);
  CHECK(result.masks[0].guesses.size() == 5);  // the, capital, is, un and the full stop
  CHECK(result.masks[1].guesses.size() == 2);  // ##s, ##known
}

TEST_CASE("a vocabulary of a tokenizer with other words, which would all be unknown, is refused") {
  const Checkpoint checkpoint = wordpiece_sample();
  const Scratch scratch;
  export_to(scratch / "other", checkpoint);
  std::filesystem::remove(scratch / "other/tokenizer.json");
  const auto refusal = [&](const std::string& settings, const std::string& pieces) {
    write_bytes(scratch / "other/tokenizer_config.json", settings);
    write_bytes(scratch / "other/vocab.txt", pieces);
    return message_of([&] { import_huggingface(scratch / "other"); });
  };
  for (const char* settings :
       {"{}", R"({"tokenizer_class": "BertTokenizer"})", R"({"tokenizer_class": null})",
        R"({"tokenizer_class": "ElectraTokenizerFast", "do_basic_tokenize": true})"})
    CHECK(refusal(settings, checkpoint.tokenizer) == "(no error)");
  CHECK_THAT(refusal(R"({"tokenizer_class": "KoBertTokenizer"})", checkpoint.tokenizer),
             Contains("tokenizer_config.json: tokenizer_class: found \"KoBertTokenizer\", expected "
                      "one that finds words as BertTokenizer does, or a tokenizer.json"));
  CHECK_THAT(refusal(R"({"do_basic_tokenize": false})", checkpoint.tokenizer),
             Contains("do_basic_tokenize: found false"));
  CHECK_THAT(refusal(R"({"word_tokenizer_type": "mecab"})", checkpoint.tokenizer),
             Contains("word_tokenizer_type: found \"mecab\""));
  CHECK_THAT(
      refusal("{}", "[PAD]\n▁the\n[UNK]\n[CLS]\n▁capital\n[MASK]\n[SEP]\n▁is\ns\n▁un\nknown\n.\n"),
      Contains("vocab.txt: found pieces with ▁, as SentencePiece has them"));
}

TEST_CASE("a line of vocab.txt that is blank, or stands there again, is a row that no text has") {
  Checkpoint whole = wordpiece_sample();
  const Scratch scratch;
  export_to(scratch / "hf", whole);
  std::filesystem::remove(scratch / "hf/tokenizer.json");
  write_bytes(scratch / "hf/vocab.txt",
              "[PAD]\nun\n[UNK]\n[CLS]\ncapital\n[MASK]\n[SEP]\nis\n##s\nun\n##known\n\n");
  Checkpoint back = import_huggingface(scratch / "hf");
  CHECK(back.tokenizer == "[PAD]\n[UNK]\n[CLS]\ncapital\n[MASK]\n[SEP]\nis\n##s\nun\n##known\n");
  CHECK(back.model.vocab_size == 10);
  CHECK(back.told.at("rows_left_out") == "2 rows of the tables that no piece of a text has");
  // "un" is the last line that has it.
  const std::vector<float>& before = named(whole.weights, "bert.embeddings.token.weight").values;
  const std::vector<float>& after = named(back.weights, "bert.embeddings.token.weight").values;
  REQUIRE(after.size() == 10 * 24);
  CHECK(std::equal(after.begin() + 8 * 24, after.begin() + 9 * 24, before.begin() + 9 * 24));
  CHECK(message_of([&] { record_of(back); }) == "(no error)");
}

TEST_CASE("a model without biases on its logits is exported with zeros, which change nothing") {
  BertConfig config = small_config();
  config.mlm_bias = false;
  const Scratch scratch;
  const Checkpoint checkpoint = random_checkpoint(config, SentenceTask::swap);
  export_to(scratch / "hf", checkpoint);
  const Checkpoint back = import_huggingface(scratch / "hf");
  CHECK(back.model.mlm_bias);
  CHECK(back.model.nsp_bias);
  const auto a = MaskFiller(record_of(checkpoint), "a").fill(kText, 5);
  const auto b = MaskFiller(record_of(back), "b").fill(kText, 5);
  for (size_t i = 0; i < 5; ++i) {
    CHECK(a.masks[0].guesses[i].id == b.masks[0].guesses[i].id);
    CHECK(a.masks[0].guesses[i].probability == b.masks[0].guesses[i].probability);
  }
}

TEST_CASE("names of the first checkpoints and copies that transformers stores are read too") {
  const Spoiled sample;
  const Checkpoint before = import_huggingface(sample.folder);
  sample.weights([](std::vector<NamedTensor>& tensors) {
    std::vector<float> positions(32);
    for (size_t i = 0; i < positions.size(); ++i) positions[i] = static_cast<float>(i);
    tensors.push_back({"bert.embeddings.position_ids", {1, 32}, positions});
    tensors.push_back(named(tensors, "bert.embeddings.word_embeddings.weight"));
    tensors.back().name = "cls.predictions.decoder.weight";
    for (NamedTensor& tensor : tensors)
      for (const auto& [now, old] :
           {std::pair{"LayerNorm.weight", "LayerNorm.gamma"}, {"LayerNorm.bias", "LayerNorm.beta"}})
        if (tensor.name.ends_with(now))
          tensor.name.replace(tensor.name.size() - std::string(now).size(), std::string::npos, old);
  });
  check_same(import_huggingface(sample.folder), before);
}

TEST_CASE("a BertModel is read as an encoder, from which fill-mask refuses to guess") {
  for (const bool pooler : {true, false}) {
    CAPTURE(pooler);
    const Spoiled sample;
    sample.weights([&](std::vector<NamedTensor>& tensors) {
      std::erase_if(tensors, [&](const NamedTensor& tensor) {
        return tensor.name.starts_with("cls.") ||
               (!pooler && tensor.name.starts_with("bert.pooler."));
      });
      for (NamedTensor& tensor : tensors) tensor.name = tensor.name.substr(5);
    });
    const Checkpoint encoder = import_huggingface(sample.folder);
    CHECK(encoder.architecture == "BertModel");
    CHECK_FALSE(encoder.masked_lm);
    CHECK(encoder.model.pooler == pooler);
    const RunRecord record = record_of(encoder);
    CHECK(message_of([&] { MaskFiller(record, "a.h5"); }) ==
          "a.h5: has no masked-LM head: it was imported from an encoder alone");
    const TextInput input = text_input(Tokenizer::from_bytes(record.tokenizer_model), kText);
    const StoredEncoder stored(record, "a.h5");
    const auto hidden = stored.hidden(input.ids, input.segments);
    CHECK(stored.pooled(hidden, input.ids).defined() == pooler);
    // It goes out as it came.
    const Scratch scratch;
    export_huggingface(record, "a.h5", scratch / "hf");
    check_same(import_huggingface(scratch / "hf"), encoder);
  }
}

TEST_CASE("a model that transformers lacks goes out under the record's names, bit for bit") {
  const Scratch scratch;
  const char* run = "results/klue_ner/full-1-core/bert_1m_everyday-s1.h5";
  const RunRecord record = load_record(run);
  export_huggingface(record, run, scratch / "hf");
  const SafetensorsFile stored(scratch / "hf/model.safetensors");
  REQUIRE(stored.tensors().size() == record.weights.size());
  for (const NamedTensor& tensor : record.weights)
    CHECK((stored.read(tensor.name).shape == tensor.shape &&
           stored.read(tensor.name).values == tensor.values));
  const json config = read_json(scratch / "hf/config.json");
  CHECK(config.at("auto_map").at("AutoModelForTokenClassification") ==
        "modeling_minibert.MinibertForTokenClassification");
  CHECK(config.at("id2label").size() == record.config.at("model").at("labels").size());
  CHECK(read_file(scratch / "hf/modeling_minibert.py") ==
        read_file("lib/checkpoint/modeling_minibert.py"));
  // The record is what is read here.
  CHECK_THAT(message_of([&] { import_huggingface(scratch / "hf"); }),
             Contains("config.json: model_type: found \"minibert\", expected one of"));
}

TEST_CASE("the table of names has every parameter of the model, once") {
  BertConfig config = small_config();
  config.nsp_bias = true, config.mlm_tied = false;
  const PretrainingModel model(config);
  std::map<std::string, std::vector<int64_t>> ours;
  for (const TensorNames& names : huggingface_names(config, {true, true, true}))
    CHECK(ours.emplace(names.ours, names.shape).second);
  CHECK(ours.size() == model.named_parameters().size());
  for (const auto& item : model.named_parameters()) {
    CAPTURE(item.key());
    CHECK(ours.at(item.key()) == item.value().sizes().vec());
  }
}

TEST_CASE("no key of a BERT goes out in silence as transformers' plain BERT") {
  BertConfig plain = small_config();
  plain.embedding_size = plain.d_model, plain.mlm_transform = true;
  const auto config_json = huggingface_config(plain, "BertForMaskedLM");
  REQUIRE(is_huggingface_bert(plain, true));
  std::set<std::string> by_weights;  // keys of heads that their weights tell
  const std::string program = read_file("lib/checkpoint/modeling_minibert.py");
  for (const MarkedKey& one : marked_keys(plain)) {
    CAPTURE(one.key);
    BertConfig changed = plain;
    OneKeyChanged change(one.key);
    marked_fields(changed, change);
    REQUIRE(to_json(changed) != to_json(plain));
    const bool told = huggingface_config(changed, "BertForMaskedLM") != config_json;
    const bool own = !is_huggingface_bert(changed, true);
    if (one.mark.of == KeyOf::function) {
      CHECK((told || own));
      CHECK(own == !is_huggingface_bert(changed, false));
    }
    if (one.mark.of == KeyOf::head && !told && !own) by_weights.insert(one.key);
    if (one.mark.of != KeyOf::training && one.key != "pooler")
      CHECK(program.find("c[\"" + one.key + "\"]") != std::string::npos);
  }
  // An absent bias goes out as zeros, and a pooler is there or not.
  CHECK(by_weights == std::set<std::string>{"mlm_bias", "nsp_bias", "pooler"});
}

}  // namespace minibert
