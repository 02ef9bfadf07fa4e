// Folders of transformers -> our weights.
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include "checkpoint/huggingface.h"
#include "checkpoint/huggingface_config.h"
#include "checkpoint/huggingface_folder.h"
#include "checkpoint/huggingface_names.h"
#include "checkpoint/huggingface_tokenizer.h"
#include "checkpoint/safetensors.h"
#include "core/config_reader.h"
#include "core/error.h"
#include "core/files.h"
#include "core/text.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;

// How the names of the heads of ELECTRA's two models begin.
constexpr const char* kGeneratorHead[] = {"generator_predictions.", "generator_lm_head."};
constexpr const char* kDiscriminatorHead = "discriminator_predictions.";

// Heads of fine-tuned models and of ELECTRA's discriminator, which an import leaves out.
constexpr const char* kOtherHeads[] = {"classifier.", "qa_outputs.", "pre_classifier.",
                                       kDiscriminatorHead};

// The name that transformers gives a tensor today, with the family's prefix: the first checkpoints
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
  Tensors(const std::vector<std::string>& paths, const HuggingfaceTables& tables)
      : tables_(tables) {
    const std::string prefix = huggingface_prefix(tables.family);
    for (const std::string& path : paths) {
      const auto file = std::make_shared<SafetensorsFile>(path);
      for (const auto& [name, entry] : file->tensors())
        if (!by_name_.emplace(todays_name(name, prefix), Stored{file, name}).second)
          throw Error(path + ": tensor " + name + ": found it under two names");
    }
    for (const auto& [name, stored] : by_name_) left_[name] = stored.name;
    path_ = paths.front();
  }

  bool has(const std::string& name) const { return by_name_.contains(name); }
  bool has_one_of(const std::string& beginning) const {
    const auto found = by_name_.lower_bound(beginning);
    return found != by_name_.end() && found->first.starts_with(beginning);
  }
  // Not asked for again, and not left over.
  void pass_over(const std::string& name) { left_.erase(name); }
  // The other way to name a tensor that may be there under either.
  void take_for(const std::string& name, const std::string& other) {
    if (!has(name)) take_instead(name, other);
  }
  // Of two that are there the one that counts.
  void take_instead(const std::string& name, const std::string& other) {
    if (!has(other)) return;
    by_name_[name] = by_name_.at(other);
    left_[name] = left_.at(other);
    left_.erase(other);
    by_name_.erase(other);
  }
  // Names of the tensors that were passed over because they begin so.
  std::vector<std::string> leave_out(const char* const* begin, const char* const* end) {
    std::vector<std::string> out;
    for (auto at = begin; at != end; ++at)
      std::erase_if(left_, [&](const auto& item) {
        if (!item.first.starts_with(*at)) return false;
        out.push_back(item.second);
        return true;
      });
    return out;
  }

  NamedTensor read(const std::string& name, const std::vector<int64_t>& shape) {
    pass_over(name);
    const auto& [file, stored] = by_name_.at(name);
    const std::vector<int64_t>& found = file->tensors().at(stored).shape;
    if (found != shape)
      throw Error(file->path() + ": tensor " + stored + ": found shape " + shape_text(found) +
                  ", expected " + shape_text(shape) + " of " + kConfigFile);
    return file->read(stored);
  }

  void check_all(const std::vector<TensorNames>& names) const {
    std::vector<std::string> missing;
    for (const TensorNames& one : names)
      for (const std::string& name : one.theirs)
        if (!has(name)) missing.push_back(name);
    if (!missing.empty())
      throw Error(path_ + ": lacks " + some_of(missing) + ", expected by " + kConfigFile);
  }
  void check_none_left() const {
    std::vector<std::string> extra;
    for (const auto& [name, stored] : left_) extra.push_back(stored);
    if (!extra.empty())
      throw Error(path_ + ": found " + some_of(extra) + ", expected no tensors but those of a " +
                  whole_class() + " with the sizes of " + kConfigFile);
  }
  const std::string& path() const { return path_; }  // of the first file
  const HuggingfaceTables& tables() const { return tables_; }

 private:
  // The class with all heads that are read.
  std::string whole_class() const {
    const bool pair =
        tables_.family == HuggingfaceFamily::bert || tables_.family == HuggingfaceFamily::albert;
    return huggingface_class(tables_.family) + (pair ? "ForPreTraining" : "ForMaskedLM");
  }

  struct Stored {
    std::shared_ptr<const SafetensorsFile> file;
    std::string name;  // there
  };
  std::string path_;
  HuggingfaceTables tables_;
  std::map<std::string, Stored> by_name_;    // by today's name
  std::map<std::string, std::string> left_;  // today's name: the name in the file
};

// The rows of `from`, each `width` values, that ours has, in its order.
void append_rows(const std::vector<float>& from, int64_t width, const std::vector<int64_t>& rows,
                 std::vector<float>* out) {
  for (const int64_t row : rows) {
    const auto begin = from.begin() + static_cast<ptrdiff_t>(row * width);
    out->insert(out->end(), begin, begin + static_cast<ptrdiff_t>(width));
  }
}

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
    if (rows.empty())
      ours.values.insert(ours.values.end(), part.values.begin(), part.values.end());
    else
      append_rows(part.values, width, rows, &ours.values);
  }
  if (names.swapped) swap_halves(&ours);
  return ours;
}

// What transformers stores beside the parameters: a table of numbers, and the output layer a second
// time where it is tied.
void pass_over_copies(const BertConfig& config, Tensors* tensors) {
  const HuggingfaceFamily family = tensors->tables().family;
  const std::string embeddings = huggingface_prefix(family) + "embeddings.";
  tensors->pass_over(embeddings + "position_ids");
  tensors->pass_over(embeddings + "token_type_ids");
  const auto same = [&](const std::string& copy, const std::string& of,
                        const std::vector<int64_t>& shape, const std::string& why) {
    if (!tensors->has(copy) || !tensors->has(of)) return;
    if (tensors->read(copy, shape).values != tensors->read(of, shape).values)
      throw Error(tensors->path() + ": tensor " + copy + ": differs from " + of +
                  ", expected the same " + why);
  };
  const OutputNames output = huggingface_output(family);
  const int64_t rows = tensors->tables().rows;
  same(output.copy, output.bias, {rows}, "bias under both names");
  if (config.mlm_tied)
    same(output.weight, embeddings + "word_embeddings.weight", {rows, config.embedding_size},
         "with tie_word_embeddings");
}

// ELECTRA's two models have one model_type, and encoders with the same names. Which of them this is the weights' heads
// say, whatever class config.json names, and that is told. Returns whether it is the generator.
bool is_generator(const HuggingfaceModel& theirs, const Tensors& tensors, Checkpoint* out) {
  const bool generator = std::ranges::any_of(
      kGeneratorHead, [&](const char* head) { return tensors.has_one_of(head); });
  const bool discriminator = tensors.has_one_of(kDiscriminatorHead);
  if (generator && discriminator)
    throw Error(tensors.path() + ": found the heads generator_predictions and " +
                "discriminator_predictions, expected one, as the encoder is of one model");
  const std::string own_class = generator       ? "ElectraForMaskedLM"
                                : discriminator ? "ElectraForPreTraining"
                                                : "";
  std::string what = generator ? "of an ELECTRA generator"
                     : discriminator
                         ? "of an ELECTRA discriminator, which guesses no pieces"
                         : "of an ELECTRA's encoder, a generator's or a discriminator's";
  const std::vector<std::string>& named = theirs.architectures;
  if (!named.empty() && std::ranges::find(named, own_class) == named.end())
    what += std::string("; ") + kConfigFile + " names " + joined(named);
  out->told["weights"] = what;
  return generator;
}

std::string architecture_of(HuggingfaceFamily family, const HuggingfaceHeads& heads) {
  const std::string begin = huggingface_class(family);
  if (!heads.masked_lm) return begin + "Model";
  return begin + (heads.sentence ? "ForPreTraining" : "ForMaskedLM");
}

SentenceTask sentence_task_of(const nlohmann::json& config, const std::string& path,
                              HuggingfaceFamily family) {
  ConfigReader reader(config, path);
  const char* otherwise = family == HuggingfaceFamily::albert ? "swap" : "random_next";
  return reader.choice(kSentenceTaskKey, {"swap", "random_next"}, otherwise) == "swap"
             ? SentenceTask::swap
             : SentenceTask::random_next;
}

// The model's vocabulary becomes the tokenizer's; rows beyond it are what others pad tables with.
void fit_vocabulary(const FolderTokenizer& tokenizer, const HuggingfaceTables& tables,
                    Checkpoint* out) {
  const int64_t first = *std::ranges::min_element(tokenizer.rows);
  const int64_t last = *std::ranges::max_element(tokenizer.rows);
  if (first < 0)
    throw Error(tokenizer.file + ": found the id " + std::to_string(first) +
                ", expected ids from 0 on");
  if (last >= tables.rows)
    throw Error(tokenizer.file + ": found " + std::to_string(last + 1) + " pieces, expected " +
                std::to_string(tables.rows) + " as vocab_size of " + kConfigFile + " says");
  out->model.vocab_size = static_cast<int64_t>(tokenizer.rows.size());
  out->tokenizer = tokenizer.bytes;
  if (!tokenizer.treatment.empty()) out->told["text"] = tokenizer.treatment;
  if (!tokenizer.added_left_out.empty())
    out->told["added_pieces_left_out"] =
        joined(tokenizer.added_left_out) + ": a text that has one is read in parts";
  const std::set<int64_t> used(tokenizer.rows.begin(), tokenizer.rows.end());
  if (const int64_t unused = tables.rows - static_cast<int64_t>(used.size()); unused > 0)
    out->told["rows_left_out"] =
        std::to_string(unused) + " rows of the tables that no piece of a text has";
}

}  // namespace

Checkpoint import_huggingface(const std::string& folder) {
  if (!fs::is_directory(folder)) throw usage_error(folder + ": no such folder");
  const std::string config_path = (fs::path(folder) / kConfigFile).string();
  const nlohmann::json config = read_json(config_path);
  if (is_own_folder(config)) return import_own_folder(folder, config);
  const HuggingfaceModel theirs = read_huggingface_config(config_path, config);
  const HuggingfaceFamily family = theirs.tables.family;
  Checkpoint out;
  out.format = "huggingface";
  out.model = theirs.config;
  const std::vector<std::string> weight_files = weight_files_of(folder);
  Tensors tensors(weight_files, theirs.tables);
  HuggingfaceHeads heads;
  heads.masked_lm = family == HuggingfaceFamily::electra
                        ? is_generator(theirs, tensors, &out)
                        : tensors.has(huggingface_masked_lm_mark(family));
  if (heads.masked_lm) check_masked_lm_activation(config_path, config, theirs);
  heads.sentence = tensors.has(huggingface_sentence_mark(family));
  heads.pooler = heads.sentence || tensors.has(huggingface_pooler_mark(family));
  out.architecture = architecture_of(family, heads);
  out.masked_lm = heads.masked_lm;
  if (!heads.masked_lm) out.model.mlm_tied = true;
  out.model.mlm_bias = heads.masked_lm;
  out.model.mlm_transform = heads.masked_lm || out.model.embedding_size != out.model.d_model;
  out.model.nsp_bias = heads.sentence;
  out.model.pooler = heads.pooler && !heads.sentence;
  if (heads.sentence) out.sentence_task = sentence_task_of(config, config_path, family);
  const FolderTokenizer tokenizer = read_huggingface_tokenizer(folder);
  fit_vocabulary(tokenizer, theirs.tables, &out);
  const OutputNames output = huggingface_output(family);
  // The output layer adds its own bias; untied, transformers stores the other, which no sum has, beside it.
  if (out.model.mlm_tied)
    tensors.take_for(output.bias, output.copy);
  else
    tensors.take_instead(output.bias, output.copy);
  const std::vector<TensorNames> names = huggingface_names(out.model, heads, theirs.tables);
  tensors.check_all(names);
  pass_over_copies(out.model, &tensors);
  for (const TensorNames& one : names) out.weights.push_back(gather(one, tokenizer.rows, &tensors));
  if (!heads.masked_lm) add_untrained_head(&out);
  if (const auto left = tensors.leave_out(std::begin(kOtherHeads), std::end(kOtherHeads));
      !left.empty())
    out.told["heads_left_out"] = some_of(left);
  tensors.check_none_left();
  set_files(config_path, weight_files, tokenizer.files, &out);
  return out;
}

}  // namespace minibert
