#include "infer/any_model.h"

namespace minibert::infer {

Status AnyModel::load(std::span<const uint8_t> file) {
  TextModel loaded;
  const Status status = loaded.load(file, best_kernel());
  if (!status.ok()) return status;
  // The head determines the model's task.
  const ModelConfig& config = loaded.model->config();
  if (config.answers)
    task_.emplace<Answerer>();
  else if (config.classifies)
    task_.emplace<Classifier>();
  else if (config.tags)
    task_.emplace<Tagger>();
  else
    task_.emplace<FillMask>();
  return std::visit([&](auto& one) { return one.load(std::move(loaded)); }, task_);
}

std::string_view AnyModel::task() const {
  constexpr std::string_view kNames[] = {"masks", "answers", "labels", "names"};
  return kNames[task_.index()];
}

const Model& AnyModel::model() const {
  return std::visit([](const auto& one) -> const Model& { return one.model(); }, task_);
}

Kernel AnyModel::kernel() const {
  return std::visit([](const auto& one) { return one.engine().kernel(); }, task_);
}

void AnyModel::use_kernel(Kernel kernel) {
  std::visit([&](auto& one) { one.use_kernel(kernel); }, task_);
}

Status AnyModel::tokenize(std::string_view text, std::vector<Token>* tokens) const {
  return std::visit([&](const auto& one) { return one.tokenize(text, tokens); }, task_);
}

Status AnyModel::embed(std::string_view text, std::vector<Token>* tokens,
                       std::span<const float>* states_SD) {
  Status status = tokenize(text, tokens);
  if (!status.ok()) return status;
  if (!std::holds_alternative<FillMask>(task_)) frame(tokens);
  status = check_length(*tokens, model().config().max_positions);
  if (!status.ok()) return status;
  std::vector<int32_t> ids;
  for (const Token& token : *tokens) ids.push_back(token.id);
  return std::visit(
      [&](auto& one) {
        const Status encoded = one.encode_ids(ids);
        if (encoded.ok()) *states_SD = one.engine().hidden();
        return encoded;
      },
      task_);
}

}  // namespace minibert::infer
