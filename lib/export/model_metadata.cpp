#include "export/model_metadata.h"

#include "core/error.h"
#include "core/sha256.h"
#include "text/tokenizer.h"

namespace minibert {

std::map<std::string, std::string> model_metadata(const RunRecord& record,
                                                  const std::string& path) {
  const nlohmann::json model = record.config.value("model", nlohmann::json());
  if (!model.is_object()) throw Error(path + ": config has no \"model\"");
  if (record.weights.empty()) throw Error(path + ": the record has no weights");
  std::map<std::string, std::string> out = {{"experiment", record.experiment},
                                            {"profile", record.profile},
                                            {"arm", record.arm},
                                            {"seed", std::to_string(record.seed)},
                                            {"record_sha256", sha256_file(path)},
                                            {"task", record.config.value("task", "")},
                                            {"model", model.dump()}};
  if (record.tokenizer_model.empty()) return out;
  const Tokenizer tokenizer = Tokenizer::from_bytes(record.tokenizer_model, path);
  out["tokenizer_format"] = tokenizer.is_wordpiece()  ? "wordpiece"
                            : tokenizer.is_byte_bpe() ? "byte_bpe"
                                                      : "sentencepiece";
  out["tokenizer_sha256"] = tokenizer.sha256();
  return out;
}

}  // namespace minibert
