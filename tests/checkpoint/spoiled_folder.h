// Exported Hugging Face folders, whole or with parts that a test spoils.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "checkpoint/huggingface.h"
#include "checkpoint/safetensors.h"
#include "checkpoint/samples.h"
#include "core/error.h"
#include "core/files.h"
#include "support/message.h"
#include "support/scratch.h"

namespace minibert::testing {

inline void export_to(const std::string& folder, const Checkpoint& checkpoint) {
  export_huggingface(record_of(checkpoint), "random.h5", folder);
}

// A folder with one export, whose parts a test then spoils.
struct Spoiled {
  Spoiled() : folder(scratch / "hf") {
    Checkpoint checkpoint = random_checkpoint(small(), SentenceTask::swap);
    export_to(folder, checkpoint);
  }
  static BertConfig small() {
    BertConfig config = small_config();
    config.nsp_bias = true;
    return config;
  }
  std::string file(const std::string& name) const { return folder + "/" + name; }
  void config(const std::string& key, const nlohmann::json& value) const {
    nlohmann::json all = read_json(file("config.json"));
    if (value.is_null())
      all.erase(key);
    else
      all[key] = value;
    write_bytes(file("config.json"), all.dump());
  }
  template <class Change>
  void weights(const Change& change) const {
    const SafetensorsFile stored(file("model.safetensors"));
    std::vector<NamedTensor> tensors;
    for (const auto& [name, entry] : stored.tensors()) tensors.push_back(stored.read(name));
    change(tensors);
    write_safetensors(file("model.safetensors"), tensors);
  }
  std::string refusal() const {
    return message_of([&] { import_huggingface(folder); });
  }
  Scratch scratch;
  std::string folder;
};

inline NamedTensor& named(std::vector<NamedTensor>& tensors, const std::string& name) {
  for (NamedTensor& tensor : tensors)
    if (tensor.name == name) return tensor;
  throw Error("no tensor " + name);
}

}  // namespace minibert::testing
