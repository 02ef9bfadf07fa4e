#include "checkpoint/huggingface.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "checkpoint/huggingface_config.h"
#include "checkpoint/huggingface_names.h"
#include "checkpoint/safetensors.h"
#include "core/error.h"
#include "core/files.h"
#include "core/text.h"
#include "task/pretrain/stored_pretraining.h"
#include "text/tokenizer.h"
#include "text/wordpiece.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;

constexpr char kConfigFile[] = "config.json";
constexpr char kWeightsFile[] = "model.safetensors";
constexpr char kWordPieceFile[] = "vocab.txt";
constexpr char kSentencePieceFile[] = "spiece.model";
constexpr char kTokenizerFile[] = "tokenizer.json";
constexpr char kTokenizerConfigFile[] = "tokenizer_config.json";
constexpr char kAddedTokensFile[] = "added_tokens.json";
constexpr char kOutputBias[] = "cls.predictions.bias";
constexpr char kDecoderBias[] = "cls.predictions.decoder.bias";
constexpr size_t kMostNamed = 5;  // tensors in one message

// How to get model.safetensors from what is there instead: by the class that config.json names, as
// transformers starts a head at random that the class has and the file has not.
std::string conversion(const std::string& folder) {
  return "python3 -c \"import transformers as t; f = '" + folder +
         "'; c = t.AutoConfig.from_pretrained(f); "
         "getattr(t, (c.architectures or ['BertModel'])[0]).from_pretrained(f).save_pretrained(f, "
         "safe_serialization=True, max_shard_size='100GB')\"";
}

std::string weights_path(const std::string& folder) {
  const fs::path base(folder);
  if (fs::exists(base / kWeightsFile)) return (base / kWeightsFile).string();
  for (const char* other : {"model.safetensors.index.json", "pytorch_model.bin.index.json",
                            "pytorch_model.bin", "tf_model.h5", "flax_model.msgpack"})
    if (fs::exists(base / other))
      throw Error((base / other).string() + ": found these weights, expected one file " +
                  kWeightsFile + "; this makes it: " + conversion(folder));
  throw Error((base / kWeightsFile).string() + ": no such file");
}

// The name that transformers gives a tensor today, with "bert." before it: the first checkpoints
// have gamma and beta for a LayerNorm's weight and bias, a BertModel's have no "bert.".
std::string todays_name(std::string name) {
  for (const auto& [old, now] :
       {std::pair(".LayerNorm.gamma", ".LayerNorm.weight"), {".LayerNorm.beta", ".LayerNorm.bias"}})
    if (const std::string_view ending = old; name.ends_with(ending))
      name = name.substr(0, name.size() - ending.size()) + now;
  for (const char* part : {"embeddings.", "encoder.", "pooler."})
    if (name.starts_with(part)) return "bert." + name;
  return name;
}

// "a, b and 3 more"
std::string some_of(const std::vector<std::string>& names) {
  std::string out = joined(
      {names.begin(), names.begin() + static_cast<ptrdiff_t>(std::min(names.size(), kMostNamed))});
  if (names.size() > kMostNamed)
    out += " and " + std::to_string(names.size() - kMostNamed) + " more";
  return out;
}

std::string shape_text(const std::vector<int64_t>& shape) { return nlohmann::json(shape).dump(); }

// The tensors of a file under today's names; every one is taken or told of.
class Tensors {
 public:
  explicit Tensors(const std::string& path) : file_(path) {
    for (const auto& [name, entry] : file_.tensors()) {
      if (!by_name_.emplace(todays_name(name), name).second)
        throw Error(path + ": tensor " + name + ": found it under two names");
    }
    // Tied and saved by a program that keeps one of the two names.
    if (const auto copy = by_name_.find(kDecoderBias);
        copy != by_name_.end() && !by_name_.contains(kOutputBias)) {
      by_name_.emplace(kOutputBias, copy->second);
      by_name_.erase(kDecoderBias);
    }
    left_ = by_name_;
  }

  // Of tensors with `stored` rows only so many are read: embeddings are padded for some machines.
  void keep_rows(int64_t stored, int64_t kept) { stored_rows_ = stored, kept_rows_ = kept; }

  bool has(const std::string& name) const { return by_name_.contains(name); }
  // Not asked for again, and not left over.
  void pass_over(const std::string& name) { left_.erase(name); }

  NamedTensor read(const std::string& name, const std::vector<int64_t>& shape) {
    pass_over(name);
    const std::string& stored = by_name_.at(name);
    std::vector<int64_t> found = file_.tensors().at(stored).shape;
    const bool padded = !found.empty() && !shape.empty() && found[0] == stored_rows_ &&
                        shape[0] == kept_rows_ && kept_rows_ < stored_rows_;
    if (padded) found[0] = kept_rows_;
    if (found != shape)
      throw Error(file_.path() + ": tensor " + stored + ": found shape " + shape_text(found) +
                  ", expected " + shape_text(shape) + " of " + kConfigFile);
    NamedTensor tensor = file_.read(stored);
    if (padded) {
      tensor.shape = shape;
      tensor.values.resize(tensor.values.size() / static_cast<size_t>(stored_rows_) *
                           static_cast<size_t>(kept_rows_));
    }
    return tensor;
  }

  void check_all(const std::vector<TensorNames>& names) const {
    std::vector<std::string> missing;
    for (const TensorNames& one : names)
      for (const std::string& name : one.theirs)
        if (!has(name)) missing.push_back(name);
    if (!missing.empty())
      throw Error(file_.path() + ": lacks " + some_of(missing) + ", expected by " + kConfigFile);
  }
  void check_none_left() const {
    std::vector<std::string> extra;
    for (const auto& [name, stored] : left_) extra.push_back(stored);
    if (!extra.empty())
      throw Error(file_.path() + ": found " + some_of(extra) +
                  ", expected no tensors but those of a BertForPreTraining with the sizes of " +
                  kConfigFile);
  }
  const std::string& path() const { return file_.path(); }

 private:
  SafetensorsFile file_;
  std::map<std::string, std::string> by_name_, left_;  // today's name: the name in the file
  int64_t stored_rows_ = 0, kept_rows_ = 0;
};

void swap_rows(NamedTensor* two) {
  const auto middle = two->values.begin() + static_cast<ptrdiff_t>(two->values.size() / 2);
  std::rotate(two->values.begin(), middle, two->values.end());
}

NamedTensor gather(const TensorNames& names, Tensors* tensors) {
  NamedTensor ours{names.ours, names.shape, {}};
  for (const std::string& name : names.theirs) {
    const NamedTensor part = tensors->read(name, names.their_shape());
    ours.values.insert(ours.values.end(), part.values.begin(), part.values.end());
  }
  if (names.swapped) swap_rows(&ours);
  return ours;
}

// What transformers stores beside the parameters: a table of numbers, and the output layer a second
// time where it is tied.
void pass_over_copies(const BertConfig& config, Tensors* tensors) {
  tensors->pass_over("bert.embeddings.position_ids");
  const auto same = [&](const std::string& copy, const std::string& of,
                        const std::vector<int64_t>& shape, const std::string& why) {
    if (!tensors->has(copy) || !tensors->has(of)) return;
    if (tensors->read(copy, shape).values != tensors->read(of, shape).values)
      throw Error(tensors->path() + ": tensor " + copy + ": differs from " + of +
                  ", expected the same " + why);
  };
  same(kDecoderBias, kOutputBias, {config.vocab_size}, "bias under both names");
  if (config.mlm_tied)
    same("cls.predictions.decoder.weight", "bert.embeddings.word_embeddings.weight",
         {config.vocab_size, config.d_model}, "with tie_word_embeddings");
}

std::string architecture_of(const HuggingfaceHeads& heads) {
  if (!heads.masked_lm) return "BertModel";
  return heads.sentence ? "BertForPreTraining" : "BertForMaskedLM";
}

// The vocabulary's file.
std::string vocabulary_path(const std::string& folder) {
  for (const char* name : {kWordPieceFile, kSentencePieceFile, kTokenizerFile})
    if (fs::exists(fs::path(folder) / name)) return (fs::path(folder) / name).string();
  throw Error(folder + ": has none of " + kWordPieceFile + ", " + kSentencePieceFile + " and " +
              kTokenizerFile + ", expected a vocabulary");
}

// Pieces that stand in a file of their own, behind those of the vocabulary.
void append_added(const std::string& path, size_t pieces, std::string* vocabulary) {
  const nlohmann::json added = read_json(path);
  if (!added.is_object())
    throw Error(path + ": found " + added.type_name() + ", expected an object");
  std::map<int64_t, std::string> by_id;
  for (const auto& [piece, id] : added.items()) {
    if (!id.is_number_integer())
      throw Error(path + ": " + piece + ": found " + id.dump() + ", expected an id");
    by_id[id.get<int64_t>()] = piece;
  }
  if (!vocabulary->ends_with('\n')) *vocabulary += "\n";
  for (const auto& [id, piece] : by_id) {
    if (id < static_cast<int64_t>(pieces)) continue;  // stands in the vocabulary, too
    if (id != static_cast<int64_t>(pieces))
      throw Error(path + ": " + piece + ": found the id " + std::to_string(id) + ", expected " +
                  std::to_string(pieces) + ", the next behind the vocabulary");
    *vocabulary += piece + "\n";
    ++pieces;
  }
}

// The bytes of the folder's tokenizer: of a vocab.txt with its added pieces and with its casing.
std::string read_tokenizer(const std::string& folder, const std::string& path) {
  std::string bytes = read_file(path);
  if (!is_wordpiece_vocabulary(bytes)) return bytes;
  bytes = vocabulary_of(bytes);
  const fs::path base(folder);
  if (const std::string added = (base / kAddedTokensFile).string(); fs::exists(added))
    append_added(added, static_cast<size_t>(Tokenizer::from_bytes(bytes, path).size()), &bytes);
  return with_casing(bytes, casing_beside(path));
}

}  // namespace

Checkpoint import_huggingface(const std::string& folder) {
  if (!fs::is_directory(folder)) throw usage_error(folder + ": no such folder");
  const std::string config_path = (fs::path(folder) / kConfigFile).string();
  const nlohmann::json config = read_json(config_path);
  Checkpoint out;
  out.format = "huggingface";
  out.model = read_huggingface_config(config_path, config);
  Tensors tensors(weights_path(folder));
  HuggingfaceHeads heads;
  heads.masked_lm = tensors.has("cls.predictions.transform.dense.weight");
  heads.sentence = tensors.has("cls.seq_relationship.weight");
  heads.pooler = heads.sentence || tensors.has("bert.pooler.dense.weight");
  out.architecture = architecture_of(heads);
  out.masked_lm = heads.masked_lm;
  if (!heads.masked_lm) out.model.mlm_tied = true;
  out.model.mlm_transform = out.model.mlm_bias = heads.masked_lm;
  out.model.nsp_bias = heads.sentence;
  out.model.pooler = heads.pooler && !heads.sentence;
  if (heads.sentence) {
    ConfigReader reader(config, config_path);
    out.sentence_task =
        reader.choice(kSentenceTaskKey, {"swap", "random_next"}, "random_next") == "swap"
            ? SentenceTask::swap
            : SentenceTask::random_next;
  }
  const std::string vocabulary = vocabulary_path(folder);
  out.tokenizer = read_tokenizer(folder, vocabulary);
  const int64_t pieces = Tokenizer::from_bytes(out.tokenizer, vocabulary).size();
  if (pieces < out.model.vocab_size) {
    tensors.keep_rows(out.model.vocab_size, pieces);
    out.model.vocab_size = pieces;
  }
  check_tokenizer(out.tokenizer, vocabulary, out.model.vocab_size,
                  "vocab_size of " + std::string(kConfigFile) + " says");
  const std::vector<TensorNames> names = huggingface_names(out.model, heads);
  tensors.check_all(names);
  pass_over_copies(out.model, &tensors);
  for (const TensorNames& one : names) out.weights.push_back(gather(one, &tensors));
  tensors.check_none_left();
  out.files = {config_path, tensors.path(), vocabulary};
  return out;
}

void export_huggingface(const RunRecord& record, const std::string& file,
                        const std::string& folder) {
  if (fs::exists(folder) && (!fs::is_directory(folder) || !fs::is_empty(folder)))
    throw usage_error(folder + ": found something there, expected a new or an empty folder");
  const StoredPretraining stored = stored_pretraining(record, file);
  const BertConfig& config = stored.model;
  check_huggingface_can(config, file);
  if (stored.masked_lm && !config.mlm_transform)
    throw usage_error(file +
                      ": model.mlm_transform: found false, expected true, all that Hugging "
                      "Face's masked-LM head has");
  const HuggingfaceHeads heads{stored.masked_lm,
                               stored.sentence_task != SentenceTask::none || config.pooler,
                               stored.sentence_task != SentenceTask::none};
  std::map<std::string, const NamedTensor*> ours;
  for (const NamedTensor& tensor : record.weights) ours[tensor.name] = &tensor;
  std::vector<NamedTensor> theirs;
  for (const TensorNames& names : huggingface_names(config, heads)) {
    NamedTensor whole{names.ours, names.shape, {}};
    const auto found = ours.find(names.ours);
    if (found != ours.end()) {
      whole = *found->second;
    } else if (names.ours == "mlm.bias" || names.ours == "nsp.output.bias") {
      whole.values.resize(static_cast<size_t>(names.shape[0]));
    } else {
      throw Error(file + ": /weights/" + names.ours + ": is missing, expected by the model");
    }
    if (whole.shape != names.shape)
      throw Error(file + ": /weights/" + names.ours + ": found shape " + shape_text(whole.shape) +
                  ", expected " + shape_text(names.shape));
    if (names.swapped) swap_rows(&whole);
    const size_t size = whole.values.size() / names.theirs.size();
    for (size_t i = 0; i < names.theirs.size(); ++i) {
      const auto first = whole.values.begin() + static_cast<ptrdiff_t>(i * size);
      theirs.push_back({names.theirs[i], names.their_shape(),
                        std::vector<float>(first, first + static_cast<ptrdiff_t>(size))});
    }
  }
  // transformers stores the output bias under both names.
  for (size_t i = 0; i < theirs.size(); ++i)
    if (theirs[i].name == kOutputBias) {
      theirs.push_back(theirs[i]);
      theirs.back().name = kDecoderBias;
      break;
    }
  const fs::path base(folder);
  fs::create_directories(base);
  const Tokenizer tokenizer = Tokenizer::from_bytes(record.tokenizer_model, file);
  const char* vocabulary = tokenizer.is_wordpiece()  ? kWordPieceFile
                           : tokenizer.is_byte_bpe() ? kTokenizerFile
                                                     : kSentencePieceFile;
  write_file_atomically((base / vocabulary).string(),
                        tokenizer.is_wordpiece()
                            ? std::string(vocabulary_of(record.tokenizer_model))
                            : record.tokenizer_model);
  if (tokenizer.is_wordpiece()) {
    // What is not said there transformers takes for true.
    const WordPieceCasing casing = casing_of(record.tokenizer_model);
    const nlohmann::ordered_json said = {{"do_lower_case", casing.lower_case},
                                         {"strip_accents", casing.strip_accents},
                                         {"tokenizer_class", "BertTokenizer"},
                                         {"model_max_length", config.max_positions}};
    write_file_atomically((base / kTokenizerConfigFile).string(), said.dump(2) + "\n");
  }
  write_file_atomically(
      (base / kConfigFile).string(),
      huggingface_config(config, architecture_of(heads), stored.sentence_task).dump(2) + "\n");
  write_safetensors((base / kWeightsFile).string(), theirs);
}

}  // namespace minibert
