#include "checkpoint/huggingface_folder.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/config_reader.h"
#include "core/error.h"
#include "core/files.h"
#include "core/rng.h"
#include "core/shell_quote.h"
#include "core/text.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;

constexpr char kIndexFile[] = "model.safetensors.index.json";
constexpr size_t kMostNamed = 5;  // tensors in one message

// How to get model.safetensors from pytorch_model.bin: tensor by tensor, since a class of transformers
// would add random heads to weights that have none.
std::string conversion(const std::string& folder) {
  return std::string(
             "python3 -c \"import glob, sys, torch; from safetensors.torch import save_file; "
             "save_file({k: v.clone().contiguous() for f in glob.glob(glob.escape(sys.argv[1]) + "
             "'/pytorch_model*.bin') for k, v in torch.load(f, map_location='cpu', "
             "weights_only=True).items()}, sys.argv[1] + '/") +
         kWeightsFile + "', {'format': 'pt'})\" " + shell_quoted(folder);
}

void add_untrained_transform(const BertConfig& c, std::vector<NamedTensor>* weights) {
  NamedTensor dense{"mlm.transform.weight", {c.embedding_size, c.d_model}, {}};
  Rng rng(1);
  for (int64_t i = 0; i < c.embedding_size * c.d_model; ++i)
    dense.values.push_back(static_cast<float>((2 * rng.uniform() - 1) * c.init_std));
  weights->push_back(std::move(dense));
  const auto filled = [&](const char* name, float value) {
    weights->push_back({name,
                        {c.embedding_size},
                        std::vector<float>(static_cast<size_t>(c.embedding_size), value)});
  };
  filled("mlm.transform.bias", 0);
  filled("mlm.norm.weight", 1);
  filled("mlm.norm.bias", 0);
}

}  // namespace

std::vector<std::string> weight_files_of(const std::string& folder) {
  const fs::path base(folder);
  if (fs::exists(base / kWeightsFile)) return {(base / kWeightsFile).string()};
  if (const fs::path index = base / kIndexFile; fs::exists(index)) {
    const nlohmann::json whole = read_json(index.string());
    const nlohmann::json map = ConfigReader(whole, index.string()).object("weight_map").node();
    std::set<std::string> names;
    for (const auto& [tensor, file] : map.items()) {
      const std::string name = file.is_string() ? file.get<std::string>() : "";
      if (name.empty() || fs::path(name).filename() != name)
        throw Error(index.string() + ": weight_map: " + tensor + ": expected a file's name");
      names.insert(name);
    }
    std::vector<std::string> out;
    for (const std::string& name : names) out.push_back((base / name).string());
    if (out.empty()) throw Error(index.string() + ": weight_map: names no file");
    return out;
  }
  const auto found = [&](const char* other) {
    return (base / other).string() + ": found these weights, expected " + kWeightsFile;
  };
  for (const char* other : {"pytorch_model.bin.index.json", "pytorch_model.bin"})
    if (fs::exists(base / other))
      throw Error(found(other) + "; this makes it: " + conversion(folder));
  for (const char* other : {"tf_model.h5", "flax_model.msgpack"})
    if (fs::exists(base / other)) throw Error(found(other));
  throw Error((base / kWeightsFile).string() + ": no such file");
}

std::string some_of(const std::vector<std::string>& names) {
  std::string out = joined(
      {names.begin(), names.begin() + static_cast<ptrdiff_t>(std::min(names.size(), kMostNamed))});
  if (names.size() > kMostNamed)
    out += " and " + std::to_string(names.size() - kMostNamed) + " more";
  return out;
}

void set_files(const std::string& config, const std::vector<std::string>& weights,
               const std::vector<std::string>& tokenizer, Checkpoint* out) {
  out->weights_file = weights.front();
  out->files = {config};
  out->files.insert(out->files.end(), weights.begin(), weights.end());
  out->files.insert(out->files.end(), tokenizer.begin(), tokenizer.end());
}

void add_untrained_head(Checkpoint* out) {
  BertConfig& c = out->model;
  c.mlm_tied = true, c.mlm_bias = false, c.mlm_context = 0;
  c.mlm_transform = c.embedding_size != c.d_model;
  if (c.mlm_transform) add_untrained_transform(c, &out->weights);
}

}  // namespace minibert
