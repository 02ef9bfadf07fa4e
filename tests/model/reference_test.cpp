// One forward and backward pass of small BERTs against an independent implementation
// (make_reference.py wrote reference.json).
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <map>

#include "core/files.h"
#include "model/pretraining_model.h"

namespace minibert {
namespace {

using nlohmann::json;

// A share of the largest value; ours computes in float32, the reference in float64.
constexpr double kTolerance = 2e-5;

json reference() {
  return read_json((std::filesystem::path(__FILE__).parent_path() / "reference.json").string());
}

torch::Tensor rows(const json& values) {
  const auto vectors = values.get<std::vector<std::vector<int64_t>>>();
  std::vector<torch::Tensor> out;
  for (const auto& row : vectors) out.push_back(torch::tensor(row, torch::kInt64));
  return torch::stack(out);
}

torch::Tensor list(const json& values) {
  return torch::tensor(values.get<std::vector<int64_t>>(), torch::kInt64);
}

// The i-th value of the k-th parameter by name, as the script fills them.
void fill_by_rule(torch::nn::Module& module) {
  torch::NoGradGuard no_grad;
  std::map<std::string, torch::Tensor> parameters;
  for (const auto& item : module.named_parameters()) parameters.emplace(item.key(), item.value());
  double k = 0;
  for (auto& [name, value] : parameters) {
    const auto i = torch::arange(value.numel(), torch::kFloat64);
    auto filled = 0.4 * torch::cos(1.3 * i + 0.9 * k++);
    if (name.ends_with("norm.weight")) filled = 1 + 0.5 * filled;
    value.copy_(filled.view(value.sizes()));
  }
}

using Losses = std::map<std::string, torch::Tensor>;

Losses span_losses(const SpanHead& head, const torch::Tensor& hidden, const json& inputs) {
  namespace F = torch::nn::functional;
  const auto logits = head(hidden).masked_fill(rows(inputs.at("ids")).eq(0).unsqueeze(-1), -1e9);
  return {{"start", F::cross_entropy(logits.select(2, 0), list(inputs.at("start")))},
          {"end", F::cross_entropy(logits.select(2, 1), list(inputs.at("end")))}};
}

Losses pretraining_losses(PretrainingModel& model, const torch::Tensor& hidden,
                          const json& inputs) {
  namespace F = torch::nn::functional;
  Losses losses{{"mlm", model
                            .mlm(hidden, list(inputs.at("positions")), list(inputs.at("labels")),
                                 rows(inputs.at("ids")))
                            .loss}};
  if (model.has_nsp())
    losses.emplace("nsp", F::cross_entropy(model.nsp(hidden), list(inputs.at("nsp"))));
  return losses;
}

// A BERT with a span head.
struct SpanModel : Model {
  explicit SpanModel(const ModelConfig& config)
      : Model(config.make()), head(add_head(std::make_shared<SpanHead>(encoder().width(), 0))) {}
  std::shared_ptr<SpanHead> head;
};

}  // namespace

TEST_CASE("a small BERT gives an independent implementation's outputs, losses and gradients") {
  const json all = reference();
  const json& inputs = all.at("inputs");
  const auto ids = rows(inputs.at("ids")), segments = rows(inputs.at("segments"));
  for (const json& one : all.at("cases")) {
    INFO(one.at("name").get<std::string>());
    const bool qa = one.at("task") == "qa";
    const ModelConfig config = model_config_from_json(one.at("model"), "reference.json");
    const auto pretraining =
        std::make_shared<PretrainingModel>(*config.get_if<BertConfig>(), one.at("task") != "mlm");
    const auto span = std::make_shared<SpanModel>(config);
    const std::shared_ptr<Model> model = qa ? std::shared_ptr<Model>(span) : pretraining;
    fill_by_rule(*model);
    int64_t count = 0;
    for (const auto& value : model->parameters()) count += value.numel();
    CHECK(count == one.at("parameters"));

    const auto hidden = model->encoder().encode(ids, segments);
    const auto expected =
        torch::tensor(one.at("hidden").get<std::vector<double>>(), torch::kFloat64);
    const auto real = ids.ne(0).unsqueeze(-1);  // what stands at padding is nobody's business
    const auto difference =
        (hidden.to(torch::kFloat64) - expected.view(hidden.sizes())).abs().masked_select(real);
    CHECK(difference.max().item<double>() < kTolerance * expected.abs().max().item<double>());

    torch::Tensor total = torch::zeros({});
    for (const auto& [name, loss] : qa ? span_losses(*span->head, hidden, inputs)
                                       : pretraining_losses(*pretraining, hidden, inputs)) {
      INFO("loss " << name);
      CHECK(loss.item<double>() == Approx(one.at("losses").at(name).get<double>()).epsilon(1e-5));
      total = total + loss;
    }
    total.backward();
    const json& gradients = one.at("gradients");
    CHECK(gradients.size() == model->named_parameters().size());
    for (const auto& item : model->named_parameters()) {
      INFO("gradient of " << item.key());
      const auto& known = gradients.at(item.key());
      auto gradient = torch::zeros(item.value().numel(), torch::kFloat64);
      if (item.value().grad().defined())
        gradient = item.value().grad().to(torch::kFloat64).reshape(-1);
      const auto angles = 0.7 * torch::arange(gradient.numel(), torch::kFloat64);
      const double norm = known[0], projected = known[1];
      const double margin = 5e-5 * std::max(norm, 1e-2);
      CHECK(std::abs(gradient.norm().item<double>() - norm) < margin);
      CHECK(std::abs((gradient * torch::cos(angles)).sum().item<double>() - projected) <
            margin * 4);
    }
  }
}

}  // namespace minibert
