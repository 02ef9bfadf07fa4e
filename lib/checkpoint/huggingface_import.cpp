// Folders of transformers -> our weights.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "checkpoint/huggingface.h"
#include "checkpoint/huggingface_config.h"
#include "checkpoint/huggingface_names.h"
#include "checkpoint/huggingface_tokenizer.h"
#include "checkpoint/safetensors.h"
#include "core/config_reader.h"
#include "core/error.h"
#include "core/files.h"
#include "core/rng.h"
#include "core/shell_quote.h"
#include "core/text.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostNamed = 5;  // tensors in one message

// Heads of fine-tuned models and of ELECTRA's discriminator, which an import leaves out.
constexpr const char* kOtherHeads[] = {"classifier.", "qa_outputs.", "pre_classifier.",
                                       "discriminator_predictions."};

// "a, b and 3 more"
std::string some_of(const std::vector<std::string>& names) {
  const auto shown = static_cast<ptrdiff_t>(std::min(names.size(), kMostNamed));
  std::string out = joined({names.begin(), names.begin() + shown});
  if (names.size() > kMostNamed)
    out += " and " + std::to_string(names.size() - kMostNamed) + " more";
  return out;
}

// The folder's weights. Throws Error: there are none, or in another form (with the command that converts them).
std::string weights_file_of(const std::string& folder) {
  const fs::path base(folder);
  if (fs::exists(base / kWeightsFile)) return (base / kWeightsFile).string();
  const auto found = [&](const char* other) {
    return (base / other).string() + ": found these weights, expected " + kWeightsFile;
  };
  // Tensor by tensor, since a class of transformers would add random heads to weights that have none.
  for (const char* other : {"pytorch_model.bin.index.json", "pytorch_model.bin"})
    if (fs::exists(base / other))
      throw Error(
          found(other) +
          "; this makes it: python3 -c \"import glob, sys, torch; from safetensors.torch import "
          "save_file; save_file({k: v.clone().contiguous() for f in "
          "glob.glob(glob.escape(sys.argv[1]) + '/pytorch_model*.bin') for k, v in torch.load(f, "
          "map_location='cpu', weights_only=True).items()}, sys.argv[1] + '/" +
          kWeightsFile + "', {'format': 'pt'})\" " + shell_quoted(folder));
  for (const char* other : {"model.safetensors.index.json", "tf_model.h5", "flax_model.msgpack"})
    if (fs::exists(base / other)) throw Error(found(other));
  throw Error((base / kWeightsFile).string() + ": no such file");
}

// The name that transformers gives a tensor today, with the kind's prefix: the first checkpoints
// have gamma and beta for a LayerNorm's weight and bias, a model without heads has no prefix.
std::string todays_name(std::string name, const std::string& prefix) {
  for (const auto& [old, now] :
       {std::pair(".LayerNorm.gamma", ".LayerNorm.weight"), {".LayerNorm.beta", ".LayerNorm.bias"}})
    if (const std::string_view ending = old; name.ends_with(ending))
      name = name.substr(0, name.size() - ending.size()) + now;
  for (const char* part :
       {"embeddings.", "embeddings_project.", "encoder.", "transformer.", "pooler."})
    if (name.starts_with(part)) return prefix + name;
  return name;
}

// The tensors of a file under today's names; every one is taken or told of.
class Tensors {
 public:
  Tensors(const std::string& path, const HuggingfaceTables& tables) : file_(path), tables_(tables) {
    for (const auto& [name, entry] : file_.tensors())
      if (!stored_.emplace(todays_name(name, tables.kind->prefix), name).second)
        throw Error(path + ": tensor " + name + ": found it under two names");
    left_ = stored_;
  }

  bool has(const std::string& name) const { return stored_.contains(name); }
  // Not asked for again, and not left over.
  void pass_over(const std::string& name) { left_.erase(name); }
  // Renames a tensor's existing name of two to `name`; if both exist, `other` counts if `instead`.
  void rename(const std::string& name, const std::string& other, bool instead) {
    if (!has(other) || (has(name) && !instead)) return;
    left_[name] = stored_[name] = stored_.at(other);
    left_.erase(other);
    stored_.erase(other);
  }
  // Names of the tensors that were passed over because they are another head's.
  std::vector<std::string> leave_out_other_heads() {
    std::vector<std::string> out;
    for (const std::string_view begin : kOtherHeads)
      std::erase_if(left_, [&](const auto& item) {
        if (!item.first.starts_with(begin)) return false;
        out.push_back(item.second);
        return true;
      });
    return out;
  }

  NamedTensor read(const std::string& name, const std::vector<int64_t>& shape) {
    pass_over(name);
    const std::string& stored = stored_.at(name);
    const std::vector<int64_t>& found = file_.tensors().at(stored).shape;
    if (found != shape)
      throw Error(path() + ": tensor " + stored + ": found shape " + shape_text(found) +
                  ", expected " + shape_text(shape) + " of " + kConfigFile);
    return file_.read(stored);
  }

  void check_all(const std::vector<TensorNames>& names) const {
    std::vector<std::string> missing;
    for (const TensorNames& one : names)
      for (const std::string& name : one.theirs)
        if (!has(name)) missing.push_back(name);
    if (!missing.empty())
      throw Error(path() + ": lacks " + some_of(missing) + ", expected by " + kConfigFile);
  }
  void check_none_left() const {
    std::vector<std::string> extra;
    for (const auto& [name, stored] : left_) extra.push_back(stored);
    if (!extra.empty())
      throw Error(path() + ": found " + some_of(extra) + ", expected no tensors but those of a " +
                  tables_.kind->name + (tables_.is("bert") ? "ForPreTraining" : "ForMaskedLM") +
                  " with the sizes of " + kConfigFile);
  }
  const std::string& path() const { return file_.path(); }
  const HuggingfaceTables& tables() const { return tables_; }

 private:
  SafetensorsFile file_;
  HuggingfaceTables tables_;
  std::map<std::string, std::string> stored_, left_;  // today's name: the name in the file
};

// `pieces`: of each piece its row in the tables.
NamedTensor gather(const TensorNames& names, const std::vector<int64_t>& pieces, Tensors* tensors) {
  NamedTensor ours{names.ours, names.shape, {}};
  const int64_t count = names.shape[0];
  const int64_t width = names.shape.size() > 1 ? names.shape[1] : 1;
  if (names.theirs.empty()) ours.values.resize(static_cast<size_t>(count * width));
  for (const std::string& name : names.theirs) {
    const NamedTensor part = tensors->read(name, names.their_shape(tensors->tables()));
    std::vector<int64_t> rows;
    if (names.of_pieces)
      rows = pieces;
    else if (names.skipped > 0 || names.their_rows >= 0)
      for (int64_t i = 0; i < count; ++i)
        rows.push_back(std::min(i + names.skipped, part.shape[0] - 1));
    if (rows.empty()) ours.values.insert(ours.values.end(), part.values.begin(), part.values.end());
    for (const int64_t row : rows) {
      const auto begin = part.values.begin() + static_cast<ptrdiff_t>(row * width);
      ours.values.insert(ours.values.end(), begin, begin + static_cast<ptrdiff_t>(width));
    }
  }
  if (names.swapped) swap_halves(&ours);
  return ours;
}

// Drops transformers' tables of numbers and second copies of tied output layers.
void pass_over_copies(const BertConfig& config, Tensors* tensors) {
  const HuggingfaceKind& kind = *tensors->tables().kind;
  const std::string embeddings = kind.prefix + std::string("embeddings.");
  tensors->pass_over(embeddings + "position_ids");
  tensors->pass_over(embeddings + "token_type_ids");
  const auto same = [&](const std::string& copy, const std::string& of,
                        const std::vector<int64_t>& shape, const std::string& why) {
    if (!tensors->has(copy) || !tensors->has(of)) return;
    if (tensors->read(copy, shape).values != tensors->read(of, shape).values)
      throw Error(tensors->path() + ": tensor " + copy + ": differs from " + of +
                  ", expected the same " + why);
  };
  const int64_t rows = tensors->tables().rows;
  same(kind.bias_copy, kind.bias, {rows}, "bias under both names");
  if (config.mlm_tied)
    same(kind.output, embeddings + "word_embeddings.weight", {rows, config.embedding_size},
         "with tie_word_embeddings");
}

// The model's vocabulary becomes the tokenizer's; rows beyond it are what others pad tables with.
void fit_vocabulary(const FolderTokenizer& tokenizer, const HuggingfaceTables& tables,
                    Checkpoint* out) {
  const std::set<int64_t> used(tokenizer.rows.begin(), tokenizer.rows.end());
  if (*used.rbegin() >= tables.rows)
    throw Error(tokenizer.file + ": found " + std::to_string(*used.rbegin() + 1) +
                " pieces, expected " + std::to_string(tables.rows) + " as vocab_size of " +
                kConfigFile + " says");
  out->model.vocab_size = static_cast<int64_t>(tokenizer.rows.size());
  out->tokenizer = tokenizer.bytes;
  if (!tokenizer.treatment.empty()) out->told["text"] = tokenizer.treatment;
  if (const int64_t unused = tables.rows - static_cast<int64_t>(used.size()); unused > 0)
    out->told["rows_left_out"] =
        std::to_string(unused) + " rows of the tables that no piece of a text has";
}

// The masked-LM head of a model that has none: tied, and where states are wider than embeddings with what
// stands between them, untrained; pretraining that begins from the record trains it.
void add_untrained_head(Checkpoint* out) {
  BertConfig& c = out->model;
  c.mlm_tied = true, c.mlm_bias = false, c.mlm_context = 0;
  c.mlm_transform = c.embedding_size != c.d_model;
  if (!c.mlm_transform) return;
  NamedTensor dense{"mlm.transform.weight", {c.embedding_size, c.d_model}, {}};
  Rng rng(1);
  for (int64_t i = 0; i < c.embedding_size * c.d_model; ++i)
    dense.values.push_back(static_cast<float>((2 * rng.uniform() - 1) * c.init_std));
  out->weights.push_back(std::move(dense));
  for (const auto& [name, value] :
       {std::pair("mlm.transform.bias", 0.0F), {"mlm.norm.weight", 1.0F}, {"mlm.norm.bias", 0.0F}})
    out->weights.push_back({name,
                            {c.embedding_size},
                            std::vector<float>(static_cast<size_t>(c.embedding_size), value)});
}

}  // namespace

Checkpoint import_huggingface(const std::string& folder) {
  if (!fs::is_directory(folder)) throw usage_error(folder + ": no such folder");
  const std::string config_path = (fs::path(folder) / kConfigFile).string();
  const nlohmann::json config = read_json(config_path);
  const HuggingfaceModel theirs = read_huggingface_config(config_path, config);
  const HuggingfaceKind& kind = *theirs.tables.kind;
  Checkpoint out;
  out.format = "huggingface";
  out.model = theirs.config;
  out.weights_file = weights_file_of(folder);
  Tensors tensors(out.weights_file, theirs.tables);
  HuggingfaceHeads heads;
  heads.masked_lm = tensors.has(kind.head_dense + std::string(".weight"));
  heads.sentence = tensors.has(kHuggingfaceSentence + std::string(".weight"));
  heads.pooler =
      heads.sentence || tensors.has(kind.prefix + std::string(kHuggingfacePooler) + ".weight");
  if (heads.masked_lm) check_masked_lm_activation(config_path, config, theirs);
  out.architecture = std::string(kind.name) + (!heads.masked_lm ? "Model"
                                               : heads.sentence ? "ForPreTraining"
                                                                : "ForMaskedLM");
  out.masked_lm = heads.masked_lm;
  if (!heads.masked_lm) out.model.mlm_tied = true;
  out.model.mlm_bias = heads.masked_lm;
  out.model.mlm_transform = heads.masked_lm || out.model.embedding_size != out.model.d_model;
  out.model.nsp_bias = heads.sentence;
  out.model.pooler = heads.pooler && !heads.sentence;
  if (heads.sentence)
    out.sentence_task =
        ConfigReader(config, config_path)
                    .choice(kSentenceTaskKey, {"swap", "random_next"}, "random_next") == "swap"
            ? SentenceTask::swap
            : SentenceTask::random_next;
  const FolderTokenizer tokenizer = read_huggingface_tokenizer(folder);
  fit_vocabulary(tokenizer, theirs.tables, &out);
  // The output layer adds its own bias; untied, transformers stores the other, which no sum has, beside it.
  tensors.rename(kind.bias, kind.bias_copy, !out.model.mlm_tied);
  const std::vector<TensorNames> names = huggingface_names(out.model, heads, theirs.tables);
  tensors.check_all(names);
  pass_over_copies(out.model, &tensors);
  for (const TensorNames& one : names) out.weights.push_back(gather(one, tokenizer.rows, &tensors));
  if (!heads.masked_lm) add_untrained_head(&out);
  if (const auto left = tensors.leave_out_other_heads(); !left.empty())
    out.told["heads_left_out"] = some_of(left);
  tensors.check_none_left();
  out.files = {config_path, out.weights_file};
  out.files.insert(out.files.end(), tokenizer.files.begin(), tokenizer.files.end());
  return out;
}

}  // namespace minibert
